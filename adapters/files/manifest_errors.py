"""What is wrong with a row of a manifest, in words that say what to do."""

from collections.abc import Iterable
from typing import Any

from rapidfuzz import process

from adapters.files.manifest_rows import Row, keys_of

LIKENESS = 60
ADVICE = {
    "date_type": "write a date without quotes, such as 2025-01-31",
    "date_from_datetime_inexact": "write a date without a time, such as 2025-01-31",
    "int_type": "write a whole number without quotes",
    "greater_than_equal": "write a number from 1 on",
    "string_type": "write text in quotes",
    "string_too_short": "write something between the quotes",
    "list_type": 'write a list of texts, such as ["A", "B"]',
}
PATTERNS = {
    "jurisdiction": "write an ISO 3166 code in lower case, such as de or de-nw",
    "code": "write an ISO 3166 code in lower case, such as de or de-nw",
    "parent": "write an ISO 3166 code in lower case, such as de or eu",
    "jurisdictions": "write ISO 3166 codes in lower case, such as de or de-nw",
    "language": "write two letters, such as de or en",
    "schedule": 'write "every 6h" (m, h, d) or the five fields of cron',
    "url": "write an address that begins with https:// or http://",
}


def explain(error: Any, model: type[Row[Any]]) -> str:
    """One line for one of pydantic's errors (`ValidationError.errors()`)."""
    key = str(error["loc"][0]) if error["loc"] else ""
    kind = error["type"]
    if kind == "extra_forbidden":
        return unknown_key(key, keys_of(model))
    if kind == "missing":
        return f'"{key}" is missing; add it'
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind == "enum":
        return f'"{key}" is {error["input"]!r}; write one of {error["ctx"]["expected"]}'
    advice = PATTERNS.get(key, "") if kind == "string_pattern_mismatch" else ADVICE.get(kind, "")
    return f'"{key}" is {_shown(error["input"])}; {advice or error["msg"]}'


def unknown_key(key: str, known: Iterable[str]) -> str:
    """An unknown key, with the nearest known one."""
    listed = list(known)
    nearest = process.extractOne(key.lower(), listed, score_cutoff=LIKENESS)
    hint = f'did you mean "{nearest[0]}"?' if nearest else f"known are {', '.join(listed)}"
    return f'unknown key "{key}"; {hint}'


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
