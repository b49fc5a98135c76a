"""Nothing leaves this machine while tests run: no test can reach a paid model or anything else outside."""

import ipaddress
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class OutsideWorld(BaseException):
    """A test tried to reach a host outside. Not an Exception: no fallback may swallow it."""


def is_inside(host: object) -> bool:
    """Loopback addresses, `localhost`, and "any address" for binding."""
    if host is None or host in ("", "localhost", b"localhost"):
        return True
    address = _address(host)
    return address is not None and (address.is_loopback or address.is_unspecified)


def is_address(host: object) -> bool:
    """A numeric address, which needs no lookup."""
    return _address(host) is not None


def _address(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


@contextmanager
def loopback_only() -> Iterator[None]:
    """Refuse connections beyond loopback, resolve no names, and hide the environment's keys."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_TOKEN"))]:
            patch.delenv(name)
        connect, connect_ex, resolve = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

        def checked(address: object) -> None:
            host = address[0] if isinstance(address, tuple) else None  # a path is a local socket
            if not is_inside(host):
                raise OutsideWorld(f"a test tried to reach {address!r}")

        def guarded_connect(self: socket.socket, address: object) -> None:
            checked(address)
            connect(self, address)  # type: ignore[arg-type]

        def guarded_connect_ex(self: socket.socket, address: object) -> int:
            checked(address)
            return connect_ex(self, address)  # type: ignore[arg-type]

        def guarded_resolve(host: object, *args: object, **kwargs: object) -> object:
            if not (is_inside(host) or is_address(host)):
                raise socket.gaierror(socket.EAI_NONAME, f"tests look no names up: {host!r}")
            return resolve(host, *args, **kwargs)  # type: ignore[arg-type]

        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_resolve)
        yield
