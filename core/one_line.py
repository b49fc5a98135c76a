"""Names and titles are shown in lines and lists: none of them may begin a line of its own."""

import re

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What ends a line, steers a terminal, or is no character."""

_BREAKS = re.compile(rf"\s*{_CONTROLS.pattern}+\s*")


def is_one_line(text: str) -> bool:
    """Whether `text` is one line in which something can be seen."""
    return not _CONTROLS.search(text) and any(sign.isprintable() and not sign.isspace() for sign in text)


def shortened(text: str, most: int) -> str:
    """`text` in at most `most` characters, the last an ellipsis where there were more."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def one_line(text: str) -> str:
    """`text` with a space for every line break and whatever else cannot be shown in a line."""
    return _BREAKS.sub(" ", text).strip()
