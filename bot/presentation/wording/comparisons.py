"""Comparisons and motions in words: tables in the language of the person who asked."""

from collections.abc import Sequence

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter, quoted
from core.answering.reports.comparisons import Comparison, ComparisonRow
from core.answering.reports.motions import MotionReport, MotionRow
from core.answering.reports.sides import RowStatus
from core.domain.answers import Citation, Notice
from core.domain.tables import Table


class ComparisonPresenter:
    """Tables of what was found; quotes stay in their language."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    def comparison(self, found: Comparison, notices: Sequence[Notice] = ()) -> Table:
        """Who says what: a row for each party or place."""
        texts = self._presenter.texts(found.language)
        by_place = any(row.side.jurisdiction for row in found.rows)
        first = texts("compare.jurisdiction" if by_place else "compare.party")
        return Table(
            title=defused(found.question),
            columns=(first, texts("compare.quotes")),
            rows=tuple((self._name(row), self._cell(row.status, row.citations, texts)) for row in found.rows),
            notes=(
                *(self._presenter.notice(notice, texts) for notice in notices),
                *self._sources(found.citations, texts),
                texts("answer.scope", scope=self._presenter.scope(found.scope, texts)),
                self._presenter.disclaimer(texts),
            ),
        )

    def _name(self, row: ComparisonRow) -> str:
        return defused(row.side.party or "") or self._presenter.place(row.side.name)

    def motion(self, found: MotionReport, notices: Sequence[Notice] = ()) -> Table:
        """Who has written what about the demands of a motion."""
        texts = self._presenter.texts(found.language)
        columns = ("compare.party", "motion.role", "motion.relatedness", "compare.quotes")
        return Table(
            title=texts("motion.title", place=self._presenter.place(found.jurisdiction)),
            columns=tuple(texts(key) for key in columns),
            rows=tuple(self._motion_row(row, texts) for row in found.rows),
            notes=(
                "\n".join(
                    [
                        texts("motion.demands"),
                        *(f"{each.number}. {defused(each.text)}" for each in found.demands),
                    ]
                ),
                *(self._presenter.notice(notice, texts) for notice in notices),
                *self._sources(found.citations, texts),
                *self._motion_notes(found, texts),
                self._presenter.disclaimer(texts),
            ),
        )

    def _motion_row(self, row: MotionRow, texts: Texts) -> tuple[str, ...]:
        roles = {"motion.mover": row.mover, "motion.governing": row.governing}
        related = "–" if row.relatedness is None else f"{row.relatedness:.2f}"
        cells = [defused(row.party), ", ".join(texts(key) for key, holds in roles.items() if holds), related]
        quotes = self._cell(row.status, row.citations, texts, row.demands)
        if row.unshown:
            numbers = ", ".join(map(str, row.unshown))
            quotes = f"{quotes}\n{texts('motion.unshown', numbers=numbers)}"
        return (*cells, quotes)

    def _motion_notes(self, found: MotionReport, texts: Texts) -> list[str]:
        notes = [texts("motion.omitted", count=found.omitted)] if found.omitted else []
        if found.government is None:
            place = self._presenter.place(found.jurisdiction)
            notes.append(texts("motion.no_government", place=place))
        return [*notes, texts("motion.meaning")]

    def _cell(
        self, status: RowStatus, citations: Sequence[Citation], texts: Texts, demands: Sequence[int] = ()
    ) -> str:
        """The quotes of a row, or that there are none; `demands` says for each what it was found for."""
        if not citations:
            return texts(f"compare.{status.value}")
        lines = []
        for n, item in enumerate(citations):
            words = quoted(item.quote.text, [item.label], texts.language)
            page = texts("cite.page", page=item.quote.pages[0])
            to = texts("motion.to_demand", number=demands[n]) + ", " if demands else ""
            lines.append(f"{words} ({to}{page})")
        return "\n".join(lines)

    def _sources(self, citations: Sequence[Citation], texts: Texts) -> list[str]:
        lines = [self._presenter.source_line(item, texts) for item in citations]
        return ["\n".join(lines)] if lines else []
