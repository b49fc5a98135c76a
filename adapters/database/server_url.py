"""URLs of PostgreSQL as people write them: libpq's options, put as asyncpg takes them.

Providers hand out `…?sslmode=require&sslrootcert=…` (libpq, "Connection Strings"); asyncpg knows these as one
argument `ssl`. What it does not know at all is refused by name, not passed on to fail somewhere.
"""

import ssl
from typing import Any

from sqlalchemy.engine import URL

from core.errors import Broken

MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
"""Values of libpq's `sslmode`; asyncpg takes them as they are where no files are given."""

_FILES = ("sslrootcert", "sslcert", "sslkey")
_KNOWN = ("host", "port", "user", "password", "passfile", "timeout", "command_timeout", "ssl")
"""Arguments of `asyncpg.connect` that may stand in a URL."""


def server_arguments(url: URL) -> tuple[URL, dict[str, Any]]:
    """`url` with what asyncpg takes from it, and the arguments that take the place of the rest. Raises
    Broken("database.url") for options nobody knows and for certificates that cannot be read."""
    options = {name: _one(name, value) for name, value in url.query.items()}
    mode = options.pop("sslmode", None)
    files = {name: options.pop(name) for name in _FILES if name in options}
    application = options.pop("application_name", None)
    wait = options.pop("connect_timeout", None)
    unknown = sorted(options.keys() - set(_KNOWN))
    if unknown:
        known = ", ".join(("sslmode", *_FILES, "connect_timeout", "application_name", *_KNOWN))
        raise Broken("database.url", f"{unknown[0]} is no option of the database URL; known are {known}")
    arguments: dict[str, Any] = {}
    if mode or files:
        arguments["ssl"] = _security(mode or "prefer", files)
    if application:
        arguments["server_settings"] = {"application_name": application}
    if wait and wait.isdecimal():
        arguments["timeout"] = float(wait)
    return url.set(query=options), arguments


def _one(name: str, value: str | tuple[str, ...]) -> str:
    if isinstance(value, str):
        return value
    raise Broken("database.url", f"{name} stands twice in the database URL")


def _security(mode: str, files: dict[str, str]) -> str | bool | ssl.SSLContext:
    """What `sslmode` and the files ask for: "require" encrypts and trusts anybody, "verify-ca" wants a known
    signer, "verify-full" the right name, too. With a root certificate, "require" is "verify-ca" (libpq)."""
    if mode not in MODES:
        raise Broken("database.url", f"sslmode is one of {', '.join(MODES)}")
    if not files or mode in ("disable", "allow", "prefer"):
        return mode
    try:
        context = ssl.create_default_context(cafile=files.get("sslrootcert"))
        if "sslcert" in files:
            context.load_cert_chain(files["sslcert"], files.get("sslkey"))
    except OSError as error:  # ssl.SSLError is one
        said = error.strerror or str(error)
        raise Broken("database.url", f"the certificates of the database URL cannot be read: {said}") from None
    context.check_hostname = mode == "verify-full"
    if "sslrootcert" not in files and mode == "require":
        context.verify_mode = ssl.CERT_NONE
    return context
