"""The services that answer, over the ports and the documents, in terminals and in chats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.wiring.library_services import LibraryServices

if TYPE_CHECKING:
    from adapters.embedding.e5 import PackagedWords
    from bot.answers.answerers import Answerers
    from bot.answers.drafts import Drafts
    from bot.answers.inline import InlineQuotes
    from bot.answers.links import Links
    from bot.answers.questions import Questions
    from bot.answers.references import References
    from bot.answers.reports import Comparisons, Summarising
    from bot.answers.subscriptions import Watching
    from bot.answers.version_diff import VersionDiffs
    from bot.chat.conversation import Conversation
    from bot.chat.guard import Guard
    from bot.chat.receipts import Receipts
    from bot.chat.uploads import UploadQueue
    from bot.delivery.shared_files import SharedFiles
    from bot.library.scoping import Searched
    from bot.presentation.help_lines import HelpLines
    from bot.service.console import ConsoleChat
    from bot.service.subscriptions import Notifying
    from core.answering.asker import Asker
    from core.answering.extractive.sentences import Extractor
    from core.answering.reports.motions import MotionReader
    from core.answering.reports.sides import SideSearch
    from core.answering.voice_head import VoiceHead
    from core.answering.whose_words import OwnWordsOnly, WhoseWords
    from core.ports.chat import ChatPlatform
    from core.ports.models import Embedder
    from core.ports.storage import FileStore
    from core.question.carried import CarriedReader
    from core.question.turns import TurnReader
    from core.search.searcher import Searcher


class AnswerServices(LibraryServices):
    """What questions, comparisons and summaries are answered with, and what is said of them in chats."""

    @cached_property
    def answerers(self) -> Answerers:
        from bot.answers.answerers import Answerers
        from core.answering.generated.judge import Relation
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
            carried=self.carried,
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
        from core.answering.cut_judge import CutJudge
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
                cuts=CutJudge(self._words, self.secondary),
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
    def carried(self) -> CarriedReader:
        from core.question.carried import CarriedReader

        return CarriedReader(self._words)

    @cached_property
    def _words(self) -> PackagedWords:
        from bot.wiring.models import word_encoder
        from bot.wiring.stores import MODELS

        return word_encoder(self.primary, self.settings.data / MODELS)

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

        return VoiceHead(self.secondary, self._words)

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
        from bot.answers.reports import Comparisons
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
        from bot.answers.reports import Summarising
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

    @cached_property
    def guard(self) -> Guard:
        from bot.chat.guard import Guard

        return Guard(self.settings.chat, self.settings.role, open_to_all=self.settings.open)

    @cached_property
    def receipts(self) -> Receipts:
        from bot.chat.receipts import PublicCopies, Receipts

        copies = PublicCopies(self.documents, self.publishing, self.journal)
        return Receipts(self.documents, self.scoping, self.presenter, self.settings.chat, copies)

    def uploads(self, store: FileStore, folder: Path) -> UploadQueue:
        """The queue of files waiting to be read: its jobs in `store`, what is being read in `folder`."""
        from bot.chat.memory import ChatMemory
        from bot.chat.uploads import UploadQueue

        memory = ChatMemory(self.processes)
        return UploadQueue(store, folder, self.intake, self.receipts, self.presenter, self.audit, memory)

    def conversation(self, folder: Path, uploads: UploadQueue) -> Conversation:
        """What answers the messages of every chat; `folder` gets the files of replies."""
        from adapters.files.originals import FileOriginals
        from bot.chat.cited_pages import CitedPages, OfferedPlaces
        from bot.chat.conversation import Conversation
        from bot.chat.documents import DocumentCommands
        from bot.chat.guard import RateLimits
        from bot.chat.personal import About, Personal, SettingCommands
        from bot.chat.pictures import PictureReader
        from bot.chat.questions import LastAnswer, QuestionCommands
        from bot.chat.receipts import CitingThreads
        from bot.chat.reports import ComparisonCommands, DraftCommands, MotionInput, SummaryCommands
        from bot.chat.request import RecentAnswers, SmallPrint
        from bot.chat.staff import HeldSources, LibraryState, Staff
        from bot.chat.subscriptions import SubscriptionCommands

        settings = self.settings
        memory = uploads.memory
        pages, recent = CitedPages(self.attacher, self.presenter), RecentAnswers(memory)
        offered, held = OfferedPlaces(memory), HeldSources(self.sources, self.audit)
        small_print, motions = SmallPrint(memory), MotionInput(self.comparisons, self.scoping)
        comparing = ComparisonCommands(self.comparisons, motions, self.attacher, recent, small_print)
        last = LastAnswer(self.questions, pages, self.journal, recent, offered)
        about = About(
            source=settings.source_url,
            retention=settings.retention.terms,
            remote_model=bool(settings.llm.models),
        )
        return Conversation(
            journal=self.journal,
            presenter=self.presenter,
            clock=self.clock,
            guard=self.guard,
            limits=RateLimits(settings.limits, self.processes, memory),
            memory=memory,
            folder=folder,
            metrics=self.metrics,
            help=self.help_lines,
            turns=self.turns,
            others_answer=self.processes is not None,
            commands=(
                QuestionCommands(
                    self.questions,
                    pages,
                    self.presenter,
                    self.journal,
                    recent,
                    offered,
                    small_print,
                    comparing,
                    last,
                    PictureReader(self.files, FileOriginals) if self.files else None,
                ),
                comparing,
                SummaryCommands(self.summaries, pages, small_print),
                SubscriptionCommands(
                    kept=self.subscriptions,
                    watching=self.watching,
                    library=self.library,
                    scoping=self.scoping,
                    journal=self.journal,
                    recent=recent,
                    presenter=self.presenter,
                    privacy=settings.privacy.allowed,
                    per_chat=settings.limits.chat_subscriptions,
                    per_person=settings.limits.user_subscriptions,
                ),
                DocumentCommands(self.documents, self.references, self.presenter),
                SettingCommands(self.documents, self.scoping, self.presenter, self.journal, last),
                Personal(
                    about,
                    self.questions,
                    self.documents,
                    pages,
                    self.journal,
                    recent,
                    offered,
                    self.presenter,
                    self.links,
                    last,
                ),
                Staff(
                    uploads,
                    self.documents,
                    self.scoping,
                    self.publishing,
                    self.document_lifecycle,
                    held,
                    CitingThreads(self.journal, self.presenter, self.guard),
                    self.journal,
                    settings.pdf.max_megabytes * 1_000_000,
                ),
                LibraryState(uploads, self.documents, held, self.journal),
                DraftCommands(self.drafts, settings.pdf.max_megabytes * 1_000_000),
            ),
        )

    def notifying_on(
        self, platforms: Mapping[str, ChatPlatform], folder: Path, files: SharedFiles
    ) -> Notifying:
        """What tells the chats of `platforms` of what they have subscribed to; `folder` and `files` get the
        pages."""
        from bot.service.subscriptions import Notifying

        return Notifying(
            kept=self.subscriptions,
            watching=self.watching,
            clock=self.clock,
            presenter=self.presenter,
            attacher=self.attacher,
            supervisor=self.supervisor,
            guard=self.guard,
            platforms=platforms,
            folder=folder,
            files=files,
        )

    def console_chat(
        self, chat: str, folder: Path, write: Callable[[str], None], *, bold: bool = False
    ) -> ConsoleChat:
        """The conversation of the person at the keyboard; `folder` gets the files, `bold`: where words can
        be."""
        from adapters.files.folder import FolderFiles
        from bot.delivery.shared_files import SharedFiles
        from bot.library.lifecycle import UPLOADS
        from bot.service.console import ConsoleChat
        from bot.wiring.platforms import console
        from core.domain.journal import ChatKey

        store = FolderFiles(folder)
        uploads = self.uploads(store, folder / UPLOADS)
        platform = console(self.clock, chat, sys.stdin, write, bold=bold)
        notifying = self.notifying_on({platform.name: platform}, folder, SharedFiles(store))
        key = ChatKey(platform=platform.name, workspace="", chat=chat)
        return ConsoleChat(
            platform=platform,
            conversation=self.conversation(folder, uploads),
            uploads=uploads,
            journal=self.journal,
            warm_up=self.questions.warm_up,
            news=partial(notifying.news, key),
            chat=chat,
        )
