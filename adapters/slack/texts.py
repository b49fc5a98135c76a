"""Slack's markup as the plain text that people typed (docs.slack.dev/messaging/formatting-message-text)."""

import re

from adapters.slack.api import SlackAccount

_MARKUP = re.compile(r"<((?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>]*)>")
_SPECIAL = {"!channel": "@channel", "!here": "@here", "!everyone": "@everyone"}


def mentions(text: str, me: SlackAccount) -> bool:
    """Whether `text` names the app."""
    return f"<@{me.user}>" in text or f"<@{me.user}|" in text


def plain(text: str, me: SlackAccount) -> str:
    """`text` without the mentions of the app, and with everything else as it reads."""
    own = rf"<@{re.escape(me.user)}(?:\|[^<>]*)?>"
    text = re.sub(rf"^\s*{own}[\s,:]*", "", text)
    text = re.sub(rf"(?<! ) *{own}", "", text)  # from where the blanks begin, not from each of them
    return _unescaped(_MARKUP.sub(lambda found: _read(found[1]), text)).strip()


def _read(content: str) -> str:
    target, bar, label = content.partition("|")
    if target.startswith("@"):
        return f"@{label or 'user'}"  # the id of a person is nobody's business
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return _SPECIAL.get(target.partition("^")[0], label)
    if not bar or label == target:
        return target
    return label if target.endswith(label) else f"{label} ({target})"


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
