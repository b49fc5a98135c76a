"""The parts of a text that chat programs make clickable, by linkify-it's rules and those of each client."""

import re
from collections.abc import Collection
from functools import lru_cache

from linkify_it import LinkifyIt

CLIENTS = {
    "Telegram mention": r"\B@\w{2,32}",
    "Telegram command": r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}",
    "Telegram hashtag": r"#[^\W\d]\w*",
    "Telegram and others, bare names": r"(?:[\w-]+\.)+(?:com|org|net|me|de|in|info|example|to|ly|app)\b",
    "scheme": r"\b[a-z][a-z0-9+.-]*(?:(?<=[a-z]):[^\s\u2060”“‘’»«]|:[^\s\d\u2060”“‘’»«])",
    "mail": r"[\w.+-]+@[\w-]",
    "Slack control": r"<[!@#]\w",
    "Slack and Matrix room mention": r"@(?:channel|here|everyone|room)\b",
    "Matrix id": r"[@#!+][\w.=/-]+:[\w.-]",
    "Markdown": r"\[[^\]]*\]\([^)]*\)",
    "HTML": r"</?[a-z]",
    "IPv4": r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    "telephone": r"\+\d[\d\s]{6,}",
}


@lru_cache(maxsize=1)
def _linkify() -> LinkifyIt:
    rules = LinkifyIt(options={"fuzzy_ip": True, "fuzzy_link": True, "fuzzy_email": True})
    rules.tlds(["example", "onion", "app", "dev"], True)
    return rules


def live(text: str, allowed: Collection[str] = ()) -> list[str]:
    """What clients would make clickable in `text`; `allowed` are complete addresses that may occur."""
    for own in sorted(allowed, key=len, reverse=True):
        text = re.sub(rf"(?<!\S){re.escape(own)}(?=[.,;:!?)\]]*(?:\s|$))", " ", text)
    found = [
        f"{name}: {match[0]}" for name, rule in CLIENTS.items() for match in re.finditer(rule, text, re.I)
    ]
    return found + [f"linkify: {match.text}" for match in _linkify().match(text) or []]
