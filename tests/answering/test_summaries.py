"""Summaries in the small world: fair shares, parts of a topic, silence, a model that writes, staleness."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.wording.summaries import as_answer
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import Extractor
from core.answering.generated.generation import GenerationSettings, Generator
from core.answering.generated.judge import Judge
from core.answering.reports.sides import FoundSentence, SideSearch
from core.answering.reports.summaries import (
    Freshness,
    Speaker,
    SummarySettings,
    SummaryWriter,
    is_sentence,
    shared_out,
    speakers_of,
)
from core.domain.documents import GLOBAL, DocumentType
from core.domain.scope import Missing, Scope
from core.domain.summaries import SourceChangeKind, Summary, SummaryDraft
from core.errors import Refused, Unavailable
from core.question.topic import parts_of
from core.search.scope import Group
from tests.support.bad_models import HABITS
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_model import FakeModel
from tests.support.fake_summaries import FakeSummaries
from tests.support.scripted_answers import Mode, Prompt
from tests.support.shown_answers import faults
from tests.support.world import REGISTRY, UFER_2025, FixedClock, World, populated

PUBLIC = Scope(collections=("public",))
WAGE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


def writer(world: World, model: FakeModel | None = None, quotes: int = 8) -> SummaryWriter:
    encoder = FakeEmbedder(64)
    generator = None
    if model is not None:
        limits = GenerationSettings(claims=quotes, retries=1)
        generator = Generator(
            model=model, judge=Judge(model), library=world.library, settings=limits, prompt="summary"
        )
    return SummaryWriter(
        searcher=world.app.searcher,
        library=world.library,
        sides=SideSearch(
            searcher=world.app.searcher,
            library=world.library,
            extractor=Extractor(encoder),
            threshold=world.threshold,
        ),
        clock=FixedClock(),
        count_tokens=encoder.count_tokens,
        settings=SummarySettings(quotes=quotes),
        generator=generator,
    )


def files(draft: SummaryDraft) -> list[str]:
    return [item.edition.document.file for item in draft.citations]


async def test_everybody_has_the_same_share_in_the_registrys_order() -> None:
    world = await populated()
    draft = await writer(world, quotes=9).write("Mindestlohn", scope=PUBLIC)
    assert files(draft) == sorted(files(draft), key=["ufer25.pdf", "wind25.pdf", "gebuehr_ho.pdf",
                                                       "gebuehr_se.pdf"].index)  # fmt: skip
    assert {"ufer25.pdf", "wind25.pdf"} <= set(files(draft))
    assert [claim.text for claim in draft.claims] == [item.quote.text for item in draft.citations]
    assert [item.label for item in draft.citations] == [f"S{n}" for n in range(1, len(draft.claims) + 1)]
    assert draft.answerer == "extractive"
    assert "intern.pdf" not in files(draft)
    assert "ufer21.pdf" not in files(draft)


async def test_what_is_quoted_stands_on_its_page() -> None:
    world = await populated()
    draft = await writer(world).write("Mindestlohn und Mieten", scope=PUBLIC)
    for item in draft.citations:
        page = await world.library.page(item.edition.version.id, item.quote.pages[0])
        assert page is not None
        (span,) = item.quote.spans
        assert " ".join(page.text[span.start : span.end].split()) == item.quote.text


async def test_every_part_of_a_topic_is_looked_up() -> None:
    world = await populated()
    draft = await writer(world).write("Mindestlohn und Mieten", scope=PUBLIC)
    (ufer,) = [item.quote.text for item in draft.citations if item.edition.document.file == "ufer25.pdf"]
    assert WAGE in ufer
    assert "Die Mieten werden für drei Jahre eingefroren." in ufer


async def test_scope_is_kept_and_what_is_missing_named() -> None:
    world = await populated()
    scope = Scope(collections=("public",), jurisdictions=("xv-ho",))
    assert "gebuehr_se.pdf" not in files(await writer(world).write("Anmeldung eines Hausboots", scope=scope))
    draft = await writer(world).write("Mindestlohn: Windmüller, Drachenflieger", scope=PUBLIC)
    assert Missing(kind="party", name="Drachenflieger") in draft.missing
    assert set(files(draft)) == {"wind25.pdf"}
    assert draft.scope.parties == ("Windmüller", "Drachenflieger")
    assert draft.topic.scope.parties == ()


async def test_a_chats_place_belongs_to_the_topic() -> None:
    world = await populated()
    draft = await writer(world).write("Hausboote", scope=PUBLIC, chat_jurisdiction="xv-ho")
    assert draft.topic.scope.jurisdictions == ("xv-ho",)
    assert "gebuehr_se.pdf" not in files(draft)


async def test_what_is_not_about_the_topic_is_left_out() -> None:
    world = await populated()
    draft = await writer(world).write("Mindestlohn", scope=PUBLIC)
    assert set(files(draft)) == {"ufer25.pdf", "wind25.pdf"}, "fees are no wages"
    draft = await writer(world).write("Mindestlohn bei Windmüllern und Uferpartei", scope=PUBLIC)
    assert set(files(draft)) == {"ufer25.pdf", "wind25.pdf"}


async def test_who_says_nothing_about_it_is_named() -> None:
    world = await populated()
    draft = await writer(world).write("Wasseramt", scope=PUBLIC)
    quoted = {party for item in draft.citations for party in item.edition.document.fields.parties}
    silent = [notice.values["name"] for notice in draft.notices if notice.key == "notice.group_silent"]
    assert "Uferpartei" not in quoted
    assert silent == [", ".join(name for name in ("Uferpartei", "Windmüller") if name not in quoted)]


@pytest.mark.parametrize("place", [None, GLOBAL])
async def test_a_paper_of_no_place_stands_beside_the_programme(place: str | None) -> None:
    """And with it: a party has no two shares."""
    world = await populated()
    paper = "Löhne\n\nEin Mindestlohn von 20 Talern in der Stunde ist unser Ziel für das nächste Jahrzehnt."
    await world.add("papier.pdf", paper, parties=("Uferpartei",), jurisdiction=place)
    draft = await writer(world).write("Mindestlohn", scope=PUBLIC)
    assert set(files(draft)) == {"ufer25.pdf", "papier.pdf", "wind25.pdf"}
    assert [notice.key for notice in draft.notices if "left" in notice.key or "without" in notice.key] == []
    few = await writer(world, quotes=2).write("Mindestlohn", scope=PUBLIC)
    said_by = [item.edition.document.fields.parties for item in few.citations]
    assert said_by == [("Uferpartei",), ("Windmüller",)]


async def test_who_has_programmes_for_other_places_only_is_named_once() -> None:
    world = await populated()
    for place in ("xv-ho", "xv-se"):
        await world.add(
            f"drachen_{place}.pdf", WAGE, parties=("Drachenflieger",), jurisdiction=place,
            doc_type=DocumentType.MANIFESTO,
        )  # fmt: skip
    draft = await writer(world).write("Mindestlohn", scope=PUBLIC)
    notices = {notice.key: notice.values["name"] for notice in draft.notices if "name" in notice.values}
    assert notices == {"notice.compared_elsewhere": "Drachenflieger"}


async def test_who_has_an_older_programme_only_is_not_silent_but_left_out() -> None:
    world = await populated()
    old = {"parties": ("Drachenflieger",), "jurisdiction": "xv", "valid_from": date(2013, 1, 1)}
    await world.add("drachen13.pdf", WAGE, doc_type=DocumentType.MANIFESTO, **old)
    draft = await writer(world).write("Mindestlohn", scope=PUBLIC)
    assert {"ufer25.pdf", "wind25.pdf"} == set(files(draft))
    notices = {notice.key: notice.values["name"] for notice in draft.notices if "name" in notice.values}
    assert notices == {"notice.compared_without_older": "Drachenflieger (2013)"}
    named = await writer(world).write("Mindestlohn: Drachenflieger", scope=PUBLIC)
    assert files(named) == ["drachen13.pdf"]


async def test_without_evidence_nothing_is_said() -> None:
    world = await populated(threshold=1.1)
    model = FakeModel()
    for made in (writer(world), writer(world, model)):
        draft = await made.write("Mondfahrt", scope=PUBLIC)
        assert (draft.claims, draft.citations, draft.confidence) == ((), (), 0.0)
    assert model.asked == []


@pytest.mark.parametrize(("name", "key"), [("  ", "info.empty"), ("x" * 201, "info.too_long")])
async def test_names_have_bounds(name: str, key: str) -> None:
    with pytest.raises(Refused) as caught:
        await writer(await populated()).write(name, scope=PUBLIC)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Mieten", []),
        ("Mieten, Löhne und Schulen", ["Mieten", "Löhne", "Schulen"]),
        ("rents, wages, and schools", ["rents", "wages", "schools"]),
        ("Land- und Forstwirtschaft", []),
        ("Was ist mit Mieten und Löhnen?", []),
        ("A und B", []),
        ("Sandburgen", []),
    ],
)
def test_a_list_has_parts(name: str, parts: list[str]) -> None:
    assert parts_of(name) == (parts or [name])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Der Mindestlohn steigt.", True),
        ("• Ausstieg aus der Kohle", True),
        ("die gesetzliche Einführung eines Mindestlohnes;", True),
        ("14. Die Stadt soll Vorbild sein: Mindestlohn für alle Bediensteten von 11 Euro", True),
        ("„Die Mieten steigen nicht.“", True),
        ("Wohnen, Stadtentwicklung & Bauwesen", False),
        ("8. Gutes Wohnen und bezahlbare Mieten", False),
        ("REDUZIERUNG VON ENERGIEPREISEN", False),
    ],
)
def test_headings_say_nothing(text: str, says: bool) -> None:
    assert is_sentence(text) == says


def found(count: int, sure: float = 0.9) -> tuple[Any, ...]:
    extract = Extract.__new__(Extract)
    return tuple(FoundSentence(extract=extract, confidence=sure - 0.01 * n) for n in range(count))


def speaker(party: bool) -> Speaker:
    group = Group(scope=PUBLIC, editions=())
    return Speaker(parties=("P",) if party else (), group=group)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 12)), max_size=12),
    st.integers(2, 30),
    st.randoms(use_true_random=False),
)
def test_shares_are_equal_and_do_not_depend_on_the_order(
    rows: list[tuple[bool, int]], quotes: int, random: Any
) -> None:
    speakers = [speaker(party) for party, _ in rows]
    lists = [found(count, 0.9 - 0.001 * n) for n, (_, count) in enumerate(rows)]
    shown = shared_out(lists, speakers, quotes)
    parties = sum(1 for party, count in rows if party and count)
    assert sum(map(len, shown)) <= max(quotes, parties)
    most = max(map(len, shown), default=0)
    for own, given_, one in zip(shown, lists, speakers, strict=True):
        assert own == given_[: len(own)]
        if one.parties:
            assert len(own) == min(most, len(given_)), "no party has less than it could"
    order = list(range(len(rows)))
    random.shuffle(order)
    again = shared_out([lists[n] for n in order], [speakers[n] for n in order], quotes)
    assert [shown[n] for n in order] == again


async def test_speakers_stand_in_the_registrys_order() -> None:
    world = await populated()
    editions = await world.library.editions(PUBLIC, on=date(2025, 6, 1))
    names = [speaker.name for speaker in speakers_of(editions, PUBLIC, REGISTRY)]
    assert names == ["Uferpartei", "Windmüller", "", ""]
    assert names == [each.name for each in speakers_of(editions[::-1], PUBLIC, REGISTRY)]


class TestModel:
    """A model writes the claims."""

    async def test_claims_are_written_from_everybodys_passages(self) -> None:
        world = await populated()
        model = FakeModel()
        draft = await writer(world, model).write("Mindestlohn", scope=PUBLIC)
        assert (draft.answerer, draft.prompt) == ("llm:fake", "summary@3")
        shown = model.asked[0][-1].text
        assert "ufer25" in shown
        assert "wind25" in shown
        assert "KANARIENVOGEL" not in "".join(m.text for m in model.asked[0])
        assert draft.citations

    async def test_parties_have_the_same_number_of_claims_at_most(self) -> None:
        world = await populated()
        await world.app.library.delete_document(
            (await world.app.documents.edition("gebuehr_ho.pdf")).document.id, at=FixedClock().now()
        )
        await world.app.library.delete_document(
            (await world.app.documents.edition("gebuehr_se.pdf")).document.id, at=FixedClock().now()
        )

        def says(prompt: Prompt, _: object) -> str:
            rows = [
                {"text": sentence, "label": "S1", "quote": sentence}
                for source in prompt.sources
                for sentence in source.text.replace("\n", " ").split(". ")
                if len(sentence) > 25
            ]
            return json.dumps({"claims": rows, "answerable": True})

        draft = await writer(world, FakeModel(answer=says), quotes=2).write("Mindestlohn", scope=PUBLIC)
        assert sorted(files(draft)) == ["ufer25.pdf", "wind25.pdf"]

    async def test_a_model_that_fails_leaves_the_quotes(self) -> None:
        world = await populated()
        for model in (FakeModel(error=Unavailable("model.down")), FakeModel(mode=Mode.INVENTED_QUOTES)):
            draft = await writer(world, model).write("Mindestlohn", scope=PUBLIC)
            assert draft.answerer == "extractive"
            assert WAGE in " ".join(claim.text for claim in draft.claims)
            keys = {notice.key for notice in draft.notices}
            assert keys & {"notice.model_unavailable", "notice.model_unverified"}

    async def test_internal_passages_go_to_approved_models_only(self) -> None:
        world = await populated()
        model = FakeModel()
        both = Scope(collections=("public", "internal"))
        draft = await writer(world, model).write("Mindestlohn", scope=both)
        assert model.asked == []
        assert "notice.model_not_approved" in {notice.key for notice in draft.notices}

    async def test_extractive_can_be_asked_for(self) -> None:
        world = await populated()
        model = FakeModel()
        draft = await writer(world, model).write("Mindestlohn", scope=PUBLIC, answerer="extractive")
        assert (draft.answerer, model.asked) == ("extractive", [])

    @pytest.mark.parametrize("habit", sorted(HABITS))
    async def test_nothing_unproven_is_kept(self, habit: str) -> None:
        world = await populated()
        draft = await writer(world, FakeModel(answer=HABITS[habit])).write("Mindestlohn", scope=PUBLIC)
        kept = await FakeSummaries(world.library).add(draft)
        assert await faults(as_answer(kept, "de"), world.library) == []


class TestFreshness:
    """Which summaries are out of date, and why."""

    async def kept(self, world: World, scope: Scope = PUBLIC, name: str = "Mindestlohn") -> Summary:
        return await world.app.summaries.summaries.add(await writer(world).write(name, scope=scope))

    async def changes(self, world: World, summary: Summary) -> dict[str, SourceChangeKind]:
        freshness = Freshness(world.library, FixedClock())
        changes = await freshness.changes(summary)
        (entry,) = [e for e in await world.app.summaries.list() if e.entry.id == summary.id]
        assert entry.stale == bool(changes)
        cited = {item.label: item.edition.document.file for item in summary.citations}
        assert all({cited[label] for label in each.labels} == {each.document.file} for each in changes)
        return {each.document.file: each.kind for each in changes}

    async def test_it_is_fresh_at_first(self) -> None:
        world = await populated()
        assert await self.changes(world, await self.kept(world)) == {}

    async def test_new_bytes_of_a_source(self) -> None:
        world = await populated()
        summary = await self.kept(world)
        manifesto = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO, "parties": ("Uferpartei",)}
        fields = {**manifesto, "valid_from": date(2025, 5, 1)}
        changed = UFER_2025.replace("15 Taler", "16 Taler")
        world.originals.contents["ufer25.pdf"] = "changed"
        await world.add("ufer25.pdf", changed, **fields)
        assert await self.changes(world, summary) == {"ufer25.pdf": SourceChangeKind.NEW_VERSION}
        world.originals.contents.clear()
        await world.add("ufer25.pdf", UFER_2025, **fields)
        assert await self.changes(world, summary) == {}, "the old bytes are back"

    async def test_a_newer_edition(self) -> None:
        world = await populated()
        summary = await self.kept(world)
        await world.add(
            "ufer25b.pdf",
            "Wohnen\n\nDer Mindestlohn steigt auf 18 Taler in der Stunde.",
            jurisdiction="xv",
            doc_type=DocumentType.MANIFESTO,
            parties=("Uferpartei",),
            valid_from=date(2025, 5, 20),
        )
        assert await self.changes(world, summary) == {"ufer25.pdf": SourceChangeKind.NEW_EDITION}

    async def test_a_removed_source(self) -> None:
        world = await populated()
        summary = await self.kept(world)
        await world.app.document_lifecycle.remove("wind25.pdf")
        assert await self.changes(world, summary) == {"wind25.pdf": SourceChangeKind.REMOVED}

    async def test_another_document_changes_nothing(self) -> None:
        world = await populated()
        summary = await self.kept(world)
        await world.app.document_lifecycle.remove("intern.pdf")
        await world.add("neu.pdf", "Parks\n\nIn allen Parks der Stadt stehen Bänke.", jurisdiction="xv")
        assert await self.changes(world, summary) == {}

    async def test_an_old_edition_that_was_asked_for_stays_fresh(self) -> None:
        world = await populated()
        old = (await world.app.documents.edition("ufer21.pdf")).document.id
        named = await self.kept(world, Scope(collections=("public",), documents=(old,)), "Mieten")
        assert set(files(named)) == {"ufer21.pdf"}
        assert await self.changes(world, named) == {}
        then = await self.kept(world, Scope(collections=("public",), as_of=date(2022, 1, 1)), "Mieten")
        assert "ufer21.pdf" in files(then)
        assert await self.changes(world, then) == {}
