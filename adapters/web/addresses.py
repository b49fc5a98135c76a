"""Parses URLs, and decides which addresses a fetch may reach: the public internet only."""

import asyncio
import re
import socket
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from core.errors import Refused, Unavailable

if TYPE_CHECKING:
    import httpx

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[list[Address]]]
"""Resolves host and port to all addresses."""

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
    """Whether `address` is an ordinary host on the public internet. IPv4 addresses embedded in IPv6 (mapped,
    compatible, NAT64) are outside 2000::/3, so none passes."""
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    if isinstance(address, IPv6Address) and (address.scope_id or address not in GLOBAL_UNICAST):
        return False
    return not any(address in block for block in SPECIAL if block.version == address.version)


def parsed(url: str) -> "httpx.URL":
    """`url` with its host as httpx encodes it: by IDNA 2008, which keeps "faß.de" and "fass.de" apart. Full
    width letters and those with loose accents are first written as usual. Raises Refused("url.invalid")."""
    import httpx

    try:
        parts = urlsplit(url)
        usual = unicodedata.normalize("NFKC", parts.netloc)
        return httpx.URL(url if usual == parts.netloc else urlunsplit(parts._replace(netloc=usual)))
    except (httpx.InvalidURL, ValueError) as error:
        raise Refused("url.invalid", f"{url!r} is no web address: {error}") from error


def host_of(url: "httpx.URL") -> str:
    """The host as encoded for DNS and certificates, without a trailing dot. Never `url.host`, which Python
    encodes differently (IDNA 2003): "faß.de" would be "fass.de"."""
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


# The operator's internal hosts and networks from which documents may be fetched.

PRIVATE = tuple(
    ip_network(block)
    for block in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)
"""Address ranges of intranet hosts (RFC 1918, 6598, 4193)."""

METADATA = frozenset(ip_address(each) for each in ("169.254.169.254", "100.100.100.200", "fd00:ec2::254"))
"""Cloud metadata services, which hand out keys: never a source of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intranet:
    """Named `hosts`, each with its port (None: 80 and 443), and whole `networks`."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def of(cls, entries: Sequence[str]) -> "Intranet":
        """The intranet of entries such as `wiki.example.internal`, `wiki.example.internal:8080` and
        `10.1.0.0/16`. Raises ValueError for anything else."""
        hosts, networks = set(), []
        for entry in entries:
            network = _network(entry)
            if network is not None:
                networks.append(network)
            else:
                hosts.add(_host(entry))
        return cls(hosts=frozenset(hosts), networks=tuple(networks))

    def has_port(self, host: str, port: int) -> bool:
        """Whether `host` (as it is sent, `xn--...`) is named with that port."""
        return (_plain(host), port) in self.hosts

    def admits(self, host: str, port: int, address: Address) -> bool:
        """Whether the host may be reached at this address of it. A named one may lie in any private network,
        but never is the machine itself or a cloud's; of the machine itself only a network that is nothing
        else speaks."""
        if address in METADATA or address.is_multicast or address.is_unspecified or address.is_link_local:
            return False
        if any(_holds(network, address) for network in self.networks):
            return port in (80, 443) or self.has_port(host, port)
        named = self.has_port(host, port) or ((_plain(host), None) in self.hosts and port in (80, 443))
        return named and any(_holds(network, address) for network in PRIVATE)


_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")

NOWHERE = Intranet()
"""No internal host is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Where a fetch may go: to addresses that it `allows`, and to the operator's `intranet`, which no
    redirect from outside can reach."""

    allows: Callable[[Address], bool] = is_public
    resolve: Resolve = resolve
    ports: frozenset[int] = frozenset({80, 443})
    intranet: Intranet = NOWHERE


PUBLIC = Rules()


def _holds(network: IPv4Network | IPv6Network, address: IPv4Address | IPv6Address) -> bool:
    return address in network and (network.is_loopback or not address.is_loopback)


def _network(entry: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(entry.strip())
    except ValueError:
        if "/" in entry:
            raise
        return None


def _host(entry: str) -> tuple[str, int | None]:
    """A name and its port, the name as it is sent."""
    import httpx

    try:
        url = httpx.URL(f"ftp://{entry.strip()}/")  # a scheme whose usual port is not left out by httpx
    except httpx.InvalidURL as error:
        raise ValueError(f"{entry!r} is no host: {error}") from error
    host = _plain(url.raw_host.decode("ascii"))
    if not _NAME.fullmatch(host) or url.userinfo or url.path != "/" or url.query or url.fragment:
        raise ValueError(f"{entry!r} is no host, HOST:PORT or network")
    return host, url.port


def _plain(host: str) -> str:
    return host.lower().rstrip(".")
