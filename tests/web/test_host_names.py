"""Hosts in all letters: the one that is named is asked, and its certificate is held against its name."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from adapters.web.addresses import Address, Rules, parsed, resolve
from adapters.web.fetching import fetch
from adapters.web.source import WebSource
from core.errors import FundstelleError, Refused
from tests.support.web_server import LOOPBACK, reply, server

NAMES = [
    ("faß.example", "xn--fa-hia.example"),
    ("FAß.Example", "xn--fa-hia.example"),
    ("FAẞ.EXAMPLE", "xn--fa-hia.example"),
    ("xn--fa-hia.example", "xn--fa-hia.example"),
    ("XN--FA-HIA.example", "xn--fa-hia.example"),
    ("faß.example.", "xn--fa-hia.example"),
    ("ｆａß.ｅｘａｍｐｌｅ", "xn--fa-hia.example"),
    ("faß。example", "xn--fa-hia.example"),
    ("fass.example", "fass.example"),
    ("Fass.Example.", "fass.example"),
    ("βόλος.example", "xn--nxasmm1c.example"),
    ("βόλοσ.example", "xn--nxasmq6b.example"),
    ("نامه\u200cای.example", "xn--mgba3gch31f060k.example"),
    ("نامهای.example", "xn--mgba3gch31f.example"),
    ("क्\u200dष.example", "xn--11b2ezcw70k.example"),
    ("क्ष.example", "xn--11b2ezc.example"),
    ("bücher.example", "xn--bcher-kva.example"),
    ("bu\u0308cher.example", "xn--bcher-kva.example"),
]
HOSTS = sorted({host for _, host in NAMES})


@dataclass
class Web:
    """A server with certificates for `HOSTS`, each for itself; who was looked up and greeted."""

    port: int = 0
    looked_up: list[str] = field(default_factory=list)
    greeted: list[str | None] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    redirect: str = ""

    def answer(self, path: str, headers: dict[str, str]) -> bytes:
        self.asked.append((headers["host"], path))
        if path == "/there" and self.redirect:
            return reply(status="302 Found", location=self.redirect)
        return reply(b"" if path == "/robots.txt" else headers["host"].encode())

    async def resolve(self, host: str, _port: int) -> list[Address]:
        self.looked_up.append(host)
        return [LOOPBACK]

    @property
    def rules(self) -> Rules:
        allowed = frozenset({self.port})
        return Rules(allows=lambda address: address == LOOPBACK, resolve=self.resolve, ports=allowed)


def certified(hosts: Sequence[str], folder: Path) -> dict[str, ssl.SSLContext]:
    """A context with a certificate for each host alone; all roots are in the file `roots.pem`."""
    contexts, roots, now = {}, b"", datetime.now(UTC)
    for number, host in enumerate(hosts):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"host {number}")])
        made = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(now + timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        pem = made.public_bytes(serialization.Encoding.PEM)
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (folder / f"{number}.pem").write_bytes(secret + pem)
        contexts[host] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        contexts[host].load_cert_chain(folder / f"{number}.pem")
        roots += pem
    (folder / "roots.pem").write_bytes(roots)
    return contexts


@pytest.fixture
async def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Web]:
    contexts, made = certified(HOSTS, tmp_path), Web()

    def choose(connection: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
        made.greeted.append(name)
        connection.context = contexts[name or ""]

    first = contexts[HOSTS[0]]
    first.sni_callback = choose  # type: ignore[assignment]
    monkeypatch.setattr(certifi, "where", lambda: str(tmp_path / "roots.pem"))
    async with server(made.answer, first) as port:
        made.port = port
        yield made


@pytest.mark.parametrize(("name", "host"), NAMES)
async def test_the_host_that_is_named_is_asked_and_proves_its_name(name: str, host: str, web: Web) -> None:
    found = await fetch(f"https://{name}:{web.port}/a", max_bytes=100, rules=web.rules)
    assert found.content.decode().partition(":")[0].rstrip(".") == host
    assert (web.looked_up, web.greeted) == ([host], [host])


async def test_a_redirect_leads_to_the_host_that_it_names(web: Web) -> None:
    web.redirect = f"https://xn--nxasmm1c.example:{web.port}/end"
    found = await fetch(f"https://faß.example:{web.port}/there", max_bytes=100, rules=web.rules)
    assert web.looked_up == web.greeted == ["xn--fa-hia.example", "xn--nxasmm1c.example"]
    assert found.final_url == web.redirect


async def test_a_certificate_of_the_other_host_is_none(web: Web, tmp_path: Path) -> None:
    other = certified(["fass.example"], tmp_path)["fass.example"]
    async with server(web.answer, other) as port:
        web.port = port
        with pytest.raises(Refused) as caught:
            await fetch(f"https://faß.example:{port}/a", max_bytes=100, rules=web.rules)
    assert caught.value.key == "url.certificate"


async def test_one_host_has_one_pace_and_one_file_of_rules_however_it_is_written(web: Web) -> None:
    slept = list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    source = WebSource(max_bytes=100, rules=web.rules, now=lambda: 0.0, sleep=sleep, interval_s=2.0)
    same = ("faß.example", "FAß.example", "xn--fa-hia.example", "ｆａß.example")
    for name in (*same, "fass.example"):
        await source.fetch(f"https://{name}:{web.port}/a")
    robots = [host for host, path in web.asked if path == "/robots.txt"]
    assert robots == [f"xn--fa-hia.example:{web.port}", f"fass.example:{web.port}"]
    assert slept == [2.0] * 5, "five of the seven requests follow another one to the same host"


@pytest.mark.parametrize(
    "url", ["http://a\u00adb.example/", "http://[::1/", "http://ä\u2100.example/", "http://\u200d.example/"]
)
async def test_what_names_no_host_is_refused(url: str) -> None:
    for fetched in (fetch(url, max_bytes=1), WebSource(max_bytes=1, robots=False).fetch(url)):
        with pytest.raises(Refused) as caught:
            await fetched
        assert caught.value.key == "url.invalid"
    with pytest.raises(Refused):
        parsed(url)


async def test_the_resolver_is_asked_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    async def getaddrinfo(host: str, *_: object, **__: object) -> list[object]:
        asked.append(host)
        return []

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    with pytest.raises(FundstelleError):
        await fetch("https://faß.example/", max_bytes=1, rules=Rules(resolve=resolve))
    assert asked == ["xn--fa-hia.example"]
