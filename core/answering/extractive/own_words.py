"""Sentences that may not be quoted as their document's own, since the head classifies them as somebody else's
or as no longer current (decision 0009)."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.answering.extractive.extracts import Extract, Range
from core.answering.extractive.statements import heading_at, headings, headings_over
from core.answering.told import has_own_voice, voices
from core.answering.voice_head import READ, Said, VoiceHead
from core.domain.documents import BINDING_TYPES, DocumentFields
from core.domain.ids import PassageId
from core.domain.passages import Passage, PassageKind
from core.language.sentences import sentences

HEARD = 24
"""Number of the best sentences of a pool that are classified, each with those that may be shown with it."""
REPLACED = 3
"""How often sentences that are read as others' are replaced by the next."""
_AROUND = 3
Classify = Callable[[Sequence[Said], Sequence[int], DocumentFields], Awaitable[dict[int, float]]]
_LINE = re.compile(r"[^\n]+")


async def in_own_words(head: VoiceHead, scored: Sequence[Extract]) -> list[Extract]:
    """The sentences without those that are somebody else's or no longer current, which are not shown next to
    others either."""
    best = sorted(scored, key=lambda each: -each.score)[:HEARD]
    return _without(scored, await _barred(best, head.foreign, head.sure, _AROUND))


async def read_as_own(
    head: VoiceHead, pick: Callable[[Sequence[Extract]], list[Extract]], scored: Sequence[Extract]
) -> list[Extract]:
    """What `pick` chooses of `scored`, without what is not the document's own when read among its neighbours.
    What it chooses instead is read as well, `REPLACED` times at most; spare sentences are not."""
    for again in range(REPLACED, -1, -1):
        chosen = await asyncio.to_thread(pick, scored) if scored else []
        barred = await _barred([each for each in chosen if not each.spare], head.read, READ)
        if not any(barred.values()):
            break
        scored, chosen = _without(scored, barred), chosen if again else _without(chosen, barred)
    return chosen


def may_be_others(passage: Passage, fields: DocumentFields) -> bool:
    """Whether the head classifies the sentences of a passage: it does not for law, which speaks for itself,
    nor for rows, for which rules do better."""
    return passage.kind is PassageKind.PROSE and fields.doc_type not in BINDING_TYPES


async def _barred(
    extracts: Sequence[Extract], classify: Classify, bound: float, around: int = 0
) -> dict[PassageId, tuple[Range, ...]]:
    """By passage, the sentences among those shown of `extracts`, and those `around` them, that `classify`
    finds to be somebody else's or no longer current with a probability above `bound`."""
    groups: dict[PassageId, list[Extract]] = defaultdict(list)
    for each in extracts:
        groups[each.hit.passage.id].append(each)
    found: dict[PassageId, tuple[Range, ...]] = {}
    for key, group in groups.items():
        passage, fields = group[0].hit.passage, group[0].hit.edition.document.fields
        if may_be_others(passage, fields):
            ranges, said = said_in(passage, fields, group[0].day)
            shown = {start for each in group for start, _ in (*each.parts, (each.start, each.end))}
            own = [n for n, (first, last) in enumerate(ranges) if any(first <= at < last for at in shown)]
            wanted = {n for at in own for n in range(max(0, at - around), min(len(said), at + around + 1))}
            chances = await classify(said, sorted(wanted), fields)
            found[key] = tuple(ranges[n] for n, chance in chances.items() if chance > bound)
    return found


def _without(scored: Sequence[Extract], barred: Mapping[PassageId, tuple[Range, ...]]) -> list[Extract]:
    """The sentences outside the ranges `barred` of their passages, which are not shown next to them
    either."""
    found: list[Extract] = []
    for each in scored:
        more = barred.get(each.hit.passage.id, ())

        def is_barred(start: int, more: tuple[Range, ...] = more) -> bool:
            return any(first <= start < last for first, last in more)

        if not is_barred(each.start):
            parts = () if any(is_barred(start) for start, _ in each.parts) else each.parts
            found.append(replace(each, barred=(*each.barred, *more), parts=parts))
    return found


def said_in(
    passage: Passage, fields: DocumentFields, day: date | None
) -> tuple[Sequence[Range], Sequence[Said]]:
    """The sentences of a passage, or the rows of a table, without headings and column names: their positions,
    and the head's input for them."""
    over, text, table = headings_over(passage), passage.text, passage.kind is PassageKind.TABLE
    if table:
        every = [(found.start(), found.end()) for found in _LINE.finditer(text)]
        ranges = [each for each in every if text[slice(*each)].strip() not in passage.heading]
    else:
        named = headings(text, numbers=True, cover=passage.ordinal == 0)
        every = list(sentences(text, fields.language))
        ranges = [each for each in every if not any(first <= each[0] < last for first, last in named)]
    heard = voices(passage, ranges, fields, None if has_own_voice(fields) else day)
    said = [
        Said(text[start:end], heading_at(over, start), passage.says_of_others(start, end), whose, table)
        for (start, end), whose in zip(ranges, heard, strict=True)
    ]
    return ranges, said
