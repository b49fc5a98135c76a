"""Slack's markup as the plain text that people typed (docs.slack.dev/messaging/formatting-message-text)."""

import re

from adapters.slack.api import SlackAccount
from core.search.group_talk import HeardLine

_MARKUP = re.compile(r"<((?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>]*)>")
_NAMED = re.compile(r"<(?:@|!(?=here|channel|everyone|subteam))([^<>|]+)")
_SPECIAL = {"!channel": "@channel", "!here": "@here", "!everyone": "@everyone"}


def mentions(text: str, me: SlackAccount) -> bool:
    """Whether `text` names the app."""
    return f"<@{me.user}>" in text or f"<@{me.user}|" in text


def heard(text: str, me: SlackAccount, *, ours: bool) -> HeardLine:
    """`text` in a channel, and whom it names; `ours`: the app takes part in its thread."""
    own = next((name for name in (f"<@{me.user}>", f"<@{me.user}|") if name in text), None)
    return HeardLine(
        text=plain(text, me),
        before_name=None if own is None else plain(text[: text.index(own)], me),
        names_others=any(name != me.user for name in _NAMED.findall(text)),
        in_thread=ours,
    )


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
