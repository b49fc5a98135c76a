"""What a URL names, and which addresses a fetch may reach: the public internet, nothing else."""

import asyncio
import socket
import unicodedata
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit, urlunsplit

import httpx

from core.errors import Refused, Unavailable

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[list[Address]]]
"""From host and port to all its addresses."""

GLOBAL_UNICAST = IPv6Network("2000::/3")
"""The only IPv6 space that IANA has given out for the public internet (RFC 4291, section 2.4)."""

SPECIAL = tuple(
    ip_network(block)
    for block in (
        # Not public although some versions of `ipaddress` call them global, or leading elsewhere
        # (IANA special-purpose registries, RFC 6890 and what updates it).
        "192.0.0.0/24",  # protocol assignments
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # 6to4 relays
        "192.175.48.0/24",  # AS112
        "100.64.0.0/10",  # shared by providers
        "198.18.0.0/15",  # benchmarks
        "240.0.0.0/4",  # reserved
        "2001::/23",  # protocol assignments, Teredo and ORCHID among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)


def is_public(address: Address) -> bool:
    """Whether `address` is an ordinary host of the public internet. IPv4 addresses dressed as IPv6
    (mapped, compatible, NAT64) are outside of 2000::/3, so none passes."""
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    if isinstance(address, IPv6Address) and (address.scope_id or address not in GLOBAL_UNICAST):
        return False
    return not any(address in block for block in SPECIAL if block.version == address.version)


def parsed(url: str) -> httpx.URL:
    """`url` with its host as httpx encodes it: by IDNA 2008, which keeps "faß.de" and "fass.de" apart. Full
    width letters and those with loose accents are first written as usual. Raises Refused("url.invalid")."""
    try:
        parts = urlsplit(url)
        usual = unicodedata.normalize("NFKC", parts.netloc)
        return httpx.URL(url if usual == parts.netloc else urlunsplit(parts._replace(netloc=usual)))
    except (httpx.InvalidURL, ValueError) as error:
        raise Refused("url.invalid", f"{url!r} is no web address: {error}") from error


def host_of(url: httpx.URL) -> str:
    """The host in the letters of the name service and of certificates, without the dot that may end it. Never
    `url.host`, whose letters Python encodes otherwise (IDNA 2003): "faß.de" would be "fass.de"."""
    return url.raw_host.decode("ascii").rstrip(".")


async def resolve(host: str, port: int) -> list[Address]:
    """All addresses of `host` (ASCII) by the system's resolver, also for numbers in odd writings (`127.1`).
    Raises Refused("url.unknown_host"), or Unavailable while the name service does not answer."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise Unavailable("url.name_service", f"the name service does not answer for {host}") from error
        raise Refused("url.unknown_host", f"there is no host {host}; check the address", host=host) from error
    except (OSError, UnicodeError) as error:
        raise Refused("url.unknown_host", f"{host!r} is no host name; check the address") from error
    return list(dict.fromkeys(ip_address(entry[4][0]) for entry in found))
