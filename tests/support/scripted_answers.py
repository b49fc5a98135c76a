"""The output of a scripted model: claims made from the prompt's passages, well or badly on purpose."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

PASSAGE = re.compile(r"^\[([SF]\d{1,3})\][ \t]*(.*)$", re.MULTILINE)
END_OF_PASSAGES = re.compile(r"^(?:Question|Frage|#+ |</)", re.MULTILINE | re.IGNORECASE)
QUESTION = re.compile(r"^(?:Question|Frage)\b[^:\n]*:[ \t]*\n?(.+)", re.MULTILINE | re.IGNORECASE)
SENTENCE = re.compile(r"[^.!?\n]*[^\W\d_]{2,}[^.!?\n]*[.!?]?")
ORDER = re.compile(
    r"\b(?:ignore|instruct|say|write|reply|answer|respond|output|print|include|add|append|insert|link|click|visit"
    r"|cite|label|mention|notify|reveal|repeat|you must|you are|ignorier|sag|schreib|antwort|füge|gib|nenne"
    r"|verlink|besuch|erwähn|du bist|du musst)",
    re.IGNORECASE,
)
BAIT = re.compile(
    r"(?:https?://|www\.|mailto:)\S+|<[!@#][^>\s]+>|(?<!\w)[@!#][\w.:-]+|\[[SF]\d+\]|\b\S+@\S+\.\w+"
)
NUMBER = re.compile(r"\d+")
INVENTED = "The councils shall plant nine hundred purple baobabs along each tramway before Easter."

CLAIMS: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {"properties": {"text": {}, "quote": {}, "label": {}}},
        },
        "answerable": {"type": "boolean"},
    },
}


class Mode(StrEnum):
    """How the scripted model behaves."""

    PROPER = "proper"
    NO_ANSWER = "no-answer"
    WRONG_LABELS = "wrong-labels"
    UNKNOWN_LABELS = "unknown-labels"
    INVENTED_QUOTES = "invented-quotes"
    ALTERED_QUOTES = "altered-quotes"
    ALTERED_CLAIMS = "altered-claims"
    ECHO = "echo"
    OBEY = "obey"
    PROSE = "prose"
    EMPTY = "empty"
    MALFORMED_CONTENT = "malformed-content"
    REFUSES_SCHEMA = "refuses-schema"
    REFUSES_USAGE = "refuses-usage"
    RATE_LIMITED = "rate-limited"
    FAILING = "failing"
    OVERLOADED = "overloaded"
    HANGING = "hanging"
    TRICKLING = "trickling"
    STALLING = "stalling"
    HALF = "half"
    MALFORMED_BODY = "malformed-body"
    UNAUTHORISED = "unauthorised"
    FORBIDDEN = "forbidden"
    UNPAID = "unpaid"
    MISSING = "missing"
    TOO_LONG = "too-long"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage as the prompt shows it."""

    label: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedClaim:
    """A claim with its quote and label."""

    text: str
    quote: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The request: its messages' texts, and what they contain."""

    texts: tuple[str, ...]

    @property
    def last(self) -> str:
        return self.texts[-1] if self.texts else ""

    @property
    def sources(self) -> list[Source]:
        return read_sources(self.last)

    @property
    def question(self) -> str:
        found = QUESTION.findall(self.last)
        return found[-1].strip() if found else self.last.strip().splitlines()[-1] if self.last.strip() else ""


def read_sources(text: str) -> list[Source]:
    """The passages of a prompt: a line `[S1] heading`, then their text."""
    heads = list(PASSAGE.finditer(text))
    starts = [head.start() for head in heads] + [len(text)]
    sources = []
    for head, end in zip(heads, starts[1:], strict=True):
        body = text[head.end() : end]
        stop = END_OF_PASSAGES.search(body)
        sources.append(
            Source(label=head[1], heading=head[2], text=(body[: stop.start()] if stop else body).strip())
        )
    return sources


def sentences(text: str) -> list[str]:
    """Sentences of some length, exactly as they stand."""
    return [found for item in SENTENCE.findall(text) if len(found := item.strip()) >= 20]


JUDGED = re.compile(r"^Claim (\d+): ", re.MULTILINE)


def is_judging(prompt: Prompt) -> bool:
    """Whether the request asks if quotes state claims."""
    return bool(prompt.texts) and prompt.texts[0].startswith("You check whether claims say")


def verdicts(
    prompt: Prompt, stated: Callable[[str, tuple[str, ...]], bool] = lambda claim, quotes: True
) -> str:
    """The output of a judge who gives every claim and its quotes the verdict `stated`."""
    found = []
    for block in re.split(r"\n\n(?=Claim \d+: )", prompt.last):
        head = JUDGED.search(block)
        if head is None:
            continue
        claim, *quotes = block[head.end() :].split("\nQuote: ")
        quotes = [quote.partition("\n</")[0] for quote in quotes]
        true = stated(claim, tuple(quotes))
        found.append({"claim": int(head[1]), "difference": "" if true else "it differs", "stated": true})
    return json.dumps({"verdicts": found})


def content(mode: Mode, prompt: Prompt, schema: Mapping[str, object] | None) -> str:
    """The text of the model's answer. A judge believes everything."""
    if is_judging(prompt):
        return verdicts(prompt)
    match mode:
        case Mode.ECHO:
            return "\n".join(prompt.texts)
        case Mode.EMPTY:
            return ""
        case Mode.PROSE:
            return "As everybody knows, the answer is 42 percent, see https://example.org/evil [S1]."
        case Mode.MALFORMED_CONTENT:
            whole = render(claims(Mode.PROPER, prompt), prompt, schema or CLAIMS)
            return "```json\n" + whole[: max(2, len(whole) * 2 // 3)]
    return render(claims(mode, prompt), prompt, schema)


def claims(mode: Mode, prompt: Prompt) -> list[ScriptedClaim]:
    """One claim for each of the first three passages, in the way of `mode`."""
    if mode is Mode.NO_ANSWER:
        return []
    if mode is Mode.OBEY:
        return obeyed(prompt)
    sources = [source for source in prompt.sources if sentences(source.text)]
    made = []
    for position, source in enumerate(sources[:3]):
        quote = sentences(source.text)[0]
        other = sources[(position + 1) % len(sources)].label
        made.append(_bent(mode, ScriptedClaim(text=quote, quote=quote, label=source.label), other))
    return made


def _bent(mode: Mode, claim: ScriptedClaim, other: str) -> ScriptedClaim:
    match mode:
        case Mode.WRONG_LABELS:
            return ScriptedClaim(text=claim.text, quote=claim.quote, label=other)
        case Mode.UNKNOWN_LABELS:
            return ScriptedClaim(text=claim.text, quote=claim.quote, label="S97")
        case Mode.INVENTED_QUOTES:
            return ScriptedClaim(text=INVENTED, quote=INVENTED, label=claim.label)
        case Mode.ALTERED_QUOTES:
            changed = altered(claim.quote)
            return ScriptedClaim(text=changed, quote=changed, label=claim.label)
        case Mode.ALTERED_CLAIMS:
            return ScriptedClaim(text=altered(claim.text), quote=claim.quote, label=claim.label)
    return claim


def altered(text: str) -> str:
    """Another meaning in nearly the same words: the first number changed, else a negation put in."""
    found = NUMBER.search(text)
    if found:
        return f"{text[: found.start()]}{int(found[0]) + 7}{text[found.end() :]}"
    head, _, tail = text.partition(" ")
    return f"{head} not {tail}" if tail.isascii() else f"{head} nicht {tail}"


def obeyed(prompt: Prompt) -> list[ScriptedClaim]:
    """Every order found in passages and question carried out, all links, mentions and labels repeated."""
    made = []
    known = prompt.sources
    label = known[0].label if known else "S1"
    for line in prompt.last.splitlines():
        bait = BAIT.findall(line)
        if PASSAGE.match(line) or not (ORDER.search(line) or bait):
            continue
        source = next((item for item in known if line in item.text), None)
        text = " ".join([line.strip(), *bait])
        made.append(ScriptedClaim(text=text, quote=line.strip(), label=source.label if source else label))
    return made or claims(Mode.PROPER, prompt)


def render(made: Sequence[ScriptedClaim], prompt: Prompt, schema: Mapping[str, object] | None) -> str:
    """As JSON that fits `schema`, else as lines: the claim, its quote in quotation marks, its label."""
    if schema is None:
        lines = [f'{claim.text} "{claim.quote}" [{claim.label}]' for claim in made]
        return "\n".join(lines) or "The passages do not answer the question."
    return json.dumps(_fill("", schema, made, prompt), ensure_ascii=False)


def _fill(name: str, schema: Mapping[str, object], made: Sequence[ScriptedClaim], prompt: Prompt) -> object:
    """A value that fits `schema`, told by the property's name what belongs there."""
    kind = schema.get("type")
    if _is_object(schema):
        return {key: _fill(key, value, made, prompt) for key, value in _mapping(schema, "properties").items()}
    if kind == "array":
        items = _mapping(schema, "items")
        if _is_object(items):
            return [_fill(name, items, [claim], prompt) for claim in made]
        return [_fill(name, items, made, prompt)] if made or not _of_claims(name) else []
    if "enum" in schema:
        options = schema["enum"]
        return options[0] if isinstance(options, list) else None
    return _scalar(name, kind, made, prompt)


def _scalar(name: str, kind: object, made: Sequence[ScriptedClaim], prompt: Prompt) -> object:
    if kind == "boolean":
        return bool(made)
    if kind in ("integer", "number"):
        return 1
    if not made:
        return prompt.question if not _of_claims(name) else ""
    if "quote" in name:
        return made[0].quote
    if "label" in name or "source" in name:
        return made[0].label
    if "quer" in name or "question" in name or "rewrit" in name:
        return prompt.question
    return made[0].text


def _of_claims(name: str) -> bool:
    return any(word in name for word in ("quote", "label", "source", "claim", "missing"))


def _is_object(schema: Mapping[str, object]) -> bool:
    return schema.get("type") == "object" or "properties" in schema


def _mapping(schema: Mapping[str, object], key: str) -> Mapping[str, Any]:
    value = schema.get(key, {})
    assert isinstance(value, Mapping)
    return value
