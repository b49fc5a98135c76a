"""Quotes for inline queries: results of `ask` in the public collection, without the slow reader, each quote
proven on its page. Nothing is recorded."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.answers.links import Links
from bot.library.scoping import ScopeOptions, Searched
from bot.presentation.escaping import clean
from bot.presentation.help_lines import HelpLines
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks
from bot.presentation.presenter import Presenter
from bot.presentation.wording.answers import AnswerMessages, Speaker
from core.answering.asker import Asker
from core.answering.validity import Validity
from core.domain.answers import Answer, Citation, Outcome
from core.domain.documents import PUBLIC
from core.domain.messages import InlineAnswer, InlineOffer, InlineQuery
from core.domain.rich_text import joined, rich, small
from core.domain.scope import Scope
from core.errors import FundstelleError
from core.one_line import one_line
from core.ports.clock import Clock
from core.question.turns import Distress, TurnKind, TurnReader

OFFERS = 5
"""Maximum quotes offered for a query."""

PASSAGES = 6
"""Number of passages whose sentences are considered: half as many as for an answer take half the time."""

FRESH_S = 60
"""How long a platform may cache an answer: after that a removed document is gone."""

START = "inline"
"""The start parameter of a query without an answer: it only opens the chat."""

_HELP = "help-"
_LOG = logging.getLogger(__name__)


def help_start(found: Distress) -> str:
    """The start parameter that opens the help lines for somebody in distress."""
    return f"{_HELP}{found.kind.value}-{found.language}"


def distress_of(parameter: str) -> Distress | None:
    """The kind of help lines that a start parameter opens; None for any other parameter."""
    if not parameter.startswith(_HELP):
        return None
    kind, _, language = parameter.removeprefix(_HELP).partition("-")
    kinds = [each for each in (TurnKind.EMERGENCY, TurnKind.SUICIDE, TurnKind.VIOLENCE) if each.value == kind]
    return Distress(kind=kinds[0], language=language) if kinds else None


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineQuotes:
    """Answers anybody's inline queries, from public documents alone. `asker` is one without a reader;
    `jurisdiction` is the place of queries that name none, empty for everywhere."""

    searched: Searched
    asker: Asker
    turns: TurnReader
    help: HelpLines
    links: Links
    validity: Validity
    presenter: Presenter
    clock: Clock
    jurisdiction: str = ""

    async def answer(self, query: InlineQuery) -> InlineAnswer:
        """The choices for `query`; a choice saying that nothing was found if there are none, or after an
        error."""
        text = query.text.strip()
        if not text:
            return self._usage(self.presenter.texts(query.language))
        if (found := await self.turns.distress(text)) is not None:
            label = self.presenter.texts(found.language)("inline.help_lines")
            return InlineAnswer(button=label, start=help_start(found))
        try:
            return await self._quotes(text)
        except FundstelleError as error:
            _LOG.warning("an inline query found nothing: %s", error.key)
            return InlineAnswer(button=self.presenter.texts(query.language)("inline.nothing"), start=START)

    def busy(self, query: InlineQuery) -> InlineAnswer:
        """The answer if the chats leave no time."""
        return InlineAnswer(button=self.presenter.texts(query.language)("inline.busy"), start=START)

    def _usage(self, texts: Texts) -> InlineAnswer:
        """How to use it. The text can also be chosen, to tell others about it."""
        offer = InlineOffer(
            title=texts("inline.usage"), summary=texts("inline.example"), text=rich(texts("inline.about"))
        )
        return InlineAnswer(offers=(offer,), button=texts("inline.private"), start=START)

    async def _quotes(self, text: str) -> InlineAnswer:
        options = ScopeOptions(collections=(PUBLIC,), chat_jurisdiction=self.jurisdiction or None)
        scope, _ = await self.searched.within(options)
        answer = await self.asker.quoted(text, scope=scope, chat_jurisdiction=options.chat_jurisdiction)
        texts = self.presenter.texts(answer.language)
        if answer.outcome is not Outcome.GROUNDED:
            return self._silent(answer, texts)
        later = await self.validity.notices(answer, self.clock.today())
        answer = replace(answer, notices=(*answer.notices, *later))
        return await self._offered(answer, self._sound(answer)[:OFFERS], texts)

    def _sound(self, answer: Answer) -> list[Citation]:
        """The quotes from public documents, only of those whom the query names."""
        names = self.searched.scoping.within((PUBLIC,))
        asked = Scope(collections=(PUBLIC,), parties=answer.scope.parties)
        public = [each for each in answer.citations if each.edition.document.collection == PUBLIC]
        return [each for each in public if names.admits(asked, each.edition)]

    def _silent(self, answer: Answer, texts: Texts) -> InlineAnswer:
        """One line, and the reason if it is about the question: the bot gives no voting advice, and no party
        speaks for one without a source."""
        text = texts("inline.nothing")
        if answer.outcome is Outcome.INFO and answer.notices:
            text = self.presenter.within((PUBLIC,)).notice(answer.notices[0], texts)
        elif answer.missing:
            text = self._lacking(answer, texts)
        text = one_line(text)
        return InlineAnswer(button=clean(text), start=START, for_all=True, keep_s=FRESH_S)

    def _lacking(self, answer: Answer, texts: Texts) -> str:
        """The names in the query without a source."""
        presenter = self.presenter.within((PUBLIC,))
        return presenter.missing(answer.missing, texts, answer.scope.jurisdictions)

    async def _offered(self, answer: Answer, quotes: Sequence[Citation], texts: Texts) -> InlineAnswer:
        linked = await self.links.linked(quotes)
        each, whole = await self.links.startable(quotes, texts.language)
        offers = tuple(
            self._offer(answer, citation, start, texts) for citation, start in zip(linked, each, strict=True)
        )
        return InlineAnswer(
            offers=offers,
            button=texts("inline.open", count=len(offers)),
            start=whole or START,
            for_all=True,
            keep_s=FRESH_S,
            page=texts("inline.page"),
            private=texts("inline.in_private"),
        )

    def _offer(self, answer: Answer, citation: Citation, start: str, texts: Texts) -> InlineOffer:
        presenter = self.presenter.within((PUBLIC,))
        messages, document = AnswerMessages(presenter), citation.edition.document
        quotes = messages.quotes([citation], texts, Speaker(), labelled=False)
        notes = [
            small(presenter.notice(replace(each, labels=(citation.label,)), texts))
            for each in answer.notices
            if citation.label in each.labels or each.key == "notice.low_confidence"
        ]
        notes += [small(self._lacking(answer, texts))] if answer.missing else []
        title = ", ".join((presenter.document_line(document, texts), presenter.pages(citation, texts)))
        return InlineOffer(
            title=clean(one_line(title)),
            summary=clean(one_line(in_marks(citation.quote.text, texts))),
            text=joined([*quotes, *notes], "\n\n"),
            start=start,
            link=citation.link,
            picture=f"{citation.link}/card.jpg" if citation.link else "",
        )
