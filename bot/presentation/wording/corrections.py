"""Corrections in words, what has changed in them marked."""

import re
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from core.domain.corrections import Recheck, Rechecked
from core.domain.rich_text import Mark, RichText, Style, rich

_WORD = re.compile(r"\S+")


def block(found: Rechecked, texts: Texts) -> RichText:
    """A correction in words: what was quoted, and what the document says now; of a quote that has changed the
    words that went are struck and those that came in bold, one that is gone is struck as a whole."""
    version, now = found.edition.version, found.now
    values: dict[str, str | int] = {
        "label": found.was.label,
        "title": found.edition.document.fields.title,
        "date": f"{version.seen_from:%Y-%m-%d}",
        "was": found.was.quote,
        "was_page": found.was.pages[0] if found.was.pages else "-",
        "now": now.quote.text if now else "",
        "page": now.quote.pages[0] if now else "",
    }
    text = rich(texts(f"correction.{found.outcome.value}", **values))
    was = defused(found.was.quote)
    if found.outcome is Recheck.GONE:
        text = _drawn(text, was, [(0, len(was))], Style.STRUCK)
        return text + "\n" + texts("correction.nearest", **values) if now is not None else text
    if found.outcome is Recheck.KEPT or now is None:
        return text
    reads = defused(now.quote.text)
    went, came = changed_words(was, reads)
    return _drawn(_drawn(text, was, went, Style.STRUCK), reads, came, Style.BOLD, last=True)


def changed_words(old: str, new: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where words stand (from character to character) in `old` that `new` has not, and the other way round;
    neighbouring ones together."""
    left, right = [*_WORD.finditer(old)], [*_WORD.finditer(new)]
    steps = Levenshtein.opcodes([word[0] for word in left], [word[0] for word in right])
    changes = [step for step in steps if step.tag != "equal"]
    return (
        [*_ranges(left, [(step.src_start, step.src_end) for step in changes])],
        [*_ranges(right, [(step.dest_start, step.dest_end) for step in changes])],
    )


def _ranges(words: list[re.Match[str]], stretches: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    before: tuple[int, int] | None = None
    for first, end in stretches:
        if first == end:
            continue
        if before is not None and before[1] == first:
            before = before[0], end
            continue
        if before is not None:
            yield words[before[0]].start(), words[before[1] - 1].end()
        before = first, end
    if before is not None:
        yield words[before[0]].start(), words[before[1] - 1].end()


def _drawn(
    text: RichText, words: str, ranges: list[tuple[int, int]], style: Style, *, last: bool = False
) -> RichText:
    """`text` with `ranges` of `words`, which stand in it, drawn in `style`."""
    at = text.text.rfind(words) if last else text.text.find(words)
    marks = [Mark(style=style, start=at + start, end=at + end) for start, end in ranges] if at >= 0 else []
    return RichText(text.text, (*text.marks, *marks))
