"""Tolerant parsing of what a model wrote: JSON, JSON in a code fence, half of it, or lines of text."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.answering.labels import label_groups, without_labels

MAX_CLAIMS = 12
"""Maximum claims read from one answer; the rest is ignored."""

MAX_OUTPUT = 60_000
"""Maximum characters of an output that are considered."""

MAX_BROKEN = 200
"""Maximum broken object starts tried before giving up on an output."""

MAX_CHARACTERS = 2000
"""Maximum characters of a claim or a quote."""

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claims", "answerable"],
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "label", "quotes"],
                "properties": {
                    "text": {"type": "string"},
                    "label": {"type": "string"},
                    "quotes": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "answerable": {"type": "boolean"},
    },
}
"""JSON Schema of an answer: claims before the verdict, so that the verdict follows from them."""

_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{12,})[\"“”„«»]")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftClaim:
    """A claim as a model wrote it. `label` is whatever was in the place of labels."""

    text: str
    label: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answer as a model wrote it. `answerable` is None if it did not say."""

    claims: tuple[DraftClaim, ...] = ()
    answerable: bool | None = None

    @property
    def abstains(self) -> bool:
        """Whether the model explicitly says that the passages contain no answer, whatever else it wrote."""
        return self.answerable is False


def read_draft(text: str) -> Draft:
    """The claims in a model's output, whatever their form. Never raises."""
    text = text[:MAX_OUTPUT]
    objects = list(json_objects(text))
    if not objects and "{" not in text:
        return Draft(claims=tuple(_lines(text))[:MAX_CLAIMS])
    claims = [claim for item in objects for claim in _claims(item)]
    verdicts = [item["answerable"] for item in objects if isinstance(item.get("answerable"), bool)]
    return Draft(claims=tuple(claims)[:MAX_CLAIMS], answerable=verdicts[-1] if verdicts else None)


def read_written(text: str) -> Draft:
    """The complete claims in an output that is still being written. Never raises."""
    if "{" not in text:
        text = text.rpartition("\n")[0]
    return replace(read_draft(text), answerable=None)


def json_objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The complete outermost JSON objects of `text`; inside a broken one, its complete objects."""
    text = text[:MAX_OUTPUT]
    at, broken = text.find("{"), 0
    while at >= 0 and broken < MAX_BROKEN:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
            broken += 1
        if isinstance(value, dict):
            yield value
        at = text.find("{", end)


def _claims(item: Mapping[str, Any]) -> Iterator[DraftClaim]:
    listed = item.get("claims")
    if isinstance(listed, list):
        for inner in listed:
            if isinstance(inner, dict):
                yield from _claims(inner)
        return
    text = item.get("text")
    if isinstance(text, str) and text.strip():
        quotes = _texts(item.get("quote")) or _texts(item.get("quotes"))
        labels = _texts(item.get("label")) or _texts(item.get("labels"))
        yield DraftClaim(text=text[:MAX_CHARACTERS], label=" ".join(labels)[:200], quotes=quotes)


def _texts(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(item[:MAX_CHARACTERS] for item in values if isinstance(item, str) and item.strip())


def _lines(text: str) -> Iterator[DraftClaim]:
    """The text protocol: a claim, its quote in quotation marks and its label in one line."""
    for line in text.splitlines():
        line = line.strip(" \t*-•")[: 2 * MAX_CHARACTERS]
        labels = label_groups(line)
        quotes = _QUOTED.findall(line)
        if not labels and not quotes:
            continue
        claim = without_labels(_QUOTED.sub(" ", line)).strip(" -–—:")
        if not claim and not quotes:  # labels alone mean nothing
            continue
        yield DraftClaim(text=claim or quotes[-1], label=labels, quotes=tuple(quotes[-1:]))
