"""URLs of PostgreSQL as providers hand them out, and what a server refuses, in words."""

import ssl
import subprocess
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from adapters.database.connecting import MODES, server_arguments
from adapters.database.database import Database
from core.errors import Broken

SERVER = "postgresql+asyncpg://me:hidden@db.example/library"


def _arguments(query: str) -> dict[str, object]:
    url, arguments = server_arguments(make_url(f"{SERVER}?{query}"))
    assert "sslmode" not in url.query
    return arguments


@pytest.mark.parametrize("mode", MODES)
def test_modes_of_libpq_are_understood(mode: str) -> None:
    assert _arguments(f"sslmode={mode}") == {"ssl": mode}


def test_without_options_nothing_is_added() -> None:
    assert server_arguments(make_url(SERVER)) == (make_url(SERVER), {})


def test_what_asyncpg_takes_stays_in_the_url() -> None:
    url, arguments = server_arguments(make_url(f"{SERVER}?host=/run/postgresql&port=5433"))
    assert (dict(url.query), arguments) == ({"host": "/run/postgresql", "port": "5433"}, {})


def test_name_and_patience_of_libpq() -> None:
    assert _arguments("application_name=bot&connect_timeout=7") == {
        "server_settings": {"application_name": "bot"},
        "timeout": 7.0,
    }


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=db.example",
        "-days",
        "2",
    ]
    command += ["-subj", "/CN=db.example"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "root.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return folder / "root.pem"


@pytest.mark.parametrize(
    ("mode", "name_checked", "signer"),
    [
        ("verify-full", True, ssl.CERT_REQUIRED),
        ("verify-ca", False, ssl.CERT_REQUIRED),
        ("require", False, ssl.CERT_REQUIRED),
    ],
)
def test_a_root_certificate_is_held_against_the_server(
    mode: str, name_checked: bool, signer: ssl.VerifyMode, certificate: Path
) -> None:
    context = _arguments(f"sslmode={mode}&sslrootcert={certificate}")["ssl"]
    assert isinstance(context, ssl.SSLContext)
    assert (context.check_hostname, context.verify_mode) == (name_checked, signer)
    assert [subject["subject"] for subject in context.get_ca_certs()] == [((("commonName", "db.example"),),)]


def test_a_certificate_of_ours_without_a_root_trusts_any_server(certificate: Path) -> None:
    key = certificate.with_name("key.pem")
    context = _arguments(f"sslmode=require&sslcert={certificate}&sslkey={key}")["ssl"]
    assert isinstance(context, ssl.SSLContext)
    assert context.verify_mode is ssl.CERT_NONE


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("sslmode=maybe", "sslmode is one of disable"),
        ("sslmode=verify-full&sslrootcert=/nowhere/root.pem", "cannot be read: No such file"),
        ("sslmod=require", "sslmod is no option"),
        ("sslmode=require&sslmode=disable", "sslmode stands twice"),
    ],
)
def test_what_nobody_understands_is_named(query: str, said: str) -> None:
    with pytest.raises(Broken, match=said) as error:
        _arguments(query)
    assert "hidden" not in str(error.value)


async def test_over_a_socket_the_option_does_no_harm(postgresql: str) -> None:
    """Over its socket a server of PostgreSQL takes everybody, as with libpq."""
    database = await Database.open(f"{postgresql}&sslmode=require")
    await database.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [(("/postgres?", "/nowhere?"), "create it"), (("postgres:@", "nobody:@"), "does not let this user in")],
)
async def test_what_the_server_refuses_says_what_to_mend(
    change: tuple[str, str], said: str, postgresql: str
) -> None:
    with pytest.raises(Broken, match=said) as error:
        await Database.open(postgresql.replace(*change))
    assert error.value.key == "database.refused"
