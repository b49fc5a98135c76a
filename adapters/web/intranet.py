"""The hosts and networks of an operator's own that documents may be fetched from, though they lie inside."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import httpx

from adapters.web.addresses import Address

PRIVATE = tuple(
    ip_network(block)
    for block in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)
"""Where an intranet's hosts have their addresses (RFC 1918, 6598, 4193)."""

METADATA = frozenset(ip_address(each) for each in ("169.254.169.254", "100.100.100.200", "fd00:ec2::254"))
"""Where the machines of clouds are told their keys: never a source of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intranet:
    """Named `hosts`, each with its port (None: 80 and 443), and whole `networks`."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def of(cls, entries: Sequence[str]) -> "Intranet":
        """Of `wiki.example.internal`, `wiki.example.internal:8080` and `10.1.0.0/16`. Raises ValueError for
        what is none of them."""
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
"""No host inside is named."""


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
