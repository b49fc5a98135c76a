"""Hosts inside are reached where an operator has named them, and nowhere else."""

from ipaddress import ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.addresses import METADATA, NOWHERE, Address, Intranet, Rules
from adapters.web.fetching import fetch
from adapters.web.source import WebSource
from bot.settings.tree import load
from bot.wiring.services import web_rules, web_source
from core.errors import Broken, Refused
from tests.support.connections import attempted_connections
from tests.support.hostile_urls import HOSTILE, INSIDE
from tests.support.web_server import LOOPBACK, reply, server

OWN = Intranet.of(["Wiki.Example.Internal", "files.example.internal:8080", "straße.example", "10.1.0.0/16"])


@pytest.mark.parametrize(
    ("host", "port", "address", "admitted"),
    [
        ("wiki.example.internal", 443, "10.9.9.9", True),
        ("wiki.example.internal.", 80, "192.168.1.1", True),
        ("wiki.example.internal", 80, "fd12::1", True),
        ("wiki.example.internal", 8080, "10.9.9.9", False),
        ("files.example.internal", 8080, "172.16.3.4", True),
        ("files.example.internal", 443, "172.16.3.4", False),
        ("xn--strae-oqa.example", 443, "10.9.9.9", True),
        ("strasse.example", 443, "10.9.9.9", False),
        ("evil.wiki.example.internal", 443, "10.9.9.9", False),
        ("wiki.example.internal.evil.example", 443, "10.9.9.9", False),
        ("other.example.internal", 443, "10.1.2.3", True),
        ("other.example.internal", 8080, "10.1.2.3", False),
        ("other.example.internal", 443, "10.2.2.3", False),
        ("wiki.example.internal", 443, "127.0.0.1", False),  # a name that somebody has turned to the machine
        ("wiki.example.internal", 443, "169.254.169.254", False),
        ("wiki.example.internal", 443, "fe80::1", False),
        ("wiki.example.internal", 443, "fd00:ec2::254", False),
        ("wiki.example.internal", 443, "0.0.0.0", False),
        ("wiki.example.internal", 443, "::ffff:10.1.2.3", False),
        ("wiki.example.internal", 443, "224.0.0.1", False),
    ],
)
def test_what_is_named_is_admitted(host: str, port: int, address: str, admitted: bool) -> None:
    assert OWN.admits(host, port, ip_address(address)) is admitted
    assert not NOWHERE.admits(host, port, ip_address(address))


@pytest.mark.parametrize("network", ["0.0.0.0/0", "100.64.0.0/10", "169.254.0.0/16", "fd00::/8", "::/0"])
def test_no_network_holds_the_keys_of_a_cloud_or_the_machine(network: str) -> None:
    wide = Intranet.of([network])
    for address in (*METADATA, LOOPBACK, ip_address("::1"), ip_address("0.0.0.0")):
        assert not wide.admits("anything.example", 80, address)


@pytest.mark.parametrize(
    "entry",
    ["", "http://wiki", "wiki/path", "me@wiki", "wiki:port", "10.1.0.0/33", "10.1.2.3/16", "a b", "?"],
)
def test_what_is_no_entry_is_refused(entry: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        Intranet.of([entry])
    (tmp_path / "fundstelle.toml").write_text(f'[library]\nintranet = ["{entry}"]\n')
    with pytest.raises(Broken, match=r"library\.intranet") as caught:
        web_rules(load(data=tmp_path).settings)
    assert caught.value.key == "settings.invalid"


@given(entry=st.text(max_size=30))
def test_any_entry_is_read_or_refused(entry: str) -> None:
    try:
        found = Intranet.of([entry])
    except ValueError:
        return
    assert len(found.hosts) + len(found.networks) == 1


async def loopback(_host: str, _port: int) -> list[Address]:
    return [LOOPBACK]


async def test_a_named_host_is_fetched_from() -> None:
    async with server(lambda *_: reply(b"inside")) as port:
        own = Intranet.of(["127.0.0.0/8", f"wiki.example:{port}"])
        rules = Rules(resolve=loopback, intranet=own)
        found = await fetch(f"http://wiki.example:{port}/", max_bytes=9, rules=rules)
        assert found.content == b"inside"
        source = WebSource(max_bytes=9, interval_s=0, robots=False, rules=rules)
        again = await source.fetch(f"http://wiki.example:{port}/")
        assert again is not None
        with pytest.raises(Refused) as caught:
            await fetch(f"http://other.example:{port}/", max_bytes=9, rules=rules)
        assert caught.value.key == "url.port"


async def test_from_outside_no_redirect_leads_inside() -> None:
    """Whoever writes public pages does not read an intranet through the bot."""
    asked = ""

    async def resolved(host: str, _port: int) -> list[Address]:
        nonlocal asked
        asked = host
        return [LOOPBACK]

    def answer(path: str, headers: dict[str, str]) -> bytes:
        host = headers["host"].partition(":")[0]
        if path == "/end":
            return reply(host.encode())
        there = "wiki.example" if host == "public.example" or path == "/on" else "public.example"
        return reply(
            status="302 Found", location=f"http://{there}:{port}/{'on' if path == '/twice' else 'end'}"
        )

    async with server(answer) as port:
        rules = Rules(
            allows=lambda _: asked == "public.example",
            resolve=resolved,
            ports=frozenset({port}),
            intranet=Intranet.of(["127.0.0.1/32", f"wiki.example:{port}"]),
        )
        found = await fetch(f"http://wiki.example:{port}/", max_bytes=99, rules=rules)
        assert found.content == b"public.example"
        for path in ("", "twice"):
            with pytest.raises(Refused) as caught:
                await fetch(f"http://public.example:{port}/{path}", max_bytes=99, rules=rules)
            assert caught.value.key == "url.address"
        with pytest.raises(Refused):
            await fetch(f"http://wiki.example:{port}/twice", max_bytes=99, rules=rules)


@pytest.mark.parametrize(
    "url", [url for url, _ in HOSTILE] + [f"http://{each}/" for each in INSIDE if ":" not in each]
)
async def test_what_is_not_named_stays_out_of_reach(url: str) -> None:
    rules = Rules(intranet=Intranet.of(["wiki.example.internal", "10.99.0.0/16"]))
    with attempted_connections() as attempts, pytest.raises(Refused):
        await fetch(url, max_bytes=100, timeout_s=5, rules=rules)
    assert attempts == []


def test_the_settings_reach_the_source(tmp_path: Path) -> None:
    assert web_source(load(data=tmp_path).settings)._rules.intranet == NOWHERE
    (tmp_path / "fundstelle.toml").write_text('[library]\nintranet = ["10.1.0.0/16", "wiki.example"]\n')
    own = web_source(load(data=tmp_path).settings)._rules.intranet
    assert own == Intranet.of(["wiki.example", "10.1.0.0/16"])
