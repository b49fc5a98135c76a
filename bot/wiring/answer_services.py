"""The services that answer, over the ports and the documents."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from bot.wiring.library_services import LibraryServices

if TYPE_CHECKING:
    from bot.answers.answerers import Answerers
    from bot.answers.comparisons import Comparisons
    from bot.answers.drafts import Drafts
    from bot.answers.inline import InlineQuotes
    from bot.answers.links import Links
    from bot.answers.questions import Questions
    from bot.answers.references import References
    from bot.answers.subscriptions import Watching
    from bot.answers.summaries import Summarising
    from bot.answers.version_diff import VersionDiffs
    from bot.library.scoping import Searched
    from bot.presentation.help_lines import HelpLines
    from core.answering.asker import Asker
    from core.answering.extractive.sentences import Extractor
    from core.answering.reports.motions import MotionReader
    from core.answering.reports.sides import SideSearch
    from core.answering.voice_head import VoiceHead
    from core.answering.whose_words import OwnWordsOnly, WhoseWords
    from core.ports.embedding import Embedder
    from core.question.turns import TurnReader
    from core.search.searcher import Searcher


class AnswerServices(LibraryServices):
    """What questions, comparisons and summaries are answered with."""

    @cached_property
    def answerers(self) -> Answerers:
        from bot.answers.answerers import Answerers
        from core.answering.generated.relation import Relation
        from core.answering.stances import StanceReader

        return Answerers(
            self.settings,
            self.model,
            self.judging_model or self.model,
            self.library,
            self.known_places,
            self.clock,
            self._own_words,
            self.trace,
            Relation(self._of_heads),
            StanceReader(self._of_heads),
        )

    @cached_property
    def searcher(self) -> Searcher:
        from core.search.rewrites import Synonyms
        from core.search.searcher import Searcher

        return Searcher(
            library=self.library,
            index=self.index,
            primary=self.primary,
            secondary=self.secondary,
            lexical=self.lexical,
            questions=self.question_encoder,
            known_places=self.known_places,
            reranker=self.reranker,
            synonyms=[
                Synonyms(terms=row.terms, jurisdiction=row.jurisdiction) for row in self.settings.synonyms
            ],
            turns=self.turns,
        )

    @cached_property
    def extractor(self) -> Extractor:
        from core.answering.extractive.sentences import Extractor

        return Extractor(self.secondary, self.primary, reader=self.reader, voice_head=self._voice_head)

    @cached_property
    def asker(self) -> Asker:
        return self.answerers.asker(self.searcher, self.extractor)

    @cached_property
    def searched(self) -> Searched:
        from bot.library.scoping import Searched

        return Searched(self.scoping, self.completeness)

    @cached_property
    def questions(self) -> Questions:
        from bot.answers.example_questions import ExampleQuestions
        from bot.answers.questions import Questions
        from core.answering.quote_check import QuoteVerifier
        from core.search.frame_reader import FrameReader
        from core.search.nearest import Nearest

        nearest = Nearest(
            library=self.library,
            index=self.index,
            primary=self.primary,
            secondary=self.secondary,
            lexical=self.lexical,
        )
        return Questions(
            library=self.library,
            searched=self.searched,
            searcher=self.searcher,
            asker=self.asker,
            verifier=QuoteVerifier(
                library=self.library,
                nearest=nearest,
                sight=self.sight,
                whose=self._whose_words,
                voice_head=self._voice_head,
            ),
            recorder=self.recorder,
            journal=self.journal,
            examples=ExampleQuestions(self.asker, self.library, self.clock, self.presenter),
            clock=self.clock,
            encoders=(self.primary, self.secondary),
            reader=self.reader,
            help=self.help_lines,
            turns=self.turns,
            frames=FrameReader(self._of_heads),
            trace=self.trace,
            links=self.links,
        )

    @cached_property
    def links(self) -> Links:
        from bot.answers.links import Links
        from core.answering.reports.corrections import Rechecker
        from core.answering.validity import Validity

        http = self.settings.http
        return Links(
            base=http.public_url.rstrip("/"),
            days=http.link_days,
            kept=self.page_links,
            library=self.library,
            validity=Validity(self.library, self.clock),
            rechecker=Rechecker(self.library),
            clock=self.clock,
        )

    @cached_property
    def inline_quotes(self) -> InlineQuotes:
        from bot.answers.inline import OFFERS, PASSAGES, InlineQuotes
        from core.answering.extractive.sentences import Extractor
        from core.answering.validity import Validity

        quick = Extractor(self.secondary, self.primary, voice_head=self._voice_head, passages=PASSAGES)
        return InlineQuotes(
            searched=self.searched,
            asker=self.answerers.asker(self.searcher, quick, citations=OFFERS),
            turns=self.turns,
            help=self.help_lines,
            links=self.links,
            validity=Validity(self.library, self.clock),
            presenter=self.presenter,
            clock=self.clock,
            jurisdiction=self.settings.telegram.inline_jurisdiction,
        )

    @cached_property
    def watching(self) -> Watching:
        from bot.answers.subscriptions import Watching

        return Watching(
            library=self.library,
            searched=self.searched,
            asker=self.asker,
            clock=self.clock,
        )

    @cached_property
    def drafts(self) -> Drafts:
        from adapters.conversion.converter import DocumentConverter, WordCommenter
        from adapters.files.originals import FileOriginals
        from bot.answers.drafts import Drafts
        from core.library.formats import FileReader

        files = self.files or FileReader(self.pdf, self.originals)
        return Drafts(
            questions=self.questions,
            own=replace(files, converter=DocumentConverter()),
            files=files,
            originals_in=FileOriginals,
            pdf=self.pdf,
            commenter=WordCommenter(),
        )

    @cached_property
    def help_lines(self) -> HelpLines:
        from bot.presentation.help_lines import HelpLines

        return HelpLines(country=self.settings.help.country, own=self.settings.help.lines)

    @cached_property
    def turns(self) -> TurnReader:
        from core.question.turns import TurnReader

        return TurnReader(self._of_heads, lambda: self.scoping.registry)

    @cached_property
    def _of_heads(self) -> tuple[Embedder, Embedder]:
        """The encoders that heads are trained over, and claims compared with."""
        from bot.wiring.models import packaged_encoder
        from bot.wiring.stores import MODELS

        return packaged_encoder(self.settings, self.primary, self.settings.data / MODELS), self.secondary

    @cached_property
    def sides(self) -> SideSearch:
        from core.answering.reports.sides import SideSearch

        return SideSearch(
            searcher=self.searcher,
            library=self.library,
            extractor=self.extractor,
            threshold=self.answerers.threshold,
            sight=self._own_words,
        )

    @cached_property
    def _whose_words(self) -> WhoseWords:
        from core.answering.whose_words import WhoseWords

        return WhoseWords(self._of_heads)

    @cached_property
    def _voice_head(self) -> VoiceHead:
        from core.answering.voice_head import VoiceHead

        return VoiceHead(self.secondary)

    @cached_property
    def _own_words(self) -> OwnWordsOnly:
        """The check applied to a quote of an answer."""
        from core.answering.whose_words import OwnWordsOnly

        return OwnWordsOnly(sight=self.sight, whose=self._whose_words)

    @cached_property
    def motions(self) -> MotionReader:
        from core.answering.reports.motions import MotionReader

        return MotionReader(library=self.library, sides=self.sides, clock=self.clock)

    @cached_property
    def comparisons(self) -> Comparisons:
        from bot.answers.comparisons import Comparisons
        from bot.presentation.wording.comparisons import ComparisonPresenter
        from core.answering.reports.comparisons import Comparer, CompareSettings

        comparer = Comparer(
            searcher=self.searcher,
            library=self.library,
            sides=self.sides,
            clock=self.clock,
            settings=CompareSettings(max_question=self.settings.answer.max_question),
        )
        return Comparisons(
            comparer=comparer,
            motions=self.motions,
            searched=self.searched,
            texts=ComparisonPresenter(self.presenter),
            pdf=self.pdf,
            recorder=self.recorder,
            links=self.links,
        )

    @cached_property
    def summaries(self) -> Summarising:
        from bot.answers.summaries import Summarising
        from bot.presentation.wording.summaries import SummaryPresenter

        return Summarising(
            searched=self.searched,
            privacy=self.settings.privacy.allowed,
            writer=self.answerers.summary_writer(self.searcher, self.sides, self.primary),
            summaries=self.kept_summaries,
            library=self.library,
            asker=self.asker,
            texts=SummaryPresenter(self.presenter),
            clock=self.clock,
        )

    @cached_property
    def references(self) -> References:
        from bot.answers.references import References

        return References(library=self.library, scoping=self.scoping, clock=self.clock)

    @cached_property
    def version_diffs(self) -> VersionDiffs:
        from bot.answers.version_diff import VersionDiffs

        return VersionDiffs(self.library, self.attacher)
