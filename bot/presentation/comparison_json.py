"""Comparisons and motions as JSON-ready dictionaries."""

from pathlib import Path

from bot.presentation.result_json import Json, citation_json, day, own_notices_json, rounded, scope_json
from bot.presentation.results import Tabled
from bot.presentation.tables import table_text
from core.answering.extractive.confidence import level
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport, MotionRow, Reason

WIDTH = 100
"""Characters of a line of `text`."""


def comparison_json(made: Tabled[Comparison]) -> Json:
    """Result of `compare`."""
    found = made.report
    return {
        "question": found.question,
        "scope": scope_json(found.scope),
        "rows": [
            {
                "party" if row.side.party else "jurisdiction": row.side.name,
                "status": row.status.value,
                "citations": [citation_json(item, made.attached.get(item.label)) for item in row.citations],
                "confidence": round(row.confidence, 3),
                "confidence_level": level(row.confidence),
            }
            for row in found.rows
        ],
        "text": table_text(made.table, WIDTH),
        "table": path_json(made.file),
        "notices": own_notices_json(made.notices),
        "trace": made.trace,
        "seconds": rounded(found.seconds),
    }


def motion_json(made: Tabled[MotionReport]) -> Json:
    """Result of `motion`."""
    found = made.report
    government = found.government
    return {
        "jurisdiction": found.jurisdiction,
        "demands": [{"number": each.number, "text": each.text} for each in found.demands],
        "omitted": found.omitted,
        "government": {
            "parties": list(government.parties),
            "from": day(government.since),
            "to": day(government.until),
        }
        if government
        else None,
        "rows": [_row_json(row, made) for row in found.rows],
        "text": table_text(made.table, WIDTH),
        "table": path_json(made.file),
        "notices": own_notices_json(made.notices),
        "trace": made.trace,
        "seconds": rounded(found.seconds),
    }


def _row_json(row: MotionRow, made: Tabled[MotionReport]) -> Json:
    return {
        "party": row.party,
        "mover": row.mover,
        "governing": row.governing,
        "status": row.status.value,
        "citations": [
            {**citation_json(item, made.attached.get(item.label)), "demand": demand}
            for item, demand in zip(row.citations, row.demands, strict=True)
        ],
        "relatedness": None if row.relatedness is None else round(row.relatedness, 3),
        "reasons": [_reason_json(reason) for reason in row.reasons],
        "stance": None,  # nothing tells support from quotes yet; whoever reads the key finds it
    }


def _reason_json(reason: Reason) -> Json:
    return {
        "demand": reason.demand,
        "relatedness": round(reason.relatedness, 3),
        "overlap": round(reason.overlap, 3),
        "confidence": round(reason.confidence, 3),
        "label": reason.label,
    }


def path_json(path: Path | None) -> str | None:
    """A path, or None."""
    return str(path) if path else None
