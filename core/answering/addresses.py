"""Whatever a chat would turn into a link, a mention or a command."""

import re
import unicodedata
from collections.abc import Collection

from core.answering.labels import plain

_ADDRESS = re.compile(
    r"""
      (?:\b[a-z][a-z0-9+.-]{0,63}|(?<=\w))://\S*                    # any scheme with slashes
    | \b(?:mailto|tel|sms|javascript|data|file|tg|xmpp|sips?|matrix|geo|magnet|callto|slack|vbscript):\S+
    | \bwww\.\S+
    | [\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+                            # mail
    | (?<!\w)[@#!+$][\w.=/-]+:[\w.-]+                               # Matrix ids and rooms
    | (?<!\w)@\w[\w.-]*                                             # mentions
    | <[!@#/a-z][^<>]*>?                                            # Slack's, HTML
    | !?\[[^\[\]]*\]\([^()]*\)                                      # Markdown links
    | \b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?(?:/\S*)?                 # IPv4
    | \[[0-9a-f]*:[0-9a-f:]+\]                                      # IPv6
    | (?<![\w.])(?:[\w-]{2,63}\.){1,84}                             # domains; "end.Next" is none
      (?:(?-i:[a-z]{2,24}|[A-Z]{2,24})|com|net|org|info|io|de|eu)(?!\w)(?:[:/?\#]\S*)?
    | (?<!\S)/[a-z]\w{1,31}\b                                       # chat commands
    """,
    re.IGNORECASE | re.VERBOSE,
)

_COMMAND = re.compile(r"(?<!\S)/[a-z]\w{1,31}\b", re.IGNORECASE)


def commands(text: str) -> list[str]:
    """Apparent chat commands in `text` ("advertising /selling"); displayed text is defused anyway."""
    return _COMMAND.findall(text)


def addresses(text: str, allowed: Collection[str] = ()) -> list[str]:
    """Links, mentions, mail and IP addresses, mark-up and chat commands in `text`, as folded.

    `allowed` are complete addresses that may occur (a document's own).
    """
    folded = unicodedata.normalize("NFKC", plain(text)).replace("。", ".")
    for own in sorted(allowed, key=len, reverse=True):
        folded = re.sub(rf"(?<!\S){re.escape(own)}(?=[.,;:!?)\]]*(?:\s|$))", " ", folded)
    return [found[0] for found in _ADDRESS.finditer(folded)]
