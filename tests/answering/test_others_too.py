"""Who else has something on it is said where a question names no party."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bot.library.scoping import ScopeOptions
from core.answering.asker import Asker
from core.domain.answers import Answer, Outcome
from core.domain.documents import DocumentType
from core.domain.registry import Party, Registry
from core.domain.scope import Scope
from core.search.plan import SearchResult
from tests.support.chats import conversation_over, say
from tests.support.fake_stage import EVERYTHING, FakeStage
from tests.support.world import REGISTRY, World, populated

NAMES = ("Moorbund", "Uferpartei", "Windmüller", "Drachenflieger", "Ackerliste")
FOLK = ("leute", "bauer", "wirte", "helfer", "meister", "kinder", "frauen", "macher", "fahrer", "warte")
WAGE = "Arbeit\n\nWir fordern einen Mindestlohn von {n} Talern in der Stunde für alle."


async def world(texts: dict[str, str], citations: int = 1) -> World:
    """Parties with a programme each, in an order that is not that of their names."""
    registry = Registry(
        jurisdictions=REGISTRY.jurisdictions, parties=tuple(Party(name=name) for name in NAMES)
    )
    made = World(threshold=0.0)
    await made.library.save_registry(registry)
    made.app = replace(made.app, registry=registry)
    for name, text in texts.items():
        await made.add(
            f"{name}.pdf",
            text,
            parties=(name,),
            jurisdiction="xv",
            doc_type=DocumentType.MANIFESTO,
            valid_from=date(2025, 5, 1),
        )
    settings = made.app.settings
    made.use(
        settings.model_copy(update={"answer": settings.answer.model_copy(update={"citations": citations})})
    )
    return made


def others(answer: Answer) -> list[str]:
    return [
        name
        for notice in answer.notices
        if notice.key == "notice.others_too"
        for name in notice.values["name"].split(", ")
    ]


async def ask(made: World, question: str, **options) -> Answer:
    return await made.app.questions.ask(question, ScopeOptions(**options))


ALL = {name: WAGE.format(n=n) for n, name in enumerate(sorted(NAMES), start=12)}


async def test_the_parties_that_are_not_quoted_are_named_as_the_registry_lists_them():
    answer = await ask(await world(ALL), "Wie hoch soll der Mindestlohn sein?")
    quoted = {party for item in answer.citations for party in item.edition.document.fields.parties}
    assert quoted
    assert others(answer) == [name for name in NAMES if name not in quoted]


async def test_a_party_that_does_not_name_the_topic_is_not_said_to():
    texts = ALL | {"Ackerliste": "Felder\n\nWir fordern breite Hecken an allen Feldern im ganzen Land."}
    found = others(await ask(await world(texts), "Wie hoch soll der Mindestlohn sein?"))
    assert found
    assert "Ackerliste" not in found


async def test_a_long_programme_hides_no_short_one():
    """However many passages of one party come before the only one of another."""
    who = [f"{first}{last}" for first in ("Boots", "Deich", "Fähr", "Netz") for last in FOLK]
    many = "\n\n".join(f"{each} brauchen einen Mindestlohn, der für alle {each} gilt." for each in who)
    texts = {"Uferpartei": many, "Moorbund": "Leben\n\nAuch wir reden viel über den Mindestlohn im Moor."}
    answer = await ask(await world(texts), "Welcher Mindestlohn gilt für alle, die ihn brauchen?")
    assert answer.citations[0].edition.document.fields.parties == ("Uferpartei",)
    assert others(answer) == ["Moorbund"]


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch soll der Mindestlohn der Uferpartei sein?",
        "Was sagen Uferpartei und Windmüller zum Mindestlohn?",
        "Was kostet ein Hausboot?",
    ],
)
async def test_nothing_is_said_where_a_party_is_named_or_none_is_quoted(question: str):
    made = await world(ALL)
    rules = "Gebühren\n\nDie Anmeldung eines Hausboots kostet 90 Taler im Jahr."
    await made.add("regeln.pdf", rules, jurisdiction="xv", doc_type=DocumentType.GUIDANCE)
    assert others(await ask(made, question)) == []
    assert others(await ask(made, "Wie hoch soll der Mindestlohn sein?", parties=("Moorbund",))) == []


async def test_one_of_two_is_named_though_it_wants_the_opposite():
    answer = await ask(await populated(), "Wie hoch soll der Mindestlohn sein?")
    assert [item.edition.document.fields.parties for item in answer.citations] == [("Uferpartei",)]
    assert others(answer) == ["Windmüller"]


async def test_those_that_are_quoted_are_no_others():
    texts = {"Uferpartei": ALL["Uferpartei"], "Moorbund": ALL["Moorbund"]}
    answer = await ask(await world(texts, citations=3), "Wie hoch soll der Mindestlohn sein?")
    quoted = {party for item in answer.citations for party in item.edition.document.fields.parties}
    assert quoted == set(texts)
    assert others(answer) == []


async def test_a_chat_offers_the_comparison(tmp_path: Path):
    made = await world(ALL)
    question = "Wie hoch soll der Mindestlohn sein?"
    conversation = conversation_over(made.app, tmp_path)
    plain = FakeStage(capabilities=replace(EVERYTHING, buttons=False))
    typed = await say(conversation, question, stage=plain)
    assert any(block.startswith("Hier nicht zitiert, aber auch etwas dazu haben: ") for block in typed.blocks)
    assert any(each.command == "/compare Mindestlohn" for each in typed.follow_ups)
    clicked = await say(conversation_over(made.app, tmp_path), question)
    [button] = [each for each in clicked.follow_ups if each.command.startswith("/compare")]
    assert button.command == "/compare Mindestlohn"
    compared = await say(conversation, button.command)
    assert all(name in "\n".join(compared.blocks) for name in NAMES)


async def asked_next(made: World, question: str) -> tuple[str, ...]:
    asked = await made.app.asker.answered(question, scope=Scope(collections=("public",)), leads_on=True)
    return asked.answer.others


async def test_none_is_always_the_next_to_be_asked():
    """Whoever asks on from party to party comes by all of them."""
    made = await world(ALL)
    offered = [await asked_next(made, f"Wie hoch soll der Mindestlohn der {name} sein?") for name in NAMES]
    assert sorted(each[0] for each in offered) == sorted(NAMES)
    assert [each[0] for each in offered] == [*NAMES[1:], NAMES[0]]
    assert [each[1] for each in offered] == [*NAMES[2:], *NAMES[:2]]


async def test_whoever_names_the_topic_and_does_not_answer_is_not_asked_next(monkeypatch: pytest.MonkeyPatch):
    from_found = Asker.from_found

    async def silent(self: Asker, question: str, result: SearchResult) -> Answer:
        found = await from_found(self, question, result)
        return replace(found, outcome=Outcome.NO_EVIDENCE) if "Uferpartei" in question else found

    monkeypatch.setattr(Asker, "from_found", silent)
    found = await asked_next(await world(ALL), "Wie hoch soll der Mindestlohn der Moorbund sein?")
    assert found == ("Windmüller",)


async def test_whoever_is_asked_next_has_something_on_it():
    texts = ALL | {"Uferpartei": "Felder\n\nWir fordern breite Hecken an allen Feldern im ganzen Land."}
    made = await world(texts)
    assert "Uferpartei" not in await asked_next(made, "Wie hoch soll der Mindestlohn der Moorbund sein?")


async def test_parties_of_one_programme_are_asked_once():
    made = await world({name: ALL[name] for name in ("Moorbund", "Windmüller")})
    await made.add(
        "gemeinsam.pdf",
        WAGE.format(n=9),
        parties=("Uferpartei", "Ackerliste"),
        jurisdiction="xv",
        doc_type=DocumentType.MANIFESTO,
        valid_from=date(2025, 5, 1),
    )
    found = await asked_next(made, "Wie hoch soll der Mindestlohn der Windmüller sein?")
    assert found == ("Moorbund", "Uferpartei")


async def test_nobody_is_looked_for_where_nobody_asks_on():
    answer = await ask(await world(ALL), "Wie hoch soll der Mindestlohn der Moorbund sein?")
    assert answer.others == ()


@pytest.mark.parametrize(("before", "year"), [(WAGE.format(n=9), 2021), ("Wiesen\n\nWir mähen alle.", None)])
async def test_the_edition_before_is_offered_where_it_has_something_on_it(before: str, year: int | None):
    made = await world({"Moorbund": ALL["Moorbund"]})
    await made.add(
        "früher.pdf",
        before,
        parties=("Moorbund",),
        jurisdiction="xv",
        doc_type=DocumentType.MANIFESTO,
        valid_from=date(2021, 5, 1),
    )
    question = "Wie hoch soll der Mindestlohn der Moorbund sein?"
    asked = await made.app.asker.answered(question, scope=Scope(collections=("public",)), leads_on=True)
    assert asked.answer.earlier == year
