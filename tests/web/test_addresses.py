from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.addresses import is_public, resolve
from core.errors import Refused
from tests.support.hostile_urls import INSIDE


@pytest.mark.parametrize("text", INSIDE)
def test_inside(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text", ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::1"]
)
def test_public(text: str) -> None:
    assert is_public(ip_address(text))


@given(st.ip_addresses())
def test_nothing_private_passes(address: object) -> None:
    parsed = ip_address(str(address))
    assert not (is_public(parsed) and (parsed.is_private or parsed.is_loopback or parsed.is_link_local))


@given(st.ip_addresses(v=4))
def test_no_ipv4_dressed_as_ipv6_passes(address: object) -> None:
    dressed = [f"::ffff:{address}", f"64:ff9b::{address}", f"::{address}"]
    assert not any(is_public(ip_address(text)) for text in dressed)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "localhost.", "::1"]
)
async def test_odd_writings_of_loopback_are_seen_through(host: str) -> None:
    try:
        found = await resolve(host, 80)
    except Refused as refused:
        assert refused.key == "url.unknown_host"  # noqa: PT017 - either way nothing is reached
    else:
        assert found
        assert not any(is_public(address) for address in found)


@pytest.mark.parametrize("host", ["", "a" * 70 + ".example", "..", "\udcff"])
async def test_no_host_names(host: str) -> None:
    try:
        found = await resolve(host, 80)
    except Refused as refused:
        assert refused.key == "url.unknown_host"  # noqa: PT017
    else:
        assert not any(is_public(address) for address in found)
