"""Follow-ups and conflicts from the question to the answer."""

from typing import Any

import pytest

from bot.library.scoping import ScopeOptions
from core.answering.notices import conflict_notices
from core.domain.answers import Answer, Outcome
from core.domain.documents import DocumentType
from core.domain.scope import ThreadContext
from core.domain.search import QuestionKind
from core.question.turns import TurnKind, TurnReader
from core.search.plan import SearchResult
from core.search.searcher import Searcher
from tests.support.bad_models import saying, writing_asker
from tests.support.fake_model import FakeModel
from tests.support.world import World, populated

FEES = {"gebuehr_ho.pdf", "gebuehr_se.pdf"}
ABOVE = {"ufer25.pdf", "wind25.pdf"}
WAGE = "Was will die Uferpartei beim Mindestlohn?"


async def told(world: World, *questions: str) -> list[Answer]:
    """The answers of one conversation."""
    thread: ThreadContext | None = None
    answers = []
    for question in questions:
        answer = await world.app.questions.ask(question, ScopeOptions(), thread=thread)
        thread = answer.thread
        answers.append(answer)
    return answers


def files(answer: Answer) -> set[str]:
    return {citation.edition.document.file for citation in answer.citations}


def keys(answer: Answer) -> list[str]:
    return [notice.key for notice in answer.notices]


@pytest.mark.parametrize(
    ("questions", "expected", "query"),
    [
        (
            (WAGE, "und die Windmüller?"),
            {"wind25.pdf"},
            "Was wollen die Windmüller beim Mindestlohn?",
        ),
        ((WAGE, "Und 2021?"), {"ufer21.pdf"}, "Was will die Uferpartei (2021) beim Mindestlohn?"),
        (
            ("Wie viele Wohnungen will die Uferpartei bauen?", "warum?"),
            {"ufer25.pdf"},
            "Wie viele Wohnungen will die Uferpartei bauen? Warum?",
        ),
        (
            ("Was kostet ein Hausboot in Hochau?", "und in Seemoor?"),
            {"gebuehr_se.pdf"},
            "Was kostet ein Hausboot in Seemoor?",
        ),
        (
            ("Was kostet ein Hausboot in Hochau?", "Und wer erhebt das?"),
            {"gebuehr_ho.pdf"},
            "Was kostet ein Hausboot in Hochau? Wer erhebt das?",
        ),
        (
            (WAGE, "und die Windmüller?", "und zu den Windrädern?"),
            {"wind25.pdf"},
            "Was wollen die Windmüller zu den Windrädern?",
        ),
        (
            ("What does the Riverside Party say about rents?", "and the Windmillers?"),
            {"wind25.pdf"},
            "What does the Windmüller say about rents?",
        ),
        (
            (WAGE, "danke", "und die Windmüller?"),
            {"wind25.pdf"},
            "Was wollen die Windmüller beim Mindestlohn?",
        ),
    ],
)
async def test_a_follow_up_is_answered_where_it_means(
    questions: tuple[str, ...], expected: set[str], query: str
) -> None:
    answer = (await told(await populated(), *questions))[-1]
    assert answer.queries == (query,)
    assert answer.question == questions[-1]
    assert answer.outcome is Outcome.GROUNDED
    assert expected <= files(answer)
    assert files(answer) <= expected | ABOVE if expected & FEES else files(answer) == expected
    assert keys(answer)[0] == "notice.understood_as"
    assert answer.notices[0].values == {"question": query}


async def test_a_follow_up_that_calls_somebody_is_not_repeated() -> None:
    answer = (await told(await populated(), WAGE, "und was sagt @everyone dazu?"))[-1]
    assert answer.queries == (f"{WAGE} Was sagt @everyone dazu?",)
    assert "notice.understood_as" not in keys(answer)


async def test_a_whole_question_ends_what_the_thread_was_about() -> None:
    first, second = await told(await populated(), WAGE, "Was kostet ein Hausboot in Hochau?")
    assert files(second) & FEES == {"gebuehr_ho.pdf"}
    assert second.scope.parties == ()
    assert "notice.understood_as" not in keys(second)
    cited = tuple(dict.fromkeys(item.edition.document.id for item in first.citations))
    quotes = tuple(item.quote.text for item in first.citations)
    assert first.thread == ThreadContext(questions=(WAGE,), language="de", documents=cited, quotes=quotes)
    assert second.thread is not None
    assert second.thread.questions == (WAGE, "Was kostet ein Hausboot in Hochau?")


async def test_words_for_another_topic_end_what_the_thread_was_about() -> None:
    for opening, parties in (("", ("Uferpartei",)), ("Andere Frage: ", ())):
        last = (await told(await populated(), WAGE, f"{opening}und die Mieten?"))[-1]
        assert last.scope.parties == parties


async def test_what_may_open_a_topic_is_asked_alone_where_the_thread_makes_it_silent() -> None:
    earlier, question = "Wie lange brennt die Laterne?", "Was ist mit dem Mindestlohn?"
    silent = (await told(await populated(threshold=0.6), earlier, question))[-1]
    assert silent.outcome is Outcome.NO_EVIDENCE
    assert silent.queries == (question,)
    assert "notice.understood_as" not in keys(silent)
    answered = (await told(await populated(), earlier, question))[-1]
    assert answered.outcome is Outcome.GROUNDED
    assert answered.queries == (question,)


async def test_without_a_thread_nothing_is_carried() -> None:
    [answer] = await told(await populated(), "und die Windmüller?")
    assert answer.queries == ("und die Windmüller?",)


async def test_thanks_and_lists_leave_the_thread_as_it_was() -> None:
    first, thanks, listed = await told(
        await populated(), WAGE, "Vielen Dank!", "Which documents are in the library?"
    )
    assert (thanks.kind, listed.kind) == (QuestionKind.OFF_TOPIC, QuestionKind.DOCUMENT)
    assert thanks.thread == listed.thread == first.thread


async def test_a_party_of_a_follow_up_without_a_document_is_missing() -> None:
    answer = (await told(await populated(), WAGE, "und die Drachenflieger?"))[-1]
    assert [(item.kind, item.name) for item in answer.missing] == [("party", "Drachenflieger")]
    assert answer.outcome is Outcome.NO_EVIDENCE


async def test_a_model_is_asked_the_question_that_stands_by_itself() -> None:
    world = await populated()
    model = FakeModel(answer=saying(("", "S1", "")))
    await writing_asker(world, model).answered(
        "und die Windmüller?",
        scope=await world.app.scoping.scope(ScopeOptions()),
        thread=ThreadContext(questions=(WAGE,), language="de"),
    )
    assert "Question: Was wollen die Windmüller beim Mindestlohn?" in model.asked[0][-1].text


CONFLICT = "Widerspricht die Gebühr für ein Hausboot in Hochau der in Seemoor?"


async def test_the_sides_of_a_conflict_stand_beside_each_other() -> None:
    [answer] = await told(await populated(), CONFLICT)
    assert answer.kind is QuestionKind.CONFLICT
    assert files(answer) == FEES
    assert "notice.side_by_side" in keys(answer)


async def test_one_side_is_no_conflict() -> None:
    world = await populated()
    scope = await world.app.scoping.scope(ScopeOptions())
    answered = await world.app.asker.answered(CONFLICT, scope=scope)
    plan, citations = answered.result.plan, answered.answer.citations
    assert [notice.key for notice in conflict_notices(plan, citations)] == ["notice.side_by_side"]
    assert [notice.key for notice in conflict_notices(plan, citations[:1])] == ["notice.one_side_only"]
    assert conflict_notices(plan, ()) == ()


LAW = "Hausboote\n\nEin Hausboot darf in jedem Hafen ohne eine Gebühr liegen, so lange es bewohnt wird."


async def test_a_model_may_not_call_a_conflict_what_it_quotes_one_side_of() -> None:
    world = await populated()
    await world.add("gesetz.pdf", LAW, jurisdiction="xv", doc_type=DocumentType.ACT)
    quote = "Die Anmeldung eines Hausboots kostet 90 Taler im Jahr und wird vom Wasseramt Hochau erhoben."
    claim = "Die Anmeldung eines Hausboots kostet 90 Taler im Jahr, das widerspricht dem Gesetz."
    model = FakeModel(answer=saying((claim, "S1", quote)))
    answer = (
        await writing_asker(world, model).answered(
            "Widerspricht die Gebühr für ein Hausboot in Hochau dem Gesetz?",
            scope=await world.app.scoping.scope(ScopeOptions()),
        )
    ).answer
    assert ("claim", "conflict") in {(item.what, item.why) for item in answer.rejected}
    assert all("widerspricht" not in item.text for item in answer.claims)


@pytest.mark.parametrize(
    ("questions", "searches"),
    [
        ((WAGE,), 1),
        (("Was will die Uferpartei beim Mindeslohn?",), 2),
        ((WAGE, "und die Windmüller?"), 1),
        ((WAGE, "Was ist mit den Murmeltieren?"), 1),
        ((WAGE, "Was ist mit dem Mindeslohn?"), 2),
        (("Wie lange brennt die Laterne?", "Was ist mit Krokodilen im Zoo?"), 1),
    ],
)
async def test_no_question_is_searched_more_than_twice(
    questions: tuple[str, ...], searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, asked = await populated(threshold=0.5), list[str]()
    search = Searcher.search

    async def counted(self: Searcher, question: str, **given: Any) -> SearchResult:
        asked.append(question)
        return await search(self, question, **given)

    *before, last = questions
    thread = (await told(world, *before))[-1].thread if before else None
    monkeypatch.setattr(Searcher, "search", counted)
    await world.app.questions.ask(last, ScopeOptions(), thread=thread)
    assert len(asked) == searches


@pytest.mark.parametrize(
    ("question", "sure", "answered"),
    [
        ("Was sagt die Uferpartei zum Mindestlohn?", 0.0, True),
        ("Was sagt die Uferpartei zum Mindestlohn?", 1.0, False),
        ("Welche Gebühr zahlt ein Zeppelin?", 0.0, False),
        ("Schreib etwas über den Mindestlohn der Uferpartei", 0.0, False),
    ],
)
async def test_what_looks_like_another_subject_is_answered_if_the_library_surely_does(
    question: str, sure: float, answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def talk(self: TurnReader, text: str, *, asked: bool = False) -> TurnKind:
        return TurnKind.SMALL_TALK

    monkeypatch.setattr(TurnReader, "read", talk)
    monkeypatch.setattr("core.answering.asker.SURE", sure)
    answer = await (await populated()).app.questions.ask(question, ScopeOptions())
    assert (answer.kind is not QuestionKind.OFF_TOPIC) is answered
    assert bool(answer.citations) is answered


async def test_no_model_is_asked_about_another_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(self: TurnReader, text: str, *, asked: bool = False) -> TurnKind:
        return TurnKind.SMALL_TALK

    monkeypatch.setattr(TurnReader, "read", talk)
    world = await populated()
    model = FakeModel(answer=saying(("", "S1", "")))
    answered = await writing_asker(world, model).answered(
        "Was sagt die Uferpartei zum Mindestlohn?", scope=await world.app.scoping.scope(ScopeOptions())
    )
    assert answered.answer.kind is QuestionKind.OFF_TOPIC
    assert model.asked == []
