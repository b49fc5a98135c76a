"""Summaries in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from bot.presentation.attachments import Attached
from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import claim_text, is_quote
from bot.presentation.presenter import Presenter
from bot.presentation.views.encoding import Joined
from bot.presentation.views.reports import SummaryView
from bot.presentation.wording.answers import AnswerMessages, Speaker
from bot.presentation.wording.comparisons import NOTHING
from core.domain.answers import Answer, Citation, Claim, Outcome
from core.domain.ids import TraceId
from core.domain.rich_text import Block, RichText, bold, heading, joined, plain, small
from core.domain.search import QuestionKind
from core.domain.summaries import SourceChange, Summary, SummaryDraft, SummaryEntry

LISTED = 20
"""Maximum summaries in a listing for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSummary:
    """A summary with the changes to its sources. Without evidence it is a draft without claims, and nothing
    was stored."""

    summary: Summary | SummaryDraft
    changes: tuple[SourceChange, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether there is a summary."""
        return isinstance(self.summary, Summary)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations whose pages still exist, to be attached."""
        return tuple(item for item in self.summary.citations if item.edition.can_be_shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSummary:
    """A line of a listing. `stale`: a source has changed since."""

    entry: SummaryEntry
    stale: bool


class SummaryPresenter:
    """Words for summaries in the language of `texts`; claims and quotes stay as they were made."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    def blocks(self, shown: ShownSummary, texts: Texts, *, disclaimer: bool = True) -> list[Block]:
        """Head, changes, and the rest as in an answer, in pieces that may be sent separately. If everything
        is quoted, the speakers are above the quotes."""
        summary, seen = shown.summary, self._presenter.within(shown.summary.scope.collections)
        head: list[Block] = [heading(self._head(summary, texts))] if isinstance(summary, Summary) else []
        answer = as_answer(summary, texts.language)
        head += self._stale(shown.changes, texts)
        if not summary.claims:
            return [*head, *self._presenter.answer_blocks(answer)]
        notices = [seen.notice(notice, texts) for notice in answer.notices]
        missing = self._presenter.missing_block(answer, texts)
        quoted = bool(summary.claims) and all(is_quote(claim, summary.citations) for claim in summary.claims)
        quotes = (
            self._quotes_by_document(summary.citations, seen, texts)
            if quoted
            else self._written(answer, texts)
        )
        last = [self._presenter.searched(answer, texts)]
        last = [*(() if quoted else self._presenter.sureness(answer, texts)), *last]
        last += [self._presenter.disclaimer(texts)] if disclaimer else []
        return [*head, *missing, *quotes, *notices, small(joined(last))]

    def _written(self, answer: Answer, texts: Texts) -> Iterator[Block]:
        """A model's text about each party under its name, about several under their names; then the quotes
        that prove it."""
        speakers = {item.label: speaker_name(item) for item in answer.citations}
        groups: dict[str, list[Claim]] = {}
        for claim in answer.claims:
            names = dict.fromkeys(speakers[label] for label in claim.labels if label in speakers)
            groups.setdefault(", ".join(names), []).append(claim)
        for name, claims in groups.items():
            lines = [claim_text(claim, answer.citations, texts.language) for claim in claims]
            yield joined([bold(defused(name)), *lines] if name else lines)
        yield small("\n".join(self._presenter.source(item, answer, texts) for item in answer.citations))

    def _quotes_by_document(
        self, citations: Sequence[Citation], presenter: Presenter, texts: Texts
    ) -> Iterator[RichText]:
        """The quotes of each document under its party and title, which are shown once."""
        messages = AnswerMessages(presenter)
        for _, found in groupby(citations, lambda item: item.edition.version.id):
            own = list(found)
            fields = own[0].edition.document.fields
            title = messages.title(fields, texts, Speaker(parties=fields.parties))
            head = [bold("/".join(map(defused, fields.parties))), title] if fields.parties else [bold(title)]
            first, *rest = messages.quotes(own, texts, Speaker(), labelled=True, titled=False)
            yield from (joined([joined(head, " · "), first]), *rest)

    def _head(self, summary: Summary, texts: Texts) -> str:
        date = texts.day_of(summary.made_at)
        return texts("summary.head", name=_titled(summary.topic.name), id=summary.id, date=date)

    def _stale(self, changes: Sequence[SourceChange], texts: Texts) -> list[str]:
        lines = [f"- {change_text(change, texts)}" for change in changes]
        return ["\n".join([texts("summary.stale"), *lines])] if lines else []

    def listing(self, listed: Sequence[ListedSummary], texts: Texts) -> list[str]:
        """The newest summaries, a piece each."""
        if not listed:
            return [texts("summary.none")]
        lines = [texts("summary.list"), *(self._line(item, texts) for item in listed[:LISTED])]
        return [*lines, texts("info.more", count=len(listed) - LISTED)] if len(listed) > LISTED else lines

    def _line(self, item: ListedSummary, texts: Texts) -> str:
        """Id, topic, date, scope, and whether it is out of date."""
        entry = item.entry
        line = texts(
            "summary.line",
            id=entry.id,
            name=_titled(entry.topic.name),
            date=texts.day_of(entry.made_at),
            scope=self._presenter.scope(entry.topic.scope, texts),
        )
        return f"{line} – {texts('summary.is_stale')}" if item.stale else line


def _titled(name: str) -> str:
    """A topic's name at the beginning of a line."""
    return name[:1].upper() + name[1:]


def speaker_name(citation: Citation) -> str:
    """The speakers of a citation: the parties of its document, or its title if it has none."""
    fields = citation.edition.document.fields
    return "/".join(fields.parties) or fields.title


def change_text(change: SourceChange, texts: Texts) -> str:
    """How a source changed, and which quotes are from it."""
    labels = " ".join(f"[{label}]" for label in change.labels)
    notice = texts(f"summary.{change.kind.value}", title=change.document.fields.title)
    return f"{notice} {labels}"


def as_answer(draft: SummaryDraft, language: str) -> Answer:
    """A summary as the answer to its topic, to be shown as one."""
    return Answer(
        question=draft.topic.name,
        language=language,
        kind=QuestionKind.FACT,
        outcome=Outcome.GROUNDED if draft.claims else Outcome.NO_EVIDENCE,
        claims=draft.claims,
        citations=draft.citations,
        scope=draft.scope,
        missing=draft.missing,
        confidence=draft.confidence,
        notices=draft.notices,
        rejected=draft.rejected,
        answerer=draft.answerer,
        trace=TraceId(""),
        seconds={},
    )


def summary_view(
    shown: ShownSummary, presenter: Presenter, attached: Mapping[str, Attached] = NOTHING
) -> SummaryView:
    """Result of `summary new` and `summary show` as JSON has it."""
    presenter = presenter.within(shown.summary.scope.collections)
    texts = presenter.texts(shown.summary.language)
    changes: Sequence[Joined] = [
        Joined(change, {"text": change_text(change, texts)}) for change in shown.changes
    ]
    return SummaryView.showing(
        shown.summary,
        stale=bool(changes),
        changes=changes,
        text=plain(joined(SummaryPresenter(presenter).blocks(shown, texts), "\n\n")),
        attached=attached,
        say=partial(presenter.notice, texts=texts),
    )
