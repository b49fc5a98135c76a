"""Threads hear of quotes that have changed: the right ones, once, and nobody else."""

import itertools
import random
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.database.corrections import SqlCorrections
from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from adapters.files.folder import FolderFiles
from bot.chat.guard import Guard
from bot.delivery.sender import OutboxSender
from bot.delivery.shared_files import SharedFiles
from bot.service.corrections import CorrectedAnswers, Correcting, CorrectionRound, Told
from bot.settings.platforms import ChatSettings
from bot.wiring.composition import Composition
from core.answering.reports.corrections import Rechecker
from core.domain.answers import Verdict
from core.domain.documents import VersionStatus
from core.domain.ids import TraceId
from core.domain.journal import ChatKey, ChatState, OutgoingReply, Pseudonyms
from core.domain.messages import Capabilities, Exposure, MessageRef, Outgoing
from core.domain.records import AnswerRecord, CitationRecord, Recheck
from core.domain.rich_text import Block, Style
from core.errors import Unavailable
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from tests.support.databases import sqlite_url
from tests.support.fake_journal import KEY
from tests.support.fake_platform import NO_FILES, FakePlatform
from tests.support.fake_stage import EVERYTHING
from tests.support.journal_examples import record
from tests.support.world import NOW, World

CHATS = (
    ChatSettings(id="public-room"),
    ChatSettings(id="other-room"),
    ChatSettings(id="staff-room", audience="staff", collections=("public", "internal")),
)
OLD = """Wohnen

Wir bauen jedes Jahr 4.000 neue Wohnungen in den Städten am Fluss. Die Mieten sollen nicht schneller
steigen als die Löhne. Jede Brücke über die Ufer bekommt einen Radweg aus Eichenholz."""
BRIDGE = "Jede Brücke über die Ufer bekommt einen Radweg aus Eichenholz."
HOMES = "Wir bauen jedes Jahr 4.000 neue Wohnungen in den Städten am Fluss."
RENTS = "Die Mieten sollen nicht schneller steigen als die Löhne."
MORE_HOMES = OLD.replace("4.000", "6.000")
MOVED = "Vorwort\n\nEin Vorwort steht jetzt vor allem anderen in diesem Programm.\f" + OLD
WITHOUT_BRIDGE = OLD.replace(BRIDGE, "Fähren ersetzen jede Brücke über die Ufer.")


@dataclass
class Rooms:
    """A platform that only says who reads along."""

    name: str = "console"
    capabilities: Capabilities = EVERYTHING
    exposures: list[Exposure | None] = field(default_factory=list)

    def length(self, text: Block) -> int:
        return len(text)

    async def exposure(self, _ref: MessageRef) -> Exposure:
        found = self.exposures.pop(0) if self.exposures else Exposure(closed=True, direct=False)
        if found is None:
            raise Unavailable("platform.unavailable", "no answer")
        return found


@dataclass
class Scene:
    """A world, its rooms, and what is told in them."""

    world: World
    app: Composition
    folder: Path
    rooms: Rooms = field(default_factory=Rooms)
    numbers: itertools.count = field(default_factory=lambda: itertools.count(1))  # type: ignore[type-arg]

    def correcting(self, *, per_hour: int = 6) -> Correcting:
        return Correcting(
            library=self.app.library,
            corrections=self.app.corrections,
            journal=self.app.journal,
            clock=self.app.clock,
            presenter=self.app.presenter,
            attacher=self.app.attacher,
            supervisor=self.app.supervisor,
            guard=Guard(CHATS, ()),
            platforms={"console": self.rooms},  # type: ignore[dict-item]
            folder=self.folder / "outgoing",
            files=SharedFiles(FolderFiles(self.folder)),
            per_hour=per_hour,
        )

    async def add(self, file: str, text: str, **fields: object) -> None:
        """A document of a page per form feed, whose bytes are its text."""
        self.world.originals.contents[file] = text
        receipt = await self.world.add(file, *text.split("\f"), title="Uferprogramm", **fields)
        assert receipt.error is None

    async def answered(
        self, *quotes: str, chat: str = "public-room", thread: str | None = None, file: str = "ufer.pdf"
    ) -> TraceId:
        """An answer with these quotes, shown in a chat two hours ago; with no chat it is shown nowhere."""
        number = next(self.numbers)
        citations = tuple(
            [await self.citation(f"S{n}", quote, file) for n, quote in enumerate(quotes, start=1)]
        )
        trace = TraceId(f"t{number:04}")
        at = NOW - timedelta(hours=2)
        await self.app.journal.record(record(trace, at=at, citations=citations, language="de"))
        if chat:
            ref = MessageRef(platform="console", workspace="", chat=chat, thread=thread, message=f"q{number}")
            part = Outgoing(key=f"answer-{number}", to=ref, text="…")
            await self.app.journal.enqueue([OutgoingReply(parts=(part,), trace=trace)], at=at)
            await self.sent()
        return trace

    async def citation(self, label: str, quote: str, file: str) -> CitationRecord:
        document = next(item for item in await self.app.library.documents() if item.key == file)
        versions = await self.app.library.versions(document.id)
        version = next(item for item in versions if item.status is VersionStatus.ACTIVE)
        pages = [page async for page in self.app.library.pages(version.id)]
        found = align(quote, DocumentIndex(pages))
        assert found.verdict is Verdict.VERBATIM
        assert found.quote is not None
        (base,) = record().citations
        return replace(
            base,
            label=label,
            document=document.id,
            title=document.fields.title,
            version=version.id,
            spans=found.quote.spans,
            quote=found.quote.text,
        )

    async def sent(self) -> list[Outgoing]:
        """Send all that is due."""
        parts = []
        while (item := await self.app.journal.claim_part("console", at=self.app.clock.now())) is not None:
            parts.append(item.part)
            await self.app.journal.sent(item, [f"a-{item.id}"], at=NOW - timedelta(hours=2))
        return parts

    async def changes_to(self, text: str, file: str = "ufer.pdf") -> None:
        """An hour later the document reads so."""
        self.world.clock.at += timedelta(hours=1, minutes=1)
        await self.add(file, text)

    async def told(self, **limits: int) -> list[Outgoing]:
        """What is said of changes; not the answers that say of themselves that they were corrected."""
        await self.correcting(**limits).round()
        return new_ones(await self.sent())


@pytest.fixture(params=["fake", "sqlite"])
async def scene(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Scene]:
    if request.param == "fake":
        world = await World().with_registry()
        made = Scene(world, world.app, tmp_path)
        await made.add("ufer.pdf", OLD)
        yield made
        return
    database = await Database.open(sqlite_url(tmp_path / "scene.db"))
    journal = SqlJournal(database, Pseudonyms(KEY))
    world = World(library=SqlLibrary(database), journal=journal)  # type: ignore[arg-type]
    app = replace(world.app, corrections=SqlCorrections(database))
    made = Scene(world, app, tmp_path)
    await made.add("ufer.pdf", OLD)
    yield made
    await database.close()


def new_ones(parts: Sequence[Outgoing]) -> list[Outgoing]:
    """Parts that are messages of their own."""
    return [part for part in parts if part.replaces is None]


def texts(parts: Sequence[Outgoing]) -> str:
    return "\n".join(part.text for part in parts)


async def outcomes(found: CorrectionRound) -> list[tuple[Recheck, Told]]:
    return [(item.found.outcome, item.told) for item in found.corrections]


class TestWhatIsTold:
    async def test_a_quote_that_changed_with_what_it_says_now(self, scene: Scene) -> None:
        await scene.answered(HOMES, RENTS, thread="th1")
        await scene.add("ufer.pdf", MORE_HOMES)
        parts = await scene.told()
        text = texts(parts)
        assert "Uferprogramm, Fassung vom " in text
        assert HOMES in text
        assert HOMES.replace("4.000", "6.000") in text
        assert RENTS not in text
        assert {part.to.thread for part in parts} == {"th1"}
        drawn = {(mark.style, part.text[mark.start : mark.end]) for part in parts for mark in part.marks}
        assert {(Style.STRUCK, "4.000"), (Style.BOLD, "6.000")} <= drawn
        (page,) = [file for part in parts for file in part.files]
        assert "6.000" in (scene.folder / page.path).read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("1,5 Prozent", "15 Prozent"),
            ("100 €", "100 %"),
            ("höchstens <= 5 Jahre", "höchstens >= 5 Jahre"),
            ("-5 Grad", "5 Grad"),
            ("10–20 Tage", "1020 Tage"),
            ("20 m²", "20 m"),
        ],
    )
    async def test_a_sign_that_changed(self, scene: Scene, before: str, after: str) -> None:
        texts = [
            f"Für alle Wohnungen am Fluss gilt der Wert {each} und sonst nichts." for each in (before, after)
        ]
        await scene.add("signs.pdf", texts[0])
        await scene.answered(texts[0], file="signs.pdf")
        await scene.add("signs.pdf", texts[1])
        (found,) = (await scene.correcting().round()).corrections
        assert found.found.outcome is Recheck.CHANGED
        assert found.found.reading == texts[1]

    async def test_the_old_answer_says_that_it_was_corrected(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES, thread="th1")
        (shown,) = await scene.app.journal.posted(trace)
        await scene.add("ufer.pdf", MORE_HOMES)
        await scene.correcting().round()
        (edited,) = [part for part in await scene.sent() if part.replaces]
        assert (edited.replaces, edited.to.thread) == (shown.ref.message, "th1")
        assert edited.text.startswith("Berichtigt: Das Zitat aus Uferprogramm, S. ")
        assert HOMES in edited.text, "what it said still stands"
        assert await scene.app.journal.posted(trace) == [shown]

    async def test_an_answer_that_an_administrator_deleted_is_not_posted_anew(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES, thread="th1")
        (shown,) = await scene.app.journal.posted(trace)
        await scene.add("ufer.pdf", MORE_HOMES)
        await scene.correcting().round()
        platform = FakePlatform(name="console", can=EVERYTHING)
        sender = OutboxSender(
            platform, scene.app.journal, scene.app.clock, Guard(CHATS, ()), NO_FILES, scene.app.presenter
        )
        sender.stop()
        await sender.run()
        assert platform.texts("public-room") != [], "what has changed is told"
        assert [part for part in platform.posts if part.replaces == shown.ref.message] == []

    async def test_an_answer_that_quotes_what_the_chat_may_not_see_any_more_stays_as_it_is(
        self, scene: Scene
    ) -> None:
        await scene.add("inner.pdf", OLD.replace("Radweg", "Zaun"), collection="internal")
        fence = BRIDGE.replace("Radweg", "Zaun")
        trace = await scene.answered(HOMES, chat="staff-room")
        first = await scene.app.journal.answer(trace)
        assert first is not None
        both = (*first.citations, await scene.citation("S2", fence, "inner.pdf"))
        (posted,) = await scene.app.journal.posted(trace)
        await scene.add("ufer.pdf", MORE_HOMES)
        answers = CorrectedAnswers(scene.app.library, scene.app.presenter)
        for collections, edits in ((("public", "internal"), True), (("public",), False)):
            edited = await answers.edited(
                replace(first, citations=both), [], posted.ref, scene.rooms,  # type: ignore[arg-type]
                language="de", key="k", chat=ChatSettings(id="r", audience="staff", collections=collections),
            )  # fmt: skip
            assert (edited is not None) is edits

    async def test_a_quote_among_many_alike_with_its_own_sentence(self, scene: Scene) -> None:
        things = ("Schulen", "Brücken", "Radwege", "Gärten")
        text = " ".join(
            f"{thing} sind uns wichtig. Wir werden {100 + number} {thing} bis 2031 sanieren und auf Qualität"
            f" achten. Danach prüfen wir die Ergebnisse mit den {thing}-Beiräten."
            for number, thing in enumerate(things)
        )
        await scene.add("alike.pdf", text)
        was = "Wir werden 101 Brücken bis 2031 sanieren und auf Qualität achten."
        await scene.answered(was, file="alike.pdf")
        await scene.add("alike.pdf", text.replace("101", "250"))
        (found,) = (await scene.correcting().round()).corrections
        assert found.found.reading == was.replace("101", "250")

    async def test_a_sentence_that_still_stands_is_not_struck(self, scene: Scene) -> None:
        await scene.answered(f"{HOMES} {RENTS}")
        await scene.add("ufer.pdf", f"{RENTS}\n\nWohnen\n\n{HOMES.replace('4.000', '6.000')} {BRIDGE}")
        drawn = [
            (mark.style, part.text[mark.start : mark.end])
            for part in await scene.told()
            for mark in part.marks
        ]
        struck = " ".join(text for style, text in drawn if style is Style.STRUCK)
        assert "4.000" in struck
        assert "Mieten" not in struck

    async def test_what_it_says_now_begins_at_its_sentence_and_not_at_a_heading(self, scene: Scene) -> None:
        await scene.add("museum.pdf", f"Diese Partei ist erfunden.\n\nEintritt\n\n{HOMES}")
        await scene.answered(f"Diese Partei ist erfunden. [...] {HOMES}", file="museum.pdf")
        now = HOMES.replace("4.000", "6.000")
        await scene.add("museum.pdf", f"Eintritt\n\n{now}")
        (found,) = (await scene.correcting().round()).corrections
        assert found.found.reading == now

    async def test_an_answer_that_cannot_be_looked_at_keeps_no_other_waiting(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bad = await scene.answered(HOMES)
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        plain = Rechecker.recheck

        async def failing(rechecker: Rechecker, record: AnswerRecord, *given: Any) -> Any:
            if record.trace == bad:
                raise OSError(5, "Input/output error")
            return await plain(rechecker, record, *given)

        monkeypatch.setattr(Rechecker, "recheck", failing)
        correcting = scene.correcting()
        assert [told for _, told in await outcomes(await correcting.round())] == [Told.SENT]
        assert scene.app.supervisor.failures["corrections"] == 1
        assert (await correcting.round()).corrections == ()
        assert scene.app.supervisor.failures["corrections"] == 1  # it rests

    async def test_a_quote_that_is_gone_with_the_closest_words(self, scene: Scene) -> None:
        await scene.answered(BRIDGE)
        await scene.add("ufer.pdf", WITHOUT_BRIDGE)
        text = texts(await scene.told())
        assert "nicht mehr im Dokument" in text
        assert BRIDGE in text
        assert "Fähren ersetzen jede Brücke" in text

    async def test_a_quote_that_moved_is_noted_in_silence(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES)
        await scene.add("ufer.pdf", MOVED)
        assert await scene.told() == []
        kept = await scene.app.journal.answer(trace)
        assert kept is not None
        (citation,) = kept.citations
        assert citation.pages == (2,)
        version = await scene.app.library.version(citation.version)
        assert version is not None
        assert version.number == 2

    async def test_nothing_where_the_same_bytes_are_read_anew(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES)
        scene.world.pdf.documents["ufer.pdf"] = scene.world.pdf.documents["ufer.pdf"]
        scene.world.ingester.pipeline = "another"
        receipt = await scene.world.add("ufer.pdf", WITHOUT_BRIDGE.replace("4.000", "4 000"))
        assert receipt.error is None
        assert await scene.told() == []
        assert await scene.told() == []
        assert await scene.app.journal.answer(trace) is not None


class TestHowOften:
    async def test_each_is_told_once(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        assert await scene.told()
        assert await scene.told() == []

    async def test_another_version_that_says_the_same_is_no_news(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        await scene.told()
        await scene.add("ufer.pdf", MORE_HOMES.replace("Eichenholz", "Buchenholz"))
        assert await scene.told() == []

    async def test_another_change_is_told_again(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        await scene.told()
        await scene.add("ufer.pdf", OLD.replace("4.000", "8.000"))
        assert "8.000" in texts(await scene.told())

    async def test_words_that_come_back_are_told(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        await scene.told()
        await scene.add("ufer.pdf", OLD + " Ein Nachwort steht am Ende von allem.")
        assert "lautet wieder so" in texts(await scene.told())
        assert await scene.told() == []

    async def test_two_processes_tell_it_once(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        first, second = scene.correcting(), scene.correcting()
        rounds = [await first.round(), await second.round()]
        assert [await outcomes(found) for found in rounds] == [[(Recheck.CHANGED, Told.SENT)], []]

    async def test_a_thread_hears_of_several_in_one_message_of_each_change_once(self, scene: Scene) -> None:
        for quote in (HOMES, HOMES, HOMES):
            await scene.answered(quote)
        await scene.answered(HOMES, chat="other-room")
        await scene.add("ufer.pdf", MORE_HOMES)
        parts = [part for part in await scene.told() if part.text]
        assert [(part.to.chat, part.text.count("6.000")) for part in parts] == [
            ("public-room", 1),
            ("other-room", 1),
        ]

    async def test_a_chat_hears_so_many_messages_in_an_hour(self, scene: Scene) -> None:
        for number in range(3):
            await scene.answered(HOMES, thread=f"th{number}")
        await scene.add("ufer.pdf", MORE_HOMES)
        correcting = scene.correcting(per_hour=2)
        assert [told for _, told in await outcomes(await correcting.round())] == [
            Told.SENT,
            Told.SENT,
            Told.WAITS,
        ]
        assert (await correcting.round()).corrections == ()
        assert [told for _, told in await outcomes(await scene.correcting(per_hour=3).round())] == [Told.SENT]


class TestVersionsThatComeBack:
    async def test_who_heard_of_the_change_hears_that_it_is_undone(self, scene: Scene) -> None:
        await scene.answered(HOMES, RENTS)
        await scene.changes_to(MORE_HOMES)
        assert "6.000" in texts(await scene.told())
        await scene.changes_to(OLD)
        text = texts(await scene.told())
        assert "lautet wieder so" in text
        assert HOMES in text
        assert RENTS not in text
        assert await scene.told() == []

    async def test_what_was_quoted_in_between_is_corrected(self, scene: Scene) -> None:
        await scene.changes_to(MORE_HOMES)
        await scene.answered(HOMES.replace("4.000", "6.000"))
        await scene.changes_to(OLD)
        text = texts(await scene.told())
        assert "hat sich geändert" in text
        assert HOMES in text
        assert await scene.told() == []

    async def test_each_time_it_is_told_once(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        for text, heard in ((MORE_HOMES, "6.000"), (OLD, "4.000"), (MORE_HOMES, "6.000"), (OLD, "4.000")):
            await scene.changes_to(text)
            (part,) = [part for part in await scene.told() if part.text]
            assert f"jedes Jahr {heard}" in part.text.rsplit("S. ", 1)[1]
            assert await scene.told() == []

    async def test_what_nobody_heard_of_needs_no_second_word(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        key = ChatKey(platform="console", workspace="", chat="public-room")
        await scene.app.journal.save_chat_state(key, ChatState(corrections=False), at=NOW)
        await scene.changes_to(MORE_HOMES)
        assert await scene.told() == []
        await scene.app.journal.save_chat_state(key, ChatState(), at=NOW)
        await scene.changes_to(OLD)
        assert await scene.told() == []
        assert await scene.correcting().round() == CorrectionRound(kept=0, corrections=())

    async def test_nor_does_what_was_undone_before_anybody_looked(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.changes_to(MORE_HOMES)
        await scene.changes_to(OLD)
        assert await scene.told() == []

    async def test_limits_count_every_message(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        for text in (MORE_HOMES, OLD):
            scene.world.clock.at += timedelta(minutes=1)
            await scene.add("ufer.pdf", text)
            assert await scene.told(per_hour=2)
        scene.world.clock.at += timedelta(minutes=1)
        await scene.add("ufer.pdf", MORE_HOMES)
        found = await scene.correcting(per_hour=2).round()
        assert await outcomes(found) == [(Recheck.CHANGED, Told.WAITS)]

    @pytest.mark.parametrize("seed", range(3))
    async def test_the_last_word_is_always_true(self, scene: Scene, seed: int) -> None:
        """A document that wanders between a few versions, looked at now and then, answers posted on the way:
        after every look each thread has last heard, or read, what the document says, and nothing twice."""
        chance = random.Random(seed)
        heard: dict[str, str] = {}
        homes = "4.000"
        for step in range(12):
            if chance.random() < 0.4:
                await scene.answered(HOMES.replace("4.000", homes), thread=f"th{step}")
                heard[f"th{step}"] = homes
            homes = chance.choice(["4.000", "6.000", "8.000"])
            await scene.changes_to(OLD.replace("4.000", homes))
            if chance.random() < 0.3:
                continue
            due = {thread for thread, said in heard.items() if said != homes}
            parts = [part for part in await scene.told(per_hour=1000) if part.text]
            assert sorted(str(part.to.thread) for part in parts) == sorted(due)
            assert all(f"jedes Jahr {homes}" in part.text for part in parts)
            heard = dict.fromkeys(heard, homes)
        assert heard


class TestWhoHears:
    async def test_nobody_whose_chat_has_switched_it_off(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        key = ChatKey(platform="console", workspace="", chat="public-room")
        await scene.app.journal.save_chat_state(key, ChatState(corrections=False), at=NOW)
        await scene.add("ufer.pdf", MORE_HOMES)
        assert await scene.told() == []
        await scene.app.journal.save_chat_state(key, ChatState(), at=NOW)
        assert await scene.told() == []

    async def test_the_thread_still_does_when_the_person_is_forgotten(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES)
        kept = await scene.app.journal.answer(trace)
        assert kept is not None
        assert kept.person is not None
        await scene.app.journal.forget(kept.person, private_chat=None, at=NOW)
        await scene.add("ufer.pdf", MORE_HOMES)
        assert "6.000" in texts(await scene.told())

    async def test_a_forgotten_private_chat_does_not(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES)
        kept = await scene.app.journal.answer(trace)
        assert kept is not None
        key = ChatKey(platform="console", workspace="", chat="public-room")
        await scene.app.journal.forget(kept.person, private_chat=key, at=NOW)  # type: ignore[arg-type]
        await scene.add("ufer.pdf", MORE_HOMES)
        assert await scene.told() == []

    async def test_a_chat_that_may_not_see_the_document_any_more_does_not(self, scene: Scene) -> None:
        await scene.add("intern.pdf", OLD, collection="internal")
        await scene.answered(HOMES, file="intern.pdf", chat="public-room")
        await scene.answered(HOMES, file="intern.pdf", chat="staff-room")
        await scene.add("intern.pdf", MORE_HOMES, collection="internal")
        assert {part.to.chat for part in await scene.told()} == {"staff-room"}

    async def test_an_inner_chat_waits_until_it_is_known_to_be_closed(self, scene: Scene) -> None:
        await scene.answered(HOMES, chat="staff-room")
        await scene.add("ufer.pdf", MORE_HOMES)
        scene.rooms.exposures = [None, Exposure(closed=False, direct=False, why_open="chat.public")]
        assert await scene.told() == []
        assert await scene.told() == []
        assert await scene.told()

    async def test_an_answer_that_may_still_be_on_its_way_waits(self, scene: Scene) -> None:
        trace = await scene.answered(HOMES, chat="")
        kept = await scene.app.journal.answer(trace)
        assert kept is not None
        await scene.app.journal.record(replace(kept, at=NOW - timedelta(minutes=5)))
        await scene.add("ufer.pdf", MORE_HOMES)
        assert (await scene.correcting().round()).corrections == ()
        ref = MessageRef(platform="console", workspace="", chat="public-room", thread=None, message="q")
        part = Outgoing(key="late", to=ref, text="…")
        await scene.app.journal.enqueue([OutgoingReply(parts=(part,), trace=trace)], at=NOW)
        await scene.sent()
        assert "6.000" in texts(await scene.told())

    async def test_a_dry_run_tells_nobody(self, scene: Scene) -> None:
        await scene.answered(HOMES)
        await scene.add("ufer.pdf", MORE_HOMES)
        found = await scene.correcting().round(dry_run=True)
        assert await outcomes(found) == [(Recheck.CHANGED, Told.SENT)]
        assert await scene.sent() == []
        assert await scene.told()


@pytest.mark.parametrize(("answers", "changes"), [(60, 6), pytest.param(500, 40, marks=pytest.mark.slow)])
async def test_every_change_is_told_once_and_nothing_else(scene: Scene, answers: int, changes: int) -> None:
    """A document of as many sentences as answers: some change by a word or a figure, some go, all others are
    shuffled over other pages."""
    chance = random.Random(answers)
    sentences = [sentence(number, chance) for number in range(answers)]
    await scene.add("lang.pdf", laid_out(sentences))
    for number, each in enumerate(sentences):
        await scene.answered(each, file="lang.pdf", thread=f"th{number % 20}")
    hit = set(chance.sample(range(answers), changes))
    now = [changed(each, number) if number in hit else each for number, each in enumerate(sentences)]
    chance.shuffle(now)
    await scene.add("lang.pdf", laid_out([each for each in now if each]))
    correcting = scene.correcting(per_hour=1000)
    found = await correcting.round()
    assert {item.told for item in found.corrections} == {Told.SENT}
    assert sorted(item.found.was.quote for item in found.corrections) == sorted(
        sentences[number] for number in hit
    )
    assert found.kept == answers - changes
    said = texts(new_ones(await scene.sent()))
    assert sum(said.count(sentences[number]) for number in hit) == changes
    assert await correcting.round() == CorrectionRound(kept=0, corrections=())
    assert await scene.sent() == []


THINGS = ["Brücken", "Wege", "Schulen", "Bäder", "Gärten", "Häuser", "Mühlen", "Märkte", "Wälder", "Boote"]
PLACES = [
    "Hochau",
    "Seemoor",
    "Unterfurt",
    "Bergloh",
    "Wiesental",
    "Rauhenstein",
    "Altenkirch",
    "Niederbrunn",
]
WAYS = ["erneuern", "bauen", "sanieren", "öffnen", "pflegen", "schützen", "verkaufen", "vermieten"]


def sentence(number: int, chance: random.Random) -> str:
    word = "".join(chance.choices("bdfgklmnprstvw", k=3)) + "au" + "".join(chance.choices("lmnrst", k=2))
    thing, place, way = chance.choice(THINGS), chance.choice(PLACES), chance.choice(WAYS)
    return f"Im Bezirk {word.title()} von {place} werden wir {number + 20} {thing} bis 2031 {way} lassen."


def changed(text: str, number: int) -> str:
    """Another figure, a negation, another word, or nothing."""
    kinds = (
        text.replace("2031", "2035"),
        text.replace("werden wir", "werden wir nicht"),
        re.sub(r"\w+ lassen", "abreißen lassen", text),
        "",
    )
    return kinds[number % 4]


def laid_out(sentences: Sequence[str]) -> str:
    """Pages of twelve sentences."""
    pages = [sentences[start : start + 12] for start in range(0, len(sentences), 12)]
    return "\f".join("\n\n".join(" ".join(page[at : at + 4]) for at in range(0, 12, 4)) for page in pages)
