"""What is said of cited texts that do not stand any more, or were changed."""

from dataclasses import replace
from datetime import date

import pytest

from core.answering.validity import Validity
from core.domain.answers import Answer, Notice
from core.domain.documents import DocumentType
from core.domain.pages import TextSource
from core.domain.scope import Scope
from tests.support.fake_pdf import text_reading
from tests.support.world import NOW, World, populated, request

PUBLIC = Scope(collections=("public",))
DUES = "Satzung\n\nDer Beitrag des Vereins beträgt 12 Taler im Monat und wird im Mai bezahlt."
ACT = """Harbour Act

1. Short title.
(1) This is the Harbour Act. It holds in every harbour of the country and on every jetty built in one.

2. Berths.
(1) A berth is needed by every boat that stays for longer than a night in a harbour of the country.

3. Fees.
(1) A fee of 40 pounds is paid for every berth each year to the harbour office of the place concerned.
"""
AMENDMENT = """Harbour Amendment Act

1. Short title.
(1) This is the Harbour Amendment Act, and it comes into force on the first day of the year after this one.

2. Amendment of section 3.
(1) In section 3 of the principal Act, for the words of the first sentence other words shall be put in.
"""


async def ask(world: World, question: str, scope: Scope = PUBLIC) -> Answer:
    return (await world.app.asker.answered(question, scope=scope)).answer


def of(answer: Answer, *keys: str) -> list[Notice]:
    return [notice for notice in answer.notices if notice.key in {f"notice.{key}" for key in keys}]


def standing(answer: Answer) -> list[Notice]:
    return of(
        answer,
        "superseded_edition",
        "replaced_edition",
        "text_changed",
        "amended",
        "amended_provision",
        "not_in_force_yet",
        "no_longer_in_force",
    )


async def harbour(**amendment: object) -> World:
    world = await World(threshold=0.0).with_registry()
    act = {"doc_type": DocumentType.ACT, "language": "en", "jurisdiction": "xv"}
    await world.add("act.pdf", ACT, valid_from=date(2000, 1, 1), **act)
    if amendment:
        stated = {"amends": "act.pdf", "valid_from": date(2024, 1, 1), **act, **amendment}
        await world.add("amendment.pdf", AMENDMENT, **stated)
    return world


async def test_what_stands_has_no_notice() -> None:
    answer = await ask(await populated(), "Was will die Uferpartei beim Mindestlohn?")
    assert standing(answer) == []
    assert standing(await ask(await harbour(), "How many pounds is the fee for a berth?")) == []


async def test_an_older_edition_names_the_newest() -> None:
    answer = await ask(await populated(), "Wie viele Wohnungen wollte die Uferpartei 2021 bauen?")
    (notice,) = standing(answer)
    assert notice.key == "notice.superseded_edition"
    assert notice.values == {"title": "ufer21", "other": "ufer25"}
    labels = {item.label for item in answer.citations if item.edition.document.file == "ufer21.pdf"}
    assert set(notice.labels) == labels


async def test_an_edition_that_has_ended_names_day_and_newest_at_once() -> None:
    world = await World(threshold=0.0).with_registry()
    stated = {"jurisdiction": "xv", "parties": ("Uferpartei",), "doc_type": DocumentType.MANIFESTO}
    text = "Wohnen\n\nWir bauen jedes Jahr 4.000 neue Wohnungen in den Städten am Fluss und am Meer."
    ended = date(2025, 4, 30)
    await world.add("alt.pdf", text, valid_from=date(2021, 5, 1), valid_to=ended, **stated)
    await world.add("neu.pdf", text, valid_from=date(2025, 5, 1), **stated)
    answer = await ask(world, "Wie viele Wohnungen wollte die Uferpartei 2021 bauen?")
    (notice,) = standing(answer)
    assert notice.key == "notice.replaced_edition"
    assert notice.values == {"title": "alt", "date": "2025-04-30", "other": "neu"}


async def test_a_newer_edition_that_the_chat_may_not_see_is_not_named() -> None:
    world = await World(threshold=0.0).with_registry()
    stated = {"jurisdiction": "xv", "parties": ("Uferpartei",), "doc_type": DocumentType.MANIFESTO}
    text = "Wohnen\n\nWir bauen jedes Jahr 4.000 neue Wohnungen in den Städten am Fluss und am Meer."
    await world.add("alt.pdf", text, valid_from=date(2021, 5, 1), **stated)
    await world.add("neu.pdf", text, valid_from=date(2025, 5, 1), collection="internal", **stated)
    assert standing(await ask(world, "Wie viele Wohnungen baut die Uferpartei?")) == []


async def test_an_earlier_text_of_the_same_document() -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("satzung.pdf", DUES)
    answer = await ask(world, "Wie hoch ist der Beitrag des Vereins?")
    world.originals.contents["satzung.pdf"] = "other bytes"
    await world.add("satzung.pdf", DUES.replace("12", "15"))
    (notice,) = await Validity(world.library, world.clock).notices(answer, NOW.date())
    assert (notice.key, notice.values) == ("notice.text_changed", {"title": "satzung", "date": "2025-06-01"})
    fresh = await ask(world, "Wie hoch ist der Beitrag des Vereins?")
    assert "15 Taler" in fresh.citations[0].quote.text
    assert standing(fresh) == []


async def test_the_provision_that_is_amended() -> None:
    world = await harbour(title="Harbour Amendment Act")
    answer = await ask(world, "How many pounds is the fee for a berth?")
    (notice,) = of(answer, "amended_provision", "amended")
    assert notice.key == "notice.amended_provision"
    assert notice.values == {"title": "act", "other": "Harbour Amendment Act"}
    fees = {item.label for item in answer.citations if "40 pounds" in item.quote.text}
    assert set(notice.labels) == fees != set()


@pytest.mark.parametrize(
    "amendment",
    [
        {"valid_from": date(2030, 1, 1)},
        {"valid_from": date(1999, 1, 1)},
        {"collection": "internal"},
        {"amends": "other.pdf"},
    ],
    ids=["to come", "older than the text", "not to be seen", "of another act"],
)
async def test_what_amends_nothing_here(amendment: dict[str, object]) -> None:
    answer = await ask(await harbour(**amendment), "How many pounds is the fee for a berth?")
    assert of(answer, "amended", "amended_provision") == []


@pytest.mark.parametrize(
    ("day", "said"), [(date(2024, 6, 1), 1), (date(2023, 6, 1), 0), (date(2031, 1, 1), 1)]
)
async def test_what_amends_on_the_day_asked_about(day: date, said: int) -> None:
    world = await harbour(title="Harbour Amendment Act")
    answer = await ask(world, "How many pounds is the fee for a berth?")
    answer = replace(answer, scope=replace(answer.scope, as_of=day))
    notices = await Validity(world.library, world.clock).notices(answer, NOW.date())
    assert len(of(replace(answer, notices=notices), "amended", "amended_provision")) == said


async def test_an_amendment_without_a_known_provision_concerns_all() -> None:
    world = await harbour()
    await world.add(
        "amendment.pdf",
        "Notice\n\nThe act is changed in several places, as the annex of this notice shows in detail.",
        amends="act.pdf",
        jurisdiction="xv",
        language="en",
    )
    answer = await ask(world, "How many pounds is the fee for a berth?")
    (notice,) = of(answer, "amended", "amended_provision")
    assert notice.key == "notice.amended"
    cited = {item.label for item in answer.citations if item.edition.document.file == "act.pdf"}
    assert set(notice.labels) == cited


@pytest.mark.parametrize(
    ("valid_from", "valid_to", "as_of", "keys"),
    [
        (date(2020, 1, 1), date(2026, 1, 1), None, []),
        (date(2020, 1, 1), NOW.date(), None, []),
        (date(2020, 1, 1), date(2023, 12, 31), date(2022, 1, 1), ["no_longer_in_force"]),
        (date(2020, 1, 1), date(2023, 12, 31), None, ["no_longer_in_force"]),
        (date(2030, 1, 1), None, None, ["not_in_force_yet"]),
        (date(2030, 1, 1), None, date(2031, 1, 1), []),
    ],
)
async def test_days_of_validity(
    valid_from: date, valid_to: date | None, as_of: date | None, keys: list[str]
) -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("satzung.pdf", DUES)
    answer = await ask(world, "Wie hoch ist der Beitrag des Vereins?")
    (cited,) = answer.citations[:1]
    fields = replace(cited.edition.document.fields, valid_from=valid_from, valid_to=valid_to)
    edition = replace(cited.edition, document=replace(cited.edition.document, fields=fields))
    answer = replace(
        answer, citations=(replace(cited, edition=edition),), scope=replace(answer.scope, as_of=as_of)
    )
    notices = await Validity(world.library, world.clock).notices(answer, NOW.date())
    assert [notice.key.removeprefix("notice.") for notice in notices] == keys


async def test_scanned_pages_are_said() -> None:
    world = await World(threshold=0.0).with_registry()
    scanned = text_reading(DUES)
    pages = tuple(
        replace(item, page=replace(item.page, text_source=TextSource.OCR)) for item in scanned.pages
    )
    world.pdf.documents["scan.pdf"] = replace(scanned, pages=pages)
    await world.ingest(request("scan.pdf"))
    answer = await ask(world, "Wie hoch ist der Beitrag des Vereins?")
    (notice,) = of(answer, "ocr_source")
    assert set(notice.labels) == {item.label for item in answer.citations}
