"""Sentences that may not be quoted as their document's own, since the head classifies them as somebody else's
or as no longer current (decision 0009)."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.answering.extractive.extracts import Extract, Range
from core.answering.extractive.statements import heading_at, headings, headings_over
from core.answering.told import has_own_voice, voices
from core.answering.voice_head import SURE, Said, VoiceHead
from core.domain.documents import BINDING_TYPES, DocumentFields
from core.domain.ids import PassageId
from core.domain.passages import Passage, PassageKind
from core.language.sentences import sentences

HEARD = 24
"""Number of the best sentences of a pool that are classified, each with those that may be shown with it."""
_AROUND = 3
_LINE = re.compile(r"[^\n]+")


async def in_own_words(head: VoiceHead, scored: Sequence[Extract]) -> list[Extract]:
    """The sentences without those that are somebody else's or no longer current, which are not shown next to
    others either."""
    best = sorted(scored, key=lambda each: -each.score)[:HEARD]
    groups: dict[PassageId, list[Extract]] = defaultdict(list)
    for each in best:
        groups[each.hit.passage.id].append(each)
    barred = {passage: await _barred(head, group) for passage, group in groups.items()}
    found: list[Extract] = []
    for each in scored:
        more = barred.get(each.hit.passage.id, ())
        if not any(first <= each.start < last for first, last in more):
            found.append(replace(each, barred=(*each.barred, *more)))
    return found


def may_be_others(passage: Passage, fields: DocumentFields) -> bool:
    """Whether the head classifies the sentences of a passage: it does not for law, which speaks for itself,
    nor for rows, for which rules do better."""
    return passage.kind is PassageKind.PROSE and fields.doc_type not in BINDING_TYPES


async def _barred(head: VoiceHead, group: Sequence[Extract]) -> tuple[Range, ...]:
    passage, fields = group[0].hit.passage, group[0].hit.edition.document.fields
    if not may_be_others(passage, fields):
        return ()
    ranges, said = said_in(passage, fields, group[0].day)
    own = [n for each in group for n, (first, last) in enumerate(ranges) if first <= each.start < last]
    wanted = {n for at in own for n in range(max(0, at - _AROUND), min(len(said), at + _AROUND + 1))}
    chances = await head.foreign(said, sorted(wanted), fields)
    return tuple(ranges[n] for n, chance in chances.items() if chance > SURE)


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
