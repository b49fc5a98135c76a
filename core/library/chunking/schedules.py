"""Where schedules, annexes and forms begin."""

import re
from collections.abc import Sequence

from core.library.lines import Line

SCHEDULE = re.compile(
    r"(?:THE\s+)?(?P<ordinal>(?:FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|SEVENTH|EIGHTH|NINTH|TENTH)\s+)?"
    r"(?P<kind>SCHEDULE|Schedule|ANNEXURE|Annexure|ANNEX|Annex|APPENDIX|Appendix|FORM|Form|Anlage|ANLAGE|Anhang|ANHANG)"
    r"\s*[-–—:]?\s*['\"‘’“”(\[]{0,2}\s?(?P<number>[A-Z]{1,2}|[IVXL]{1,6}|\d{1,3})?\s?['\"‘’“”)\]]{0,2}"
    r"(?:\s*(?:[:.–—-]|\(|\[|zu\b|to\b).*)?"
)
_SEE_RULE = re.compile(r"[\[(]\s?[Ss]ee\s(?:sub-?)?(?:rule|section|clause|regulation)")


def schedule_starts(lines: Sequence[Line]) -> list[int]:
    """Where schedules, annexes and forms begin (indexes)."""
    named = [i for i, line in enumerate(lines) if is_schedule(line)]
    near = {i + d for i in named for d in range(1, 4)}
    return sorted({*named, *(i for i, line in enumerate(lines) if opens_annex(line) and i not in near)})


def is_schedule(line: Line) -> bool:
    """Whether the line is the title of a schedule, an annex or a form."""
    if len(line.words) > 9:
        return False
    match = SCHEDULE.fullmatch(line.text)
    return bool(match and (match["number"] or match["ordinal"] or match["kind"].isupper()))


def opens_annex(line: Line) -> bool:
    """Whether the line refers an annexed form to its rule: "[See rule 3]"."""
    return len(line.words) <= 9 and bool(_SEE_RULE.match(line.text))
