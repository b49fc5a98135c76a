"""Services for answering chats: the guard, the uploads and the conversation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.wiring.answer_services import AnswerServices

if TYPE_CHECKING:
    from bot.chat.conversation import Conversation
    from bot.chat.guard import Guard
    from bot.chat.receipts import Receipts
    from bot.chat.uploads import UploadQueue
    from bot.delivery.shared_files import SharedFiles
    from bot.service.console import ConsoleChat
    from bot.service.subscriptions import Notifying
    from core.ports.chat import ChatPlatform
    from core.ports.storage import FileStore


class ChatServices(AnswerServices):
    """Adds what is said in chats to the services that answer."""

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
                    LastAnswer(self.questions, pages, self.journal, offered),
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
                SettingCommands(self.documents, self.scoping, self.presenter, self.journal),
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
