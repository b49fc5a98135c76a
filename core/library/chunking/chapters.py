"""Chapters that restart the numbering of sections: "Teil A § 1", "Teil B § 1"."""

from collections.abc import Sequence
from dataclasses import replace

from core.library.chunking.numbering import Mark, candidates_of, schedule_starts, sequence_of
from core.library.chunking.titles import division_name
from core.library.lines import Line

_LEAST = 2
_TOGETHER = 3


def by_chapter(lines: Sequence[Line], chain: Sequence[Mark], own_kind: str) -> list[Mark]:
    """`chain`, or, if several chapters begin at 1, the heads of all of them with their chapter's name."""
    if not chain or chain[0].whole:
        return list(chain)
    annexed = next((at for at in schedule_starts(lines) if at > chain[0].line), len(lines))
    marks = [mark for mark in candidates_of(lines, chain[0], own_kind) if mark.line < annexed]
    divisions = [(at, name) for at, line in enumerate(lines) if (name := division_name(line.text))]
    starts: list[tuple[int, str]] = []
    last = -1
    for mark in marks:
        above = [each for each in divisions if last < each[0] < mark.line]
        if mark.number == 1 and not mark.letter and above:
            starts.append(above[0])
        last = mark.line
    names = [name for _, name in starts]
    if len(starts) < _LEAST or len(set(names)) < len(names):
        return list(chain)
    ends = [at for at, _ in starts[1:]] + [annexed]
    found: list[Mark] = []
    before = [mark for mark in chain if mark.line < starts[0][0]]
    for (begin, name), end in zip(starts, ends, strict=True):
        own = sequence_of(lines, [mark for mark in marks if begin < mark.line < end])
        if own and own[0].number == 1:
            found += [replace(mark, chapter=name) for mark in own]
    every = before + found
    long_enough = len(every) > len(chain) and len(every) >= _TOGETHER
    return every if long_enough else list(chain)
