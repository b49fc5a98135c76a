import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.answers.evaluation.rounds import fell_back
from bot.answers.records.recorder import record_of
from bot.library.scoping import ScopeOptions
from core.answering.forms import EXTRACTIVE, LLM
from core.answering.generated.generation import GenerationSettings
from core.domain.answers import Answer, Outcome, Verdict
from core.domain.ids import document_id
from core.domain.models import Completion, ModelMessage
from core.domain.scope import Scope
from core.errors import Broken, FundstelleError, Refused, Unavailable
from tests.support.bad_models import HABITS, Says, noise, poisoned, saying, writing_asker, written
from tests.support.fake_model import FakeModel
from tests.support.library_examples import START
from tests.support.scripted_answers import Mode, Prompt
from tests.support.shown_answers import faults
from tests.support.world import World, populated

SCOPE = Scope(collections=("public",))
UFER = "Was will die Uferpartei beim Mindestlohn?"
WAGE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
HOMES = "Wir bauen jedes Jahr 6.000 neue Wohnungen in den Städten am Fluss."
REFUSAL = "Einen Mindestlohn lehnen wir ab."
SECONDS = 0.05


QUESTIONS = (UFER, "Was wollen Uferpartei und Windmüller beim Mindestlohn?", "Wie hoch ist die Hundesteuer?")


def saying_no(*claims: tuple[str, str, str]) -> Says:
    """`answerable: false`, whatever claims are beside it."""
    return lambda prompt, schema: written(list(claims), answerable=False)


async def answered(says: Says, question: str = UFER, world: World | None = None) -> Answer:
    world = world or await populated()
    answer = (await writing_asker(world, FakeModel(answer=says)).answered(question, scope=SCOPE)).answer
    assert await faults(answer, world.library) == []
    return answer


def whys(answer: Answer) -> set[tuple[str, str]]:
    return {(item.what, item.why.partition(":")[0]) for item in answer.rejected}


def keys(answer: Answer) -> list[str]:
    return [notice.key for notice in answer.notices]


async def test_a_claim_in_own_words_with_its_quote() -> None:
    claim = "Die Uferpartei will 15 Taler Mindestlohn in der Stunde."
    answer = await answered(saying((claim, "S1", WAGE)))
    assert (answer.answerer, answer.outcome) == ("llm:fake", Outcome.GROUNDED)
    assert [(item.text, item.labels) for item in answer.claims] == [(claim, ("S1",))]
    (citation,) = answer.citations
    assert (citation.quote.text, citation.verdict) == (WAGE, Verdict.VERBATIM)
    assert citation.edition.document.file == "ufer25.pdf"
    assert answer.rejected == ()


async def test_the_record_has_prompt_and_outputs() -> None:
    answer = await answered(saying(("Der Mindestlohn steigt auf 15 Taler.", "S1", WAGE)))
    assert answer.drafting is not None
    assert answer.drafting.prompt.startswith("answer@")
    assert answer.drafting.model == "fake"
    assert json.loads(answer.drafting.outputs[0])["answerable"] is True


async def test_who_wrote_what_is_shown_is_named() -> None:
    """Not who was asked first, and not who wrote last: the first of these two proves more."""
    lie = ("Der Mindestlohn steigt auf 99 Taler.", "S1", "Der Mindestlohn steigt auf 99 Taler in der Stunde.")
    answers = iter(
        [
            saying(("Der Mindestlohn steigt auf 15 Taler.", "S1", WAGE), lie, lie, lie),
            saying(lie),
            saying(lie),
        ]
    )
    model = FakeModel(
        answer=lambda prompt, schema: next(answers)(prompt, schema),
        name="asked-first",
        writers=("fallback", "another", "another"),
    )
    world = await populated()
    answer = (await writing_asker(world, model).answered(UFER, scope=SCOPE)).answer
    assert len(model.asked) == 3
    assert answer.drafting is not None
    assert (answer.answerer, answer.drafting.model) == ("llm:fallback", "fallback")


def on_two(text: str, *quotes: str) -> Says:
    claim = {"text": text, "label": "S1", "quotes": list(quotes)}
    return lambda prompt, schema: json.dumps({"claims": [claim], "answerable": True})


async def test_a_claim_may_rest_on_two_quotes() -> None:
    claim = "Die Uferpartei will 15 Taler Mindestlohn und 6.000 neue Wohnungen im Jahr."
    answer = await answered(on_two(claim, WAGE, HOMES))
    assert [(item.text, item.labels) for item in answer.claims] == [(claim, ("S1", "S2"))]
    assert [item.quote.text for item in answer.citations] == [WAGE, HOMES]


async def test_what_neither_of_two_quotes_says_is_not_proven() -> None:
    answer = await answered(on_two("Die Uferpartei will 15 Taler und 6.001 Wohnungen.", WAGE, HOMES))
    assert ("claim", "unsupported") in whys(answer)
    assert [item.text for item in answer.claims] == [WAGE, HOMES]


async def test_a_correction_is_proven_like_any_claim() -> None:
    claim = "Die Uferpartei will den Mindestlohn nicht abschaffen, sondern auf 15 Taler erhöhen."
    plain = "Nach dem Programm der Uferpartei steigt der Mindestlohn auf 15 Taler."
    assert (await answered(saying((plain, "S1", WAGE)))).claims[0].text == plain
    assert ("claim", "turned") in whys(await answered(saying((claim, "S1", WAGE))))


async def test_a_part_of_a_sentence_is_shown_whole() -> None:
    part = "Mindestlohn steigt auf 15 Taler"
    answer = await answered(saying((part, "S1", part)))
    assert [item.text for item in answer.claims] == [WAGE]


SCHOOLS = (
    "Schulen\n\nWir führen Schulgeld z. B. zum 1. Januar in den Städten\nder Küste nicht wieder ein. Gärten"
    " bekommt jede Schule."
)


async def school_answer(claim: str, quote: str) -> Answer:
    world = await populated()
    await world.add("schule.pdf", SCHOOLS, jurisdiction="xv", parties=("Uferpartei",))
    return await answered(saying((claim, "S1", quote)), "Was sagt die Uferpartei zum Schulgeld?", world)


async def test_no_denial_is_cut_off() -> None:
    cut = "führen Schulgeld z. B. zum 1. Januar"
    answer = await school_answer("Die Uferpartei führt zum 1. Januar Schulgeld ein.", cut)
    assert ("claim", "unsupported") in whys(answer)
    answer = await school_answer("Die Uferpartei führt Schulgeld nicht wieder ein.", cut)
    assert answer.citations[0].quote.text == (
        "Wir führen Schulgeld z. B. zum 1. Januar in den Städten der Küste nicht wieder ein."
    )


REFUSED_LIST = (
    "Schulen\n\nWir lehnen ab:\n• Schulgeld an allen Schulen der Küste zum 1. Januar\n"
    "• Prüfungen vor dem ersten Tag der Schule"
)
LONG = (
    "Schulen\n\nSchulgeld an allen Schulen der Küste zum 1. Januar und dazu die Miete für Hefte, Stifte, "
    "Bänke, Tafeln, Kreide, Karten und Lampen, die Gebühr für den Bus am Morgen und für die Fähre am "
    "Nachmittag, das Entgelt für das Essen am Mittag, den Beitrag zum Fest im Sommer und zum Markt im Winter "
    "und den Preis des Zeugnisses am Ende des Jahres führen wir in den Städten und am Ufer nicht wieder ein."
)


@pytest.mark.parametrize("source", [REFUSED_LIST, LONG])
async def test_a_quote_that_leaves_out_what_turns_it_is_refused(source: str) -> None:
    """Neither a lead-in nor a very long sentence can be made part of it."""
    world = await populated()
    await world.add("schule.pdf", source, jurisdiction="xv", parties=("Uferpartei",))
    part = "Schulgeld an allen Schulen der Küste zum 1. Januar"
    claim = f"Die Uferpartei will {part}."
    asker = writing_asker(world, FakeModel(answer=saying((claim, "S1", part))))
    both = await asker.answered("Was sagt die Uferpartei zum Schulgeld?", scope=SCOPE)
    assert {("quote", "cut"), ("claim", "no_quote")} <= whys(both.answer)
    assert claim not in [item.text for item in both.answer.claims]
    record = record_of(both, at=START)
    assert record.texts is not None
    assert (part, "cut") in {(item.text, item.why) for item in record.texts.rejected}


async def test_a_quote_that_leaves_out_its_condition_is_shown_with_it() -> None:
    sentence = "Schulgeld führen wir an der Küste ein, wenn die Schulen sonst schließen müssen."
    world = await populated()
    await world.add("schule.pdf", f"Schulen\n\n{sentence}", jurisdiction="xv", parties=("Uferpartei",))
    says = saying((sentence, "S1", "Schulgeld führen wir an der Küste ein"))
    answer = await answered(says, "Was sagt die Uferpartei zum Schulgeld?", world)
    assert ("quote", "cut") not in whys(answer)
    assert answer.citations[0].quote.text == sentence


async def test_a_quote_from_another_page_of_the_document_counts() -> None:
    world = await populated()

    def berth(page: int, place: int) -> str:
        name = "".join("abcdefghij"[int(digit)] for digit in f"{page}{place}")
        return f"Im Becken {name} liegt Boot {page * place} fest vertäut am Steg."

    berths = [" ".join(berth(page, place) for place in range(60)) for page in range(1, 31)]
    receipt = await world.add("hafen.pdf", *berths, jurisdiction="xv", parties=("Uferpartei",))
    assert receipt.document is not None
    scope = Scope(collections=("public",), documents=(receipt.document,))
    quote = berth(29, 17)
    model = FakeModel(answer=saying(("Dort liegt Boot 493.", "S1", quote)))
    answer = (
        await writing_asker(world, model, GenerationSettings(passages=5)).answered(
            "Welches Boot liegt im Becken dh?", scope=scope
        )
    ).answer
    assert quote not in model.asked[0][-1].text
    assert [(c.quote.text, c.quote.pages, c.passage) for c in answer.citations] == [(quote, (29,), None)]
    assert await faults(answer, world.library) == []


async def test_the_source_replaces_what_was_copied_badly() -> None:
    badly = "der MINDESTLOHN steigt auf 15 Taler - in der Stunde"
    answer = await answered(saying(("Es gibt 15 Taler Mindestlohn.", "S1", badly)))
    assert answer.citations[0].quote.text == WAGE


async def test_the_quote_decides_about_the_label() -> None:
    question = "Was wollen Uferpartei und Windmüller beim Mindestlohn?"
    claims = (("Die Uferpartei will 15 Taler.", "S2", WAGE), ("Die Windmüller lehnen ihn ab.", "S1", REFUSAL))
    answer = await answered(saying(*claims), question)
    parties = {item.label: item.edition.document.fields.parties for item in answer.citations}
    assert [parties[claim.labels[0]] for claim in answer.claims] == [("Uferpartei",), ("Windmüller",)]
    assert ("label", "relabelled") in whys(answer)


async def test_relabelling_keeps_no_wrong_name() -> None:
    claim = "Die Uferpartei lehnt einen Mindestlohn ab."
    answer = await answered(
        saying((claim, "S1", REFUSAL)), "Was wollen Uferpartei und Windmüller beim Mindestlohn?"
    )
    assert claim not in [item.text for item in answer.claims]
    assert ("claim", "foreign_name") in whys(answer)


@pytest.mark.parametrize(
    ("claim", "quote", "why"),
    [
        ("Die Uferpartei will 16 Taler Mindestlohn.", WAGE, "unsupported"),
        ("Der Mindestlohn steigt nicht auf 15 Taler.", WAGE, "unsupported"),
        ("Der Mindestlohn steigt ab 1. Mai 2026 auf 15 Taler.", WAGE, "unsupported"),
        ("In Seemoor steigt der Mindestlohn auf 15 Taler.", WAGE, "foreign_name"),
        ("Der Mindestlohn steigt auf 15 Taler, siehe evil.example.", WAGE, "address"),
        ("Die Bäume im Garten blühen.", WAGE, "unrelated"),
        ("[S1]", WAGE, "empty"),
        ("Der Mindestlohn steigt.", "Der Mindestlohn steigt auf 16 Taler in der Stunde.", "no_quote"),
        ("The programme provides for a minimum wage that rises to 15 Taler an hour.", WAGE, "other_language"),
    ],
)
async def test_what_is_not_proven_is_dropped(claim: str, quote: str, why: str) -> None:
    answer = await answered(saying((claim, "S1", quote)))
    assert ("claim", why) in whys(answer)
    assert claim not in [item.text for item in answer.claims]
    if why == "no_quote":
        assert (answer.answerer, keys(answer)[0]) == ("extractive", "notice.model_unverified")
    else:  # the quote stands alone
        assert (answer.answerer, [item.text for item in answer.claims]) == ("llm:fake", [quote])


async def test_places_are_never_mixed_in_a_claim() -> None:
    rows = [
        {
            "text": "Die Anmeldung eines Hausboots kostet 90 oder 40 Taler.",
            "labels": ["S1", "S2"],
            "quotes": [
                f"Die Anmeldung eines Hausboots kostet {fee} Taler im Jahr und wird vom Wasseramt {place}"
                for fee, place in ((90, "Hochau"), (40, "Seemoor"))
            ],
        }
    ]
    answer = await answered(
        lambda prompt, schema: json.dumps({"claims": rows, "answerable": True}),
        "Was kostet die Anmeldung eines Hausboots in Hochau und Seemoor?",
    )
    assert ("claim", "mixed_sources") in whys(answer)


async def test_a_silent_side_of_a_comparison_is_named() -> None:
    answer = await answered(
        saying(("Die Uferpartei will 15 Taler.", "S1", WAGE)),
        "Was wollen Uferpartei und Windmüller beim Mindestlohn?",
    )
    (notice,) = [item for item in answer.notices if item.key == "notice.group_silent"]
    assert notice.values == {"name": "Windmüller"}


async def test_a_party_without_source_is_told_and_stays_missing() -> None:
    asked: list[Prompt] = []

    def says(prompt: Prompt, schema: object) -> str:
        asked.append(prompt)
        return written([("Die Uferpartei will 15 Taler.", "S1", WAGE)])

    answer = await answered(says, "Was wollen Uferpartei und Drachenflieger beim Mindestlohn?")
    assert [item.name for item in answer.missing] == ["Drachenflieger"]
    assert "No source in the library for: Drachenflieger (party)" in asked[0].last


async def test_every_side_has_its_passages_in_the_prompt() -> None:
    asked: list[Prompt] = []

    def says(prompt: Prompt, schema: object) -> str:
        asked.append(prompt)
        return ""

    await answered(says, "Was wollen Uferpartei und Windmüller beim Mindestlohn?")
    headings = " ".join(source.heading for source in asked[0].sources)
    assert "Uferpartei" in headings
    assert "Windmüller" in headings


async def test_asked_again_with_a_reason_and_then_right() -> None:
    asked: list[Prompt] = []

    def says(prompt: Prompt, schema: object) -> str:
        asked.append(prompt)
        wage = WAGE if len(asked) == 2 else "Der Mindestlohn steigt auf 99 Taler in der Stunde."
        return written([("Der Mindestlohn steigt.", "S1", wage)])

    answer = await answered(says)
    assert (answer.answerer, len(asked)) == ("llm:fake", 2)
    assert "- quote “Der Mindestlohn steigt auf 99 Taler in der Stunde.”: this quote says" in asked[1].last
    assert asked[1].sources == asked[0].sources
    assert ("quote", "altered") in whys(answer)


async def test_who_insists_is_not_asked_a_third_time() -> None:
    model = FakeModel(mode=Mode.INVENTED_QUOTES)
    answer = (await writing_asker(await populated(), model).answered(UFER, scope=SCOPE)).answer
    assert len(model.asked) == 2  # it writes the same again
    assert answer.outcome is Outcome.GROUNDED
    assert {claim.text for claim in answer.claims} <= {item.quote.text for item in answer.citations}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "says",
    [
        saying_no(),
        saying_no(("Der Mindestlohn steigt auf 15 Taler.", "S1", WAGE)),
        saying_no(("Der Mindestlohn steigt auf 99 Taler.", "S1", "Purple baobabs grow along tramways.")),
    ],
)
async def test_a_model_that_says_no_is_believed(says: Says, question: str) -> None:
    """However sure the search is, and whatever else the model wrote; the nearest places are offered."""
    model = FakeModel(answer=says)
    answer = (await writing_asker(await populated(), model).answered(question, scope=SCOPE)).answer
    assert (len(model.asked), keys(answer)[0]) == (1, "notice.model_abstained")
    assert (answer.outcome, answer.claims, answer.citations) == (Outcome.NO_EVIDENCE, (), ())
    assert answer.nearest


@pytest.mark.parametrize(
    ("model", "fallback"),
    [
        (FakeModel(answer=saying_no()), False),
        (FakeModel(mode=Mode.EMPTY), True),
        (FakeModel(error=Unavailable("x", "down")), True),
        (FakeModel(answer=saying(("Der Mindestlohn steigt auf 15 Taler.", "S1", WAGE))), False),
    ],
    ids=["says no", "says nothing", "is down", "answers"],
)
async def test_a_no_that_is_believed_is_no_fallback(model: FakeModel, fallback: bool) -> None:
    answer = (await writing_asker(await populated(), model).answered(UFER, scope=SCOPE)).answer
    assert fell_back(answer) is fallback


async def test_the_last_word_of_a_model_counts() -> None:
    lie = ("Der Mindestlohn steigt auf 99 Taler.", "S1", "Der Mindestlohn steigt auf 99 Taler in der Stunde.")
    true = ("Der Mindestlohn steigt auf 15 Taler.", "S1", WAGE)
    answers = iter([saying(true, lie, lie, lie), saying_no()])
    model = FakeModel(answer=lambda prompt, schema: next(answers)(prompt, schema))
    answer = (await writing_asker(await populated(), model).answered(UFER, scope=SCOPE)).answer
    assert (len(model.asked), answer.outcome) == (2, Outcome.NO_EVIDENCE)


async def test_a_model_is_asked_however_unsure_the_search_is() -> None:
    world = replace(await populated(), threshold=1.0)
    model = FakeModel(answer=saying(("Der Mindestlohn steigt auf 15 Taler.", "S1", WAGE)))
    answer = (await writing_asker(world, model).answered(UFER, scope=SCOPE)).answer
    assert (answer.answerer, answer.outcome) == ("llm:fake", Outcome.GROUNDED)


@pytest.mark.parametrize("model", [FakeModel(mode=Mode.EMPTY), FakeModel(error=Unavailable("x", "down"))])
async def test_a_failing_model_makes_nothing_surer(model: FakeModel) -> None:
    """Quotes are shown in its place as sure as they must be without a model."""
    world = replace(await populated(), threshold=1.0)
    answer = (await writing_asker(world, model).answered(UFER, scope=SCOPE)).answer
    assert (answer.outcome, answer.citations) == (Outcome.NO_EVIDENCE, ())


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (Unavailable("model.unavailable", "all down"), "notice.model_unavailable"),
        (Refused("model.not_approved", "no"), "notice.model_not_approved"),
        (Refused("model.budget", "spent"), "notice.model_budget"),
        (Broken("model.settings", "bad key"), "notice.model_unavailable"),
    ],
)
async def test_without_a_model_the_quotes_answer(error: FundstelleError, key: str) -> None:
    answer = (
        await writing_asker(await populated(), FakeModel(error=error)).answered(UFER, scope=SCOPE)
    ).answer
    assert (answer.answerer, answer.outcome, keys(answer)[0]) == ("extractive", Outcome.GROUNDED, key)


class Hanging(FakeModel):
    """Never answers, whatever the deadline."""

    async def complete(self, messages: Sequence[ModelMessage], **options: object) -> Completion:  # type: ignore[override]
        await asyncio.Event().wait()
        raise AssertionError("an event that nobody sets")


async def test_a_hanging_model_is_given_up() -> None:
    settings = GenerationSettings(deadline_s=SECONDS)
    answer = (await writing_asker(await populated(), Hanging(), settings).answered(UFER, scope=SCOPE)).answer
    assert (answer.answerer, keys(answer)[0]) == ("extractive", "notice.model_unavailable")


async def test_only_collections_searched_are_named() -> None:
    model = FakeModel(collections=frozenset({"public"}))
    scope = Scope(collections=("public", "internal"))
    answer = (
        await writing_asker(await populated(), model).answered(
            "Was ist der geheime Plan KANARIENVOGEL?", scope=scope
        )
    ).answer
    assert keys(answer)[0] == "notice.model_not_approved"
    assert model.asked == []


async def test_who_answers_can_be_chosen() -> None:
    world = await populated()
    model = FakeModel()
    assert (
        await writing_asker(world, model).answered(UFER, scope=SCOPE, answerer=EXTRACTIVE)
    ).answer.answerer == "extractive"
    assert model.asked == []
    with pytest.raises(Refused, match="FUNDSTELLE_LLM__MODEL"):
        await world.app.asker.answered(UFER, scope=SCOPE, answerer=LLM)


@pytest.mark.parametrize(
    "question", [UFER, "Was kostet die Anmeldung eines Hausboots in Hochau und Seemoor?"]
)
@pytest.mark.parametrize("habit", [*HABITS, *Mode])
async def test_no_habit_gets_a_lie_through(habit: str, question: str) -> None:
    world = await poisoned()
    model = FakeModel(answer=HABITS[habit]) if habit in HABITS else FakeModel(mode=Mode(habit))
    answer = (await writing_asker(world, model).answered(question, scope=SCOPE)).answer
    if answer.answerer != "extractive":
        assert await faults(answer, world.library) == []
    assert {item.what for item in answer.rejected} <= {"label", "quote", "claim"}


async def test_no_noise_gets_a_lie_through() -> None:
    world, random_ = await poisoned(), random.Random(3)
    model = FakeModel(answer=lambda prompt, schema: noise(prompt, random_))
    asker = writing_asker(world, model, GenerationSettings(retries=0))
    for question in (UFER, "Was wollen Uferpartei und Windmüller beim Mindestlohn?") * 30:
        answer = (await asker.answered(question, scope=SCOPE)).answer
        if answer.answerer != "extractive":
            assert await faults(answer, world.library) == []


async def test_an_item_of_what_is_rejected_is_quoted_behind_its_lead_in() -> None:
    world = await populated()
    await world.add("schule.pdf", REFUSED_LIST, jurisdiction="xv", parties=("Uferpartei",))
    answer = await world.app.questions.ask(
        "Was sagt die Uferpartei zum Schulgeld an Schulen?", ScopeOptions()
    )
    quotes = [citation.quote.text for citation in answer.citations]
    assert any("Schulgeld" in quote for quote in quotes)
    assert all("Wir lehnen ab: Schulgeld" in quote for quote in quotes if "Schulgeld" in quote)


async def test_titles_of_an_earlier_question_hide_no_foreign_party() -> None:
    """Another document, of the same country, is called by the words that hold the party's name here."""
    world = await populated()
    title = "Haushaltsplan der Windmüller"
    await world.add("plan.pdf", f"Haushalt\n\n{WAGE}", title=title, jurisdiction="xv")
    claim = f"Nach dem {title} steigt der Mindestlohn auf 15 Taler in der Stunde."
    asker = writing_asker(world, FakeModel(answer=saying((claim, "S1", WAGE))))
    plan, ufer = (
        replace(SCOPE, documents=(document_id("public", name),)) for name in ("plan.pdf", "ufer25.pdf")
    )
    assert (await asker.answered("Wie hoch ist der Mindestlohn?", scope=plan)).answer.claims[0].text == claim
    answer = (await asker.answered("Wie hoch ist der Mindestlohn?", scope=ufer)).answer
    assert ("claim", "foreign_name") in whys(answer)
    assert claim not in [item.text for item in answer.claims]
