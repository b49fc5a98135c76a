"""What a model is given: prompts from versioned files, and the passages of an answer: labelled, fenced, and
pure data."""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from core.answering.labels import Labels, plain, without_labels
from core.domain.models import MessageRole, ModelMessage
from core.domain.search import Hit
from core.language.languages import of, tags
from core.search.expansion import follows, without_overlap

_LIGATURE = re.compile("[\ufb00-\ufb06]")
_HYPHENS = re.compile("[-\u2010\u2011]*[\u2010\u2011][-\u2010\u2011]*")
"""Runs of hyphens, at least one of which is not the ordinary one."""

_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0xFEFF])
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_LABEL = re.compile(r"\[\s*(?=[SF]\s*\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage with the label it has in the prompt: S for text, F for tables and figures."""

    label: str
    hit: Hit


def sources_of(hits: Sequence[Hit]) -> tuple[Source, ...]:
    """`hits`, given in document order, with their labels: consecutive passages stay together, and the run
    with the best hit comes first."""
    labels = Labels()
    return tuple(Source(label=labels.next(hit.passage.kind), hit=hit) for hit in by_relevance(hits))


def by_relevance(hits: Sequence[Hit]) -> list[Hit]:
    """`hits`, given in document order, in runs of consecutive passages, those with the best score first. A
    section that the question names precedes passages that were merely found."""
    runs: list[list[Hit]] = []
    for hit in hits:
        if runs and follows(runs[-1][-1], hit):
            runs[-1].append(hit)
        else:
            runs.append([hit])
    runs.sort(
        key=lambda run: (not any("pinned" in hit.found_by for hit in run), -max(hit.score for hit in run))
    )
    return [hit for run in runs for hit in run]


def passage_block(sources: Sequence[Source], place: Callable[[str], str]) -> str:
    """All passages between two lines that no passage can contain, since they end in a digest of the content.
    No line of a passage looks like the start of another passage."""
    texts = _without_overlaps([source.hit for source in sources])
    rows = [
        f"[{s.label}] {_heading(s.hit, place)}\n{_text(text)}" for s, text in zip(sources, texts, strict=True)
    ]
    return fenced("\n\n".join(rows))


def _without_overlaps(hits: Sequence[Hit]) -> list[str]:
    """The texts of `hits`, in document order, without text that the preceding neighbour already ends with."""
    texts = [hit.passage.text for hit in hits]
    for at, (before, hit) in enumerate(pairwise(hits), start=1):
        if follows(before, hit):
            texts[at] = without_overlap(before.passage.text, hit.passage.text) or hit.passage.text
    return texts


def fenced(body: str) -> str:
    """`body` between two lines that end in a digest of it, so that nothing in it can imitate them."""
    fence = f"passages-{hashlib.sha256(body.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return f"<{fence}>\n{body}\n</{fence}>"


def _heading(hit: Hit, place: Callable[[str], str]) -> str:
    """Title, edition, jurisdiction, party, section, page."""
    fields, passage = hit.edition.document.fields, hit.passage
    pages = passage.pages
    parts = [
        fields.title,
        _since(fields.valid_from) if fields.valid_from else "",
        place(fields.jurisdiction) if fields.jurisdiction else "",
        " / ".join(fields.parties),
        passage.section.title if passage.section else "",
        (f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]}-{pages[-1]}") if pages else "",
    ]
    return ", ".join(without_labels(data(part)) for part in parts if part)


def _since(day: date) -> str:
    """The date in words. The first of January means a year without a known day."""
    return (
        f"edition of {day.year}"
        if (day.month, day.day) == (1, 1)
        else f"of {day.day} {_MONTHS[day.month - 1]} {day.year}"
    )


def _text(text: str) -> str:
    """The paragraphs of a passage, one per line, without ligatures and typesetting marks, which quote
    alignment ignores."""
    text = _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text.translate(_INVISIBLE))
    return "\n".join(line for part in text.split("\n") if (line := data(_HYPHENS.sub("-", part))))


def data(text: str) -> str:
    """`text` as one line in which nothing looks like a label or a fence. Only punctuation is changed, which
    quote alignment ignores."""
    return _LABEL.sub("(", plain(text)).replace("<", "‹").replace(">", "›")


_PART = re.compile(r"^## ([a-z]+)\n", re.MULTILINE)
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt file: `name` and `version` for the record, the opening messages, and the task."""

    name: str
    version: str
    opening: tuple[ModelMessage, ...]
    task: str

    @property
    def id(self) -> str:
        """Name and version, as the record of an answer has it."""
        return f"{self.name}@{self.version}"

    def messages(self, **values: str) -> tuple[ModelMessage, ...]:
        """The conversation up to the task. Values are substituted once and not scanned again, so nothing in
        them can refer to another field."""
        opening = [ModelMessage(speaker=m.speaker, text=_filled(m.text, values)) for m in self.opening]
        return (*opening, ModelMessage(speaker=MessageRole.USER, text=_filled(self.task, values)))


@lru_cache(maxsize=8)
def load_prompt(name: str) -> Prompt:
    """The prompt in `prompts/<name>.md`: a line `version: N`, then parts headed `## system`, `## user`,
    `## assistant` (examples) and `## task`, with fields in braces. Raises ValueError for another form."""
    text = files("core.answering.generated").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    head, *parts = _PART.split(text)
    version = re.fullmatch(r"version: (\w+)\s*", head)
    pairs = [(speaker, part.strip()) for speaker, part in zip(parts[::2], parts[1::2], strict=True)]
    if version is None or not pairs or pairs[-1][0] != "task":
        raise ValueError(f"prompts/{name}.md has no version or does not end with a task")
    opening = tuple(ModelMessage(speaker=MessageRole(speaker), text=part) for speaker, part in pairs[:-1])
    return Prompt(name=name, version=version[1], opening=opening, task=pairs[-1][1])


def language_name(code: str) -> str:
    """English name of a supported language; the code itself for others."""
    return of(code).name if code in tags() else code


def missing_line(names: Sequence[str]) -> str:
    """A line naming the parties, places and editions without a source, or ""."""
    return f"No source in the library for: {plain(', '.join(names))}\n\n" if names else ""


def _filled(text: str, values: dict[str, str]) -> str:
    return _FIELD.sub(lambda field: values.get(field[1], field[0]), text)
