"""The composition root: everything that a process can be asked to do, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from bot.settings.tree import Settings
from bot.wiring.answer_services import AnswerServices
from core.errors import Broken, Refused
from core.language import identification
from core.ports.models import LanguageModel

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from bot.chat.uploads import UploadQueue
    from bot.delivery.delivery import Delivery
    from bot.delivery.inline import ChatsFirst
    from bot.delivery.several import Several
    from bot.http.tokens import Entry, Rates
    from bot.mcp.tools import Tools
    from bot.service.announcements import Announcer
    from bot.service.backups import Backups
    from bot.service.corrections import Correcting
    from bot.service.diagnosis import LibraryChecks, RunningBot
    from bot.service.schedule import Tidying
    from bot.service.serving import Recurring, Server
    from bot.service.serving_lease import ServingRole
    from bot.service.standing import Lookout, Measures
    from bot.service.subscriptions import Notifying
    from bot.service.surfaces import ChatSurfaces
    from core.library.formats import Report
    from core.ports.chat import ChatPlatform, InlineLane
    from core.ports.models import TalkReader

Chosen = TypeVar("Chosen")
Choice = Callable[["Composition"], Chosen]
"""Selects the services that a caller uses."""

Metered = Callable[[LanguageModel], LanguageModel]
"""Returns a model whose calls are counted."""

SHARED = (
    "data",
    "database_url",
    "qdrant",
    "files",
    "encoders",
    "pdf",
    "ocr",
    "clamav",
    "plugins",
    "retention",
)
"""Settings of what exists once per process: stores, encoders, and file readers."""

MODELS = ("llm", "rerank", "answer", "privacy")
"""Settings of the models that answer."""


class Composition(AnswerServices):
    """All services, down to the chats and the server. It stays in this room: callers state a `Choice`, and
    only what that takes is passed on."""

    @asynccontextmanager
    async def beside(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AsyncIterator[Chosen]:
        """Services with other `settings` over the same stores and encoders; `metered` puts a meter on their
        model. Raises Broken("serve.other_settings") if the stores or encoders themselves differ."""
        from bot.wiring.index import address_of, moved_to
        from bot.wiring.models import Ledger, judging_model, language_model

        if settings == self.settings and metered is None:
            yield chosen(self)
            return
        for name in SHARED:
            own, other = getattr(self.settings, name), getattr(settings, name)
            if name == "qdrant" and not own.url and address_of(other.url) in ("", moved_to(self.settings)):
                continue  # it says how to reach no server, or where the index is by now
            if own != other:
                detail = f"the running bot has other settings under {name}; leave them out, or stop it first"
                raise Broken("serve.other_settings", detail)
        changed: dict[str, Any] = {"settings": settings, "registry": self.scoping.registry}
        ledger = Ledger(self.processes, self.clock) if self.processes else None
        async with AsyncExitStack() as stack:
            if metered or any(getattr(settings, name) != getattr(self.settings, name) for name in MODELS):
                model = language_model(settings, self.metrics.model_called, ledger)
                if model is not None:
                    stack.push_async_callback(model.close)
                changed |= self._models(settings, metered(model) if model and metered else model)
                judge = judging_model(settings, self.metrics.model_called, ledger)
                if judge is not None:
                    stack.push_async_callback(judge.close)
                changed |= {"judging_model": metered(judge) if judge and metered else judge}
            yield chosen(replace(self, **changed, registry_changed=self.registry_has_changed))

    def _models(self, settings: Settings, model: LanguageModel | None) -> dict[str, Any]:
        """The models that answer, apart from the encoders."""
        from bot.wiring.models import packaged_reader, reranker

        models = settings.data / "models"
        reader = packaged_reader(settings, self.primary, models)
        return {
            "model": model,
            "reranker": reranker(settings),
            "reader": None if settings.answer.reader == "off" else reader,
        }

    @cached_property
    def library_checks(self) -> LibraryChecks:
        from bot.service.diagnosis import LibraryChecks

        return LibraryChecks(
            documents=self.documents,
            questions=self.questions,
            references=self.references,
            reindexing=self.reindexing,
            upkeep=self.upkeep,
            originals=self.originals,
            store=self.store,
        )

    async def move_index(self, url: str, report: Report | None = None) -> int:
        """See `bot.wiring.index.move_index`; to the server at `url`, reached according to the settings."""
        from bot.wiring.index import move_index

        qdrant = self.settings.qdrant.model_copy(update={"url": url})
        settings = self.settings.model_copy(update={"qdrant": qdrant})
        if self.following is not None:
            detail = "an index of other encoders is being made: have it answer first (`fundstelle reindex`)"
            raise Refused("move.under_way", detail)
        dimensions = self.primary.dimension, self.secondary.dimension
        place = self.generation.place if self.generation else ""
        return await move_index(settings, self.library, self.index, dimensions, place, report)

    @cached_property
    def platforms(self) -> dict[str, ChatPlatform]:
        from bot.delivery.several import elsewhere
        from bot.wiring.platforms import platforms

        found = platforms(self.settings, self.clock, self._talk_reader, self.inline_lane, self.chat_surfaces)
        if self.several is None or self.role.fronts:
            return found
        return elsewhere(found, self.several)

    def chat_surfaces(self) -> ChatSurfaces:
        """What Slack shows besides messages."""
        from bot.service.surfaces import ChatSurfaces

        return ChatSurfaces(
            guard=self.guard,
            documents=self.documents,
            library=self.library,
            corrections=self.corrections,
            links=self.links,
            presenter=self.presenter,
            journal=self.journal,
            clock=self.clock,
            prefix=f"/{self.settings.slack.command_prefix}fundstelle ",
        )

    @cached_property
    def chats_first(self) -> ChatsFirst:
        from bot.delivery.inline import ChatsFirst

        return ChatsFirst()

    @cached_property
    def inline_lane(self) -> InlineLane | None:
        """The lane for inline queries, if enabled; only in the process with the platform's session."""
        from bot.delivery.inline import QuietLane

        if not self.settings.telegram.inline or not self.role.fronts:
            return None
        quotes = self.inline_quotes
        return QuietLane(quotes.answer, quotes.busy, self.chats_first)

    @cached_property
    def role(self) -> ServingRole:
        """The role of this process; set before any part of it is built."""
        from bot.service.serving_lease import ServingRole

        return ServingRole.ALL

    @cached_property
    def several(self) -> Several | None:
        """This process among others on the same server; None beside SQLite."""
        from bot.delivery.several import Several
        from bot.wiring.clocks import SharedClock

        if self.processes is None or not isinstance(self.clock, SharedClock):
            return None
        return Several(
            processes=self.processes,
            calls=self.processes,
            leases=self.source_journal,
            files=self.shared_files,
            role=self.role,
            name=self.processes.name,
            set_clock=self.clock.set,
        )

    @cached_property
    def _talk_reader(self) -> TalkReader | None:
        from bot.wiring.models import talk_reader
        from core.question.followups import NamesAreAsked

        reader = talk_reader(self.settings, self.primary, self.settings.data / "models")
        return NamesAreAsked(reader, lambda: self.scoping.within(()).registry) if reader else None

    @cached_property
    def waiting_uploads(self) -> UploadQueue:
        """The uploads of all chats; with object storage, also those still waiting in the data folder."""
        from adapters.files.folder import FolderFiles
        from bot.library.lifecycle import UPLOADS

        data = self.settings.data
        queue = self.uploads(self.transit, data / UPLOADS)
        queue.earlier = FolderFiles(data) if self.settings.files.url else None
        if self.several is not None:
            queue.more = self.several.on(UPLOADS)
            queue.tell = partial(self.several.processes.tell, UPLOADS)
        return queue

    @cached_property
    def correcting(self) -> Correcting:
        from bot.service.corrections import Correcting

        return Correcting(
            library=self.library,
            corrections=self.corrections,
            journal=self.journal,
            clock=self.clock,
            presenter=self.presenter,
            attacher=self.attacher,
            supervisor=self.supervisor,
            guard=self.guard,
            platforms=self.platforms,
            folder=self.outgoing,
            files=self.shared_files,
            per_hour=self.settings.limits.corrections_per_hour,
        )

    @cached_property
    def notifying(self) -> Notifying:
        return self.notifying_on(self.platforms, self.outgoing, self.shared_files)

    @cached_property
    def backups(self) -> Backups:
        from bot.wiring.backups import backups_of

        return backups_of(self.settings, self.clock, self.store, self.index)

    @cached_property
    def delivery(self) -> Delivery:
        from bot.delivery.delivery import Delivery

        limits = self.settings.limits
        return Delivery(
            journal=self.journal,
            conversation=self.conversation(self.outgoing, self.waiting_uploads),
            platforms=self.platforms,
            clock=self.clock,
            files=self.shared_files,
            workers=limits.workers if self.role.answers else 0,
            several=self.several,
            fronts=self.role.fronts,
            max_waiting=limits.queue,
            supervisor=self.supervisor,
            metrics=self.metrics,
            new_trace=self.new_trace,
            chats_first=self.chats_first,
        )

    @cached_property
    def lookout(self) -> Lookout:
        from bot.service.standing import Lookout

        return Lookout(
            journal=self.journal,
            upkeep=self.upkeep,
            store=self.store,
            clock=self.clock,
            platforms=self.platforms,
            broken=self.delivery.broken,
            heard_at=self.delivery.heard_at,
            metrics=self.metrics,
        )

    @cached_property
    def running(self) -> RunningBot:
        from bot.service.diagnosis import RunningBot

        return RunningBot(self.library_checks, self.lookout)

    @cached_property
    def measures(self) -> Measures:
        from bot.service.standing import Measures

        return Measures(
            lookout=self.lookout,
            jobs=self.jobs,
            corrections=self.corrections,
            supervisor=self.supervisor,
            data=self.settings.data,
            pipeline=self.ingester.pipeline,
        )

    @cached_property
    def announcer(self) -> Announcer:
        from bot.service.announcements import Announcer

        return Announcer(
            self.library,
            self.presenter,
            self.journal,
            self.clock,
            self.shared_files,
            self.settings.chat,
            self.platforms,
        )

    def serving(self, role: ServingRole) -> Server:
        """What `serve` runs in a `role`. Raises Broken("serve.role") if only one process is possible."""
        from bot.service.serving_lease import ServingRole

        if role is not ServingRole.ALL and not (self.several and self.settings.qdrant.url):
            detail = (
                f"--role {role} is one of several processes, which need a database and an index on servers:"
                " set database_url to PostgreSQL (`fundstelle move` takes the library there) and [qdrant]"
                " url, or leave --role out (docs/operators/grow.md, Several processes)"
            )
            raise Broken("serve.role", detail)
        self.__dict__["role"] = role
        if self.several is not None:
            self.several.role = role
        return self.server

    @cached_property
    def server(self) -> Server:
        from bot.service.schedule import Schedule
        from bot.service.serving import Server
        from bot.service.serving_lease import ServingLease
        from bot.service.watches import LoopWatch
        from bot.wiring.platforms import signed_events

        settings = self.settings
        self.sources.tell = self.announcer.tell
        return Server(
            role=self.role,
            several=self.several,
            lease=ServingLease(self.source_journal),
            delivery=self.delivery,
            uploads=self.waiting_uploads,
            recurring=self._recurring(),
            library=self._library_work(),
            schedule=Schedule(
                self.sources,
                self.watcher,
                watch_s=settings.library.watch_s,
                supervisor=self.supervisor,
                clock=self.clock if self.several else None,
            ),
            measures=self.measures,
            watch=LoopWatch(self.metrics.lag.observe),
            warm_up=self._warm_up,
            events=signed_events(settings, self.platforms) if self.role.fronts else None,
            http=settings.http,
            mounts=self.http_mounts if self.role.answers else {},
            has_callers=self._has_callers,
            is_over=self.index_generations.is_over if self.index_generations else None,
        )

    @cached_property
    def rates(self) -> Rates:
        from bot.http.tokens import Rates

        return Rates(self.clock, self.journal.pseudonyms, self.processes)

    @cached_property
    def entry(self) -> Entry:
        from bot.http.tokens import Doorkeeper, Entry

        limits = self.settings.limits
        door = Doorkeeper(self.access, self.rates)
        chats = partial(self.chats_first.until, free=True)
        return Entry(limits.workers, limits.queue, chats, door=door, pseudonyms=self.journal.pseudonyms)

    @cached_property
    def mcp_tools(self) -> Tools:
        from bot.mcp.tools import Tools

        return Tools(
            questions=self.questions,
            comparisons=self.comparisons,
            documents=self.documents,
            presenter=self.presenter,
            pdf=self.pdf,
        )

    @cached_property
    def http_mounts(self) -> dict[str, ASGIApp]:
        """The applications beside health, by path."""
        from bot.answers.links import PATH
        from bot.http.api import Api
        from bot.http.pages import LinkedPages
        from bot.mcp.over_http import McpOverHttp

        api = Api(
            entry=self.entry,
            questions=self.questions,
            comparisons=self.comparisons,
            documents=self.documents,
            intake=self.intake,
            lifecycle=self.document_lifecycle,
            audit=self.audit,
            presenter=self.presenter,
            pdf=self.pdf,
            max_bytes=self.settings.pdf.max_megabytes * 1_000_000,
        )
        mounts: dict[str, ASGIApp] = {
            "/v1": api.application(),
            "/mcp": McpOverHttp(self.mcp_tools, self.entry),
        }
        if self.links.base:
            mounts[PATH] = LinkedPages(
                links=self.links,
                library=self.library,
                attacher=self.attacher,
                pdf=self.pdf,
                presenter=self.presenter,
                rates=self.rates,
                inside=frozenset(entry.partition(":")[0].lower() for entry in self.settings.library.intranet),
            ).application()
        return mounts

    async def _has_callers(self) -> bool:
        """Whether anybody may ask over HTTP."""
        return bool(await self.access.all())

    async def _warm_up(self) -> None:
        """Load the models that answer, and the reader of talk if there are threads."""
        await asyncio.to_thread(identification.load)
        if self.role.answers or self.role.keeps_library or self.inline_lane is not None:
            await self.questions.warm_up()
        if not self.role.fronts:
            return
        if self._talk_reader is not None and not {"slack", "matrix"}.isdisjoint(self.platforms):
            await self._talk_reader.warm_up()

    @cached_property
    def tidying(self) -> Tidying:
        from bot.service.schedule import Tidying

        return Tidying(
            journal=self.journal,
            clock=self.clock,
            store=self.transit,
            data=self.settings.data,
            term=self.settings.retention.terms.delivery,
        )

    def _recurring(self) -> list[Recurring]:
        """Recurring work that every process does for itself."""
        from bot.answers.example_questions import FOUND_EVERY_S
        from bot.service.schedule import EVERY_S
        from bot.service.serving import Recurring
        from bot.wiring import logs

        works = [
            Recurring("counts in the log", logs.REPEATS_S, logs.tell_repeats),
            Recurring("own files", EVERY_S, self.clock_watch.careful(self.tidying.here)),
        ]
        if self.role.answers:
            chats = [each.collections for each in self.settings.chat]
            found = partial(self.questions.examples.prepare, chats)
            works.append(Recurring("example questions", FOUND_EVERY_S, found))
        return works

    def _library_work(self) -> list[Recurring]:
        """Recurring work that one process does for all."""
        from bot.answers.records.recorder import PURGE_EVERY
        from bot.library import lifecycle, upkeep
        from bot.library.lifecycle import Keeper
        from bot.service import corrections as correcting
        from bot.service import schedule, subscriptions
        from bot.service.backups import CHECKED_EVERY_S
        from bot.service.serving import Recurring
        from bot.wiring.backups import scheduled_backups
        from core.library.completeness import COMPARED_EVERY_S

        keeper = Keeper(self.document_lifecycle, self.clock)
        careful = self.clock_watch.careful
        backups = scheduled_backups(self.settings, self.backups, self.library.collections, self.clock_watch)
        return [
            Recurring("backups", CHECKED_EVERY_S, backups.once),
            Recurring("retention", PURGE_EVERY.total_seconds(), self.recorder.purge_if_due),
            Recurring("corrections", correcting.EVERY_S, self.correcting.round),
            Recurring("subscriptions", subscriptions.EVERY_S, self.notifying.round),
            Recurring("collection", lifecycle.EVERY_S, keeper.once),
            Recurring("tidying", schedule.EVERY_S, careful(self.tidying.once)),
            Recurring("page links", PURGE_EVERY.total_seconds(), careful(self.links.purge)),
            Recurring(upkeep.REBUILDING, COMPARED_EVERY_S, self.upkeep.once),
            Recurring("keys", upkeep.KEYS_EVERY_S, self.keys_upkeep.once),
            Recurring("reindexing", upkeep.REINDEXED_EVERY_S, self.reindexing.once),
            *(
                [Recurring("other encoders", upkeep.NEXT_EVERY_S, generations.build)]
                if (generations := self.index_generations)
                else ()
            ),
        ]
