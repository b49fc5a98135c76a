"""Which address of a document everybody may be shown: none that is a key, or leads inside."""

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import parse_qsl, urlsplit

_INSIDE = frozenset(
    (
        "arpa",
        "corp",
        "home",
        "internal",
        "intranet",
        "invalid",
        "lan",
        "local",
        "localhost",
        "private",
        "test",
    )
)
"""Ends of names that no public name service has."""

_KEYS = re.compile(
    r"signature|token|secret|passw|credential|session|jwt|hmac|api[-_]?key|access[-_]?key|auth(?!or)"
    r"|(?:^|[-_.])(?:sig|key|sid|pwd|pass|x-amz|x-goog)(?:$|[-_.])",
    re.IGNORECASE,
)
"""Names of parameters whose value opens what others may not open."""


def is_for_the_public(address: str, inside: Collection[str] = ()) -> bool:
    """Whether `address` is one on the web without a name, a password or a key in it, and its host neither
    private nor `inside`."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or host in inside:
        return False
    stated = ";".join((parts.query, parts.fragment, *parts.path.split(";")[1:])).replace(";", "&")
    if any(_KEYS.search(name) for name, _ in parse_qsl(stated, keep_blank_values=True)):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        *above, last = host.split(".")
        return bool(above) and last[:1].isalpha() and last not in _INSIDE
