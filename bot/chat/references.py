"""Cross-references in the words of a chat."""

from collections.abc import Sequence

from bot.answers.references import Listed, Referenced
from bot.presentation import Texts
from bot.presentation.wording import defused, page_names
from core.library.references import label

LISTED = 12
"""References of a kind listed at most."""


def references_blocks(found: Sequence[Referenced], texts: Texts) -> list[str]:
    """A block for each document that has the section."""
    return [_block(item, texts) for item in found] or [texts("references.none")]


def _block(item: Referenced, texts: Texts) -> str:
    title = f", {item.section.title}" if item.section and item.section.title else ""
    document = item.provision.edition.document.fields.title
    lines = [defused(f"{label(item.provision)}{title} ({document}{_pages(item, texts)})")]
    for key, rows in (
        ("references.implemented_by", item.implemented_by),
        ("references.cited_by", item.cited_by),
        ("references.cites", item.cites),
    ):
        lines += [texts(key), *(f"- {defused(_line(row, texts))}" for row in rows[:LISTED])] if rows else []
        if len(rows) > LISTED:
            lines.append(texts("info.more", count=len(rows) - LISTED))
    return "\n".join(lines if len(lines) > 1 else [*lines, texts("references.alone")])


def _line(row: Listed, texts: Texts) -> str:
    title = f" {row.section.title}" if row.section and row.section.title else ""
    path = f" [{' -> '.join(row.trail)}]" if len(row.trail) > 2 else ""
    document = row.end.edition.document.fields.title
    return f"{label(row.end)}{title}, {document}{_pages(row, texts)}{path}"


def _pages(row: Referenced | Listed, texts: Texts) -> str:
    return f", {page_names(row.pages, row.printed, texts)}" if row.pages else ""
