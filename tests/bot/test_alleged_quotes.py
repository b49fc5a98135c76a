"""Alleged quotes in a small world: whose they are said to be, what differs, and how that is drawn."""

from datetime import date
from typing import Any

import pytest

from bot.answers.alleged import AllegedText
from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts
from bot.presentation.views.answers import check_view
from bot.presentation.wording.checks import check_blocks, check_text
from core.answering.quote_check import QuoteCheck
from core.answering.quote_places import Claimed
from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from core.domain.registry import Party, Registry
from core.domain.rich_text import Style, joined, rich
from core.domain.scope import Scope
from core.errors import Refused
from tests.support.world import World, populated

REAL = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
FALSE = "Der Mindestlohn steigt auf 19 Taler in der Stunde."
FEE = "Die Anmeldung eines Hausboots kostet 90 Taler im Jahr"


@pytest.fixture
async def world() -> World:
    return await populated()


async def checked(world: World, text: str, **claimed: str) -> QuoteCheck:
    return await world.app.questions.verify(text, ScopeOptions(), **claimed)  # type: ignore[arg-type]


def drawn(check: QuoteCheck, language: str = "de") -> str:
    """The verdict with signs for its marks: struck, bold, small."""
    text = rich(joined(check_blocks(check_view("", check, {}), Texts(language))))
    for style, sign in ((Style.STRUCK, "~~"), (Style.BOLD, "**"), (Style.SMALL, "_")):
        for start, end in reversed(text.ranges(style)):
            text = text.part(0, start) + sign + text.part(start, end) + sign + text.part(end)
    return str(text)


@pytest.mark.parametrize("before", ["Grüne:", "Laut den Grünen:", "Die Grünen sagen:"])
@pytest.mark.parametrize("words", [REAL, f"„{REAL}“", f'"{REAL}"'])
async def test_who_is_not_known_has_said_nothing(world, before, words):
    check = await checked(world, f"{before} {words}")
    assert check.verdict is Verdict.MISATTRIBUTED
    assert check.claimed.unknown in ("Grüne", "Grünen")
    said = drawn(check)
    assert said.startswith(
        f"❌ Echt, aber „{check.claimed.unknown}“ kennt die Bibliothek nicht. Die Worte stehen"
    )
    assert "hier: Uferpartei" in said
    assert "✅" not in said


@pytest.mark.parametrize(
    "text", [f"„{REAL}“ (Uferpartei)", f"„{REAL}“, sagt die Uferpartei", f"{REAL} (Uferpartei)"]
)
async def test_whose_a_quote_is_may_stand_behind_it(world, text):
    check = await checked(world, text)
    assert (check.verdict, check.claimed.parties) == (Verdict.VERBATIM, ("Uferpartei",))
    false = await checked(world, text.replace("15", "19"))
    assert false.verdict is not Verdict.VERBATIM
    assert drawn(false).startswith("❌ So nicht. Das Dokument sagt:")


@pytest.mark.parametrize(
    "text",
    [
        f"{REAL} https://ufer.example/programm.pdf",
        f"TL;DR: {REAL}",
        f"#Hafen {REAL} 👍",
        f"[12:30] Anna Fischer: {REAL}",
        f"12.03.25, 12:30 - Anna: {REAL}",
        f"„{REAL}“ (abgerufen am 3.3.2020)",
        f"„{REAL}“ (Hervorh. d. Verf.)",
        f"{REAL} (zuletzt abgerufen am 3. März 2020)",
    ],
)
async def test_what_is_copied_along_claims_nothing(world, text):
    check = await checked(world, text)
    assert (check.verdict, check.claimed) == (Verdict.VERBATIM, Claimed())
    assert (await checked(world, text.replace("15", "19"))).verdict is not Verdict.VERBATIM


@pytest.mark.parametrize("text", [f"{REAL} Quelle: Uferpartei", f"{REAL} | Uferpartei | S. 1"])
async def test_the_source_may_be_named_behind_it(world, text):
    check = await checked(world, text)
    assert (check.verdict, check.claimed.parties) == (Verdict.VERBATIM, ("Uferpartei",))
    assert (await checked(world, text.replace("Uferpartei", "Windmüller"))).verdict is Verdict.MISATTRIBUTED


async def test_a_party_that_sends_a_message_has_said_it(world):
    assert (await checked(world, f"[12:30] Windmüller: {REAL}")).verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize("sign", ["🚫", "👎"])
async def test_signs_that_deny_are_no_comment(world, sign):
    assert (await checked(world, f"{REAL} {sign}")).verdict is not Verdict.VERBATIM


async def test_a_party_behind_a_quote_did_not_say_it(world):
    check = await checked(world, f"„{REAL}“ (Windmüller)")
    assert check.verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize("behind", ["Danke!", "stimmt das?", "bleibt unser Grundsatz.", "(2021)", "seite 1"])
async def test_other_words_behind_a_quote_name_nobody(world, behind):
    check = await checked(world, f"„{REAL}“ {behind}")
    assert (check.verdict, check.claimed.unknown) == (Verdict.VERBATIM, "")


@pytest.mark.parametrize("behind", [" - echt?", " fake?", " - wirklich?"])
async def test_a_word_behind_a_quote_is_none_of_what_the_document_goes_on_with(world, behind):
    said = "Auszubildende erhalten mindestens 900 Taler im Monat ab dem ersten Lehrjahr."
    going_on = "Studiengebühren schaffen wir bundesweit ab, auch für das Zweitstudium."
    await world.add("azubi.pdf", f"{said} {going_on}", jurisdiction="xv", parties=("Uferpartei",))
    assert (await checked(world, f"„{said}“{behind}")).verdict is Verdict.VERBATIM


async def test_a_name_in_brackets_that_the_source_has_belongs_to_the_words(world):
    said = "Wir fördern den Verein der Ruderer (Uferpartei)."
    await world.add("verein.pdf", said, jurisdiction="xv", parties=("Windmüller",))
    assert (await checked(world, said)).verdict is Verdict.VERBATIM


async def test_brackets_that_name_nobody_belong_to_the_words(world):
    check = await checked(world, f"{REAL[:-1]} (brutto).")
    assert check.claimed.unknown == ""
    assert check.verdict is not Verdict.VERBATIM


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "„Grüne“ kennt"), ("en", "does not know “Grüne”"), ("fr", "ne connaît pas «\u00a0Grüne\u00a0»")],
)
async def test_that_a_name_is_not_known_is_said_in_every_language(world, language, words):
    assert words in drawn(await checked(world, f"Grüne: „{REAL}“"), language)


async def test_altered_words_of_who_is_not_known_are_shown_with_that(world):
    check = await checked(world, f"Grüne: „{FALSE}“")
    assert check.verdict is Verdict.ALTERED
    said = drawn(check)
    assert "~~19~~ **15**" in said
    assert said.endswith("Die Bibliothek kennt „Grüne“ nicht.")
    assert "Dort, woher" not in said


async def test_who_has_a_similar_name_is_said(world):
    check = await checked(world, f"Uferpatei: „{REAL}“")
    assert check.verdict is Verdict.MISATTRIBUTED
    assert drawn(check).endswith("Ähnlich heißen: Uferpartei.")


@pytest.mark.parametrize(
    ("place", "verdict"),
    [("Hochau", Verdict.VERBATIM), ("Seemoor", Verdict.MISATTRIBUTED), ("Valdorien", Verdict.MISATTRIBUTED)],
)
@pytest.mark.parametrize("form", ["{}: „{}“", "{}: {}", "In {} gilt: „{}“", "laut {}: „{}“"])
async def test_a_place_before_a_quote_is_judged_by_its_documents(world, place, verdict, form):
    check = await checked(world, form.format(place, FEE))
    assert check.verdict is verdict
    assert len(check.claimed.jurisdictions) == 1


async def test_a_document_before_a_quote_is_judged(world):
    assert (await checked(world, f"ufer25: „{REAL}“")).verdict is Verdict.VERBATIM
    assert (await checked(world, f"wind25: „{REAL}“")).verdict is Verdict.MISATTRIBUTED


async def test_a_document_that_is_not_to_be_seen_is_not_known(world):
    assert (await checked(world, f"intern: „{REAL}“")).claimed.documents == ()


async def test_the_beginning_of_a_quote_is_nobodys_name(world):
    await world.add("stege.pdf", "Anleger: Wir bauen neue Stege an beiden Ufern der Au.", jurisdiction="xv")
    whole = await checked(world, "Anleger: Wir bauen neue Stege an beiden Ufern der Au.")
    assert (whole.verdict, whole.claimed.unknown) == (Verdict.VERBATIM, "")
    near = await checked(world, "Anleger: Wir bauen neue Stege an beiden Ufern des Sees.")
    assert near.claimed.unknown == ""
    assert near.wording[0].source.startswith("Anleger:")


@pytest.mark.parametrize("before", ["Jemand schrieb:", "Zitat:", "Stimmt das:", "The quote:", "Citation :"])
async def test_where_nobody_is_named_nothing_is_claimed(world, before):
    assert (await checked(world, f"{before} „{REAL}“")).verdict is Verdict.VERBATIM


async def test_options_claim_parties_places_and_those_who_are_not_known(world):
    assert (await checked(world, REAL, party="Uferpartei")).verdict is Verdict.VERBATIM
    for name in ("Windmüller", "Seemoor", "Grüne"):
        assert (await checked(world, REAL, party=name)).verdict is Verdict.MISATTRIBUTED
    view = check_view(REAL, await checked(world, REAL, party="Grüne"), {}).json_object
    assert view["claimed"]["unknown"] == "Grüne"
    assert [notice["key"] for notice in view["notices"]] == ["notice.claimed_unknown"]


@pytest.mark.parametrize(
    ("source", "false"),
    [
        ("Valdorien braucht ein schnelles Internet.", "Valdorien braucht ein neues Wachstumsmodell."),
        ("Valdoria needs a faster network.", "Valdoria needs a greener economy."),
        ("La Valdorie doit moderniser ses routes.", "La Valdorie doit transformer ses écoles."),
    ],
)
async def test_another_sentence_of_another_party_is_not_what_was_meant(world, source, false):
    fields = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO, "valid_from": date(2025, 5, 1)}
    await world.add("netz.pdf", source, parties=("Windmüller",), **fields)
    check = await checked(world, f"Die Uferpartei: „{false}“")
    assert (check.verdict, check.matches) == (Verdict.ABSENT, ())
    assert "Uferpartei" in drawn(check).splitlines()[0]
    altered = await checked(world, f"Die Uferpartei: „{REAL.replace('15', '19')}“")
    assert altered.verdict is Verdict.ALTERED


async def test_a_weak_likeness_of_who_is_named_does_not_hide_the_sentence_of_another(world):
    fields = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO, "valid_from": date(2025, 5, 1)}
    near = "Der Hafen von Malin bekommt bis 2030 einen neuen Kran aus Holz und Stahl."
    await world.add("hafen.pdf", near, parties=("Uferpartei",), **fields)
    weak = "Der Hafen von Malin bekommt bis dahin gar nichts, sagen wir allen Leuten offen."
    await world.add("malin.pdf", weak, parties=("Windmüller",), **fields)
    check = await checked(world, f"Windmüller: „{near.replace('2030', '2035')}“")
    assert check.verdict is Verdict.ALTERED
    assert check.matches[0].quote.text == near


async def test_an_added_denial_stands_inside_its_sentence(world):
    await world.add(
        "toll.pdf", "Eine Fährgebühr wird es mit uns nicht geben. Boote sind frei.", jurisdiction="xv"
    )
    said = drawn(await checked(world, "„Eine Fährgebühr wird es mit uns geben.“"))
    assert said.startswith(
        "❌ So nicht. Das Dokument sagt:\n„Eine Fährgebühr wird es mit uns **nicht** geben.“\n"
    )
    assert "~~" not in said


async def test_where_a_number_differs_the_sentence_is_shown_to_its_end(world):
    sentence = (
        "Wir heben die Fährgebühr in zwei Schritten an: zum 1. Januar 2026 auf 15,80 Taler und zum 1. Januar"
        " 2027 auf 17 Taler je Fahrt."
    )
    await world.add("steps.pdf", f"{sentence} Danach ändert sich nichts mehr.", jurisdiction="xv")
    said = drawn(await checked(world, '"Wir heben die Fährgebühr auf 16 Taler an."'))
    assert "~~16~~ **15,80** Taler" in said
    assert "und zum 1. Januar 2027 auf 17 Taler je Fahrt.“\n" in said
    assert "Danach" not in said
    assert "Die Zahl ist eine andere." in said


async def test_a_part_of_a_sentence_is_drawn_as_it_was_quoted(world):
    await world.add(
        "rent.pdf", "Die Mieten sind hier gestiegen, weil am Ufer Häuser fehlen.", jurisdiction="xv"
    )
    check = await checked(world, "Die Mieten sind hier gestiegen")
    assert check.verdict is Verdict.VERBATIM
    quoted, whole = drawn(check).splitlines()[1:3]
    assert quoted.startswith("„Die Mieten sind hier gestiegen")
    assert "Häuser" not in quoted
    assert whole.startswith("_Im ganzen Satz: „Die Mieten")
    for text in (drawn(check), check_text(check_view("", check, {}), Texts("de"))):
        assert "[[" not in text
        assert "*" not in text


async def test_what_was_left_out_and_turns_a_sentence_stands_out_between_quotation_marks(world):
    await world.add("toll.pdf", "Eine Fährgebühr für alle Boote lehnen wir ab.", jurisdiction="xv")
    check = await checked(world, "Eine Fährgebühr für alle Boote")
    assert check.verdict is Verdict.CUT
    assert "„Eine Fährgebühr für alle Boote **lehnen wir ab.**“" in drawn(check)
    assert "„Eine Fährgebühr für alle Boote *lehnen wir ab.*“" in check_text(
        check_view("", check, {}), Texts("de")
    )


@pytest.mark.parametrize(
    "text",
    [
        f"Der Rat hat niemals beschlossen, dass „{REAL}“",
        f"Nach dem Beschluss vom Mai wurde lange gestritten, warum „{REAL}“",
        f"Die Uferpartei lehnt nicht ab: „{REAL}“",
    ],
)
async def test_the_whole_alleged_text_is_judged_where_what_stands_round_a_quote_is_no_frame(world, text):
    assert (await checked(world, text)).verdict is not Verdict.VERBATIM


@pytest.mark.parametrize(
    "text",
    [
        f"Die Uferpartei sagt: „{REAL}“",
        f"Die Uferpartei verspricht in ihrem Programm: „{REAL}“",
        f"„{REAL}“, sagt die Uferpartei",
        f"« {REAL} », dit la Uferpartei",
        f"The Uferpartei says: “{REAL}”",
        f"Nicht die Windmüller, sondern die Uferpartei: „{REAL}“",
    ],
)
async def test_a_frame_only_says_whose_words_they_are(world, text):
    assert (await checked(world, text)).verdict is Verdict.VERBATIM


async def test_the_first_named_of_two_is_not_who_is_claimed(world):
    check = await checked(world, f"Nicht die Uferpartei, sondern die Windmüller: „{REAL}“")
    assert check.verdict is Verdict.MISATTRIBUTED
    assert check.matches


@pytest.mark.parametrize("before", ["Uferpartei (1999):", "Die Uferpartei 1999:"])
async def test_a_claimed_edition_that_is_not_there_is_misattributed(world, before):
    assert (await checked(world, f"{before} „{REAL}“")).verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    "text",
    [
        f"Der Landrat kauft die Insel für 5 Euro, denn „{REAL}“",
        f"Die Uferpartei verkauft den Hafen und sagt: „{REAL}“",
        f"Die Uferpartei schließt alle Schulen und erklärt: „{REAL}“",
        f"Die Uferpartei kassiert Spenden: „{REAL}“",
        f"Die Uferpartei enteignet Bauern, weil „{REAL}“",
        f"Der Rat plündert die Kasse: „{REAL}“",
        f"Le maire vend le port, car « {REAL} »",
        f"„{REAL}“, und die Steuern verdoppeln sich.",
        f"„{REAL}“, weil der Landrat Geld braucht.",
    ],
)
async def test_a_sentence_that_goes_on_with_a_quote_is_judged_with_it(world, text):
    assert (await checked(world, text)).verdict in (Verdict.ALTERED, Verdict.ABSENT)


@pytest.mark.parametrize(
    "text",
    [
        f"Die Uferpartei tönt: „{REAL}“",
        f"Die Uferpartei hat im letzten Jahr geschrieben: „{REAL}“",
        f"Mein Nachbar behauptet, die Uferpartei habe geschrieben: „{REAL}“",
        f"Ihr Versprechen lautet: „{REAL}“",
        f"Stimmt das: „{REAL}“?",
        f"Did the Uferpartei really write “{REAL}”?",
        f"La Uferpartei a-t-elle dit : « {REAL} » ?",
        f"Est-ce que la Uferpartei a dit : « {REAL} » ?",
        f"Hat die Uferpartei gesagt: „{REAL}“ ?",
        f"Did the Uferpartei say: “{REAL}” ??",
        f"„{REAL}“ – so steht es im Programm der Uferpartei.",
    ],
)
async def test_what_only_says_that_words_are_a_quote_is_none_of_them(world, text):
    assert (await checked(world, text)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize("said", ["steigt nicht", "steigt niemals", "steigt keinesfalls"])
async def test_a_negation_before_quoted_words_alters_their_sentence(world, said):
    text = f"Der Mindestlohn {said} „auf 15 Taler in der Stunde.“"
    assert (await checked(world, text)).verdict is Verdict.ALTERED


async def test_words_are_looked_up_where_comparing_them_with_their_frame_takes_too_long(world, monkeypatch):
    verify = world.app.questions.verifier.verify

    async def slow_with_frame(text: str, **options: Any) -> QuoteCheck:
        if text.startswith("Die Windmüller"):
            raise Refused("verify.too_slow", "too slow")
        return await verify(text, **options)

    monkeypatch.setattr(world.app.questions.verifier, "verify", slow_with_frame)
    assert (await checked(world, f"Die Windmüller: {REAL}")).verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    "text",
    [
        f"Trotz Kritik schreibt die Uferpartei: „{REAL}“",
        f"Die Uferpartei bekräftigt trotz aller Kritik: „{REAL}“",
        f"Niemand sagt es so klar wie die Uferpartei: „{REAL}“",
        f"Die Uferpartei hält dagegen: „{REAL}“",
        f"Die Uferpartei antwortet ihren Kritikern: „{REAL}“",
        f"Wie schon früher schreibt die Uferpartei: „{REAL}“",
        f"Bekannt ist die Uferpartei für den Satz: „{REAL}“",
        f"Despite criticism, the Uferpartei writes: “{REAL}”",
        f"The Uferpartei is known for the line: “{REAL}”",
        f"“{REAL[:-1]},” says the Uferpartei.",
        f"Malgré les critiques, la Uferpartei écrit : « {REAL} »",
    ],
)
async def test_what_somebody_says_in_spite_of_others_is_said(world, text):
    assert (await checked(world, text)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "text",
    [
        f"Die Uferpartei hat sich verabschiedet von dem Satz: „{REAL}“",
        f"Die Uferpartei spottet über den Satz: „{REAL}“",
        f"Die Uferpartei entschuldigt sich für den Satz: „{REAL}“",
        f"„{REAL}“, log die Uferpartei.",
        f"Früher schrieb die Uferpartei einmal: „{REAL}“",
        f"Niemand in der Uferpartei sagt: „{REAL}“",
        f"Trotz Kritik bestreitet die Uferpartei: „{REAL}“",
        f"Die Uferpartei stellt sich dagegen: „{REAL}“",
        f"The Uferpartei used to say: “{REAL}”",
        f"La Uferpartei se moque de la phrase : « {REAL} »",
    ],
)
async def test_who_distances_himself_from_a_sentence_does_not_say_it(world, text):
    assert (await checked(world, text)).verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    "text",
    [
        f"Angeblich schreibt die Uferpartei: „{REAL}“",
        f"Die Uferpartei soll geschrieben haben: „{REAL}“",
        f"Ich habe gelesen, die Uferpartei schreibt: „{REAL}“",
        f"Allegedly the Uferpartei wrote: “{REAL}”",
        f"The Uferpartei is said to have written: “{REAL}”",
        f"Il paraît que la Uferpartei a écrit : « {REAL} »",
        f"La Uferpartei aurait écrit : « {REAL} »",
    ],
)
async def test_who_has_only_heard_of_a_quote_denies_nothing(world, text):
    assert (await checked(world, text)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "text",
    [
        f"Angeblich schreiben die Windmüller: „{REAL}“",
        f"Allegedly the Windmüller wrote: “{REAL}”",
        f"Angeblich hat die Uferpartei nie geschrieben: „{REAL}“",
    ],
)
async def test_what_is_only_heard_of_may_still_be_somebody_elses(world, text):
    assert (await checked(world, text)).verdict is Verdict.MISATTRIBUTED


async def test_who_says_it_is_no_part_of_a_quote_that_is_too_short(world):
    await world.add("hedge.pdf", "We oppose the hedge tax.", jurisdiction="xv", parties=("Windmüller",))
    whole = await checked(world, '"We oppose the hedge tax," says the Windmillers.')
    assert whole.verdict is Verdict.VERBATIM
    part = await checked(world, '"oppose the hedge tax," says the Windmillers.')
    assert part.verdict is Verdict.TOO_SHORT


@pytest.fixture
async def coast() -> World:
    """An alliance, its two members and what all three have written, with short sentences in it."""
    world = World(threshold=0.0)
    members = (Party(name="Dünenliste"), Party(name="Möwenpartei"))
    alliance = Party(name="Küstenbund", members=tuple(each.name for each in members))
    world.app.questions.searched.scoping.use(Registry(parties=(*members, alliance)))
    texts = {
        "Dünenliste": "Unterwegs am Meer\n\nDie Fähren fahren wieder jede Stunde, auch am Sonntag. "
        "Lärm macht krank. Wir, die Dünenliste, bauen tausend neue Wohnungen am alten Hafen. "
        "Hier gilt weiterhin freie Fahrt.",
        "Möwenpartei": "Wir halten den Hafen für kleine Boote offen. Hier gilt weiterhin freie Fahrt.",
        "Küstenbund": "Der Deich bei Lauen wird um einen Meter erhöht. Les bus restent gratuits. "
        "Lunch is free.",
    }
    for name, text in texts.items():
        await world.add(f"{name}.pdf", text, parties=(name,), doc_type=DocumentType.MANIFESTO)
    return world


@pytest.mark.parametrize(
    "text",
    [
        "Lärm macht krank.",
        "„Lärm macht krank.“",
        "Les bus restent gratuits",
        "Dünenliste: „Lärm macht krank.“",
    ],
)
async def test_a_short_sentence_is_a_quote_where_it_stands_as_a_whole(coast, text):
    assert (await checked(coast, text)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Lärm macht Spaß.",
            "jede Stunde, auch",
            "auch am Sonntag.",
            "Unterwegs am Meer",
            "krank.",
            "Lunch is",
        ),
        *("Les bus sont gratuits.", "Lunch is not free.", "Lunch ... is paid.", "ja", ""),
    ],
)
async def test_few_letters_are_no_quote_where_they_are_no_sentence(coast, text):
    assert (await checked(coast, text)).verdict is Verdict.TOO_SHORT


async def test_a_short_sentence_of_another_is_said_to_be_that_ones(coast):
    check = await checked(coast, "Möwenpartei: „Lärm macht krank.“")
    assert check.verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Wir [...] bauen tausend neue Wohnungen am alten Hafen.", Verdict.VERBATIM),
        ("Wir, (…), bauen tausend neue Wohnungen am alten Hafen.", Verdict.VERBATIM),
        ("Sie [...] bauen tausend neue Wohnungen am alten Hafen.", Verdict.ALTERED),
        ("Die [...] bauen tausend neue Wohnungen am alten Hafen.", Verdict.CUT),
        ("Lärm [...] bauen tausend neue Wohnungen am alten Hafen.", Verdict.ALTERED),
    ],
)
async def test_few_letters_before_an_ellipsis_stand_in_the_sentence_behind_it(coast, text, verdict):
    assert (await checked(coast, text)).verdict is verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Küstenbund: „Der Deich bei Lauen wird um einen Meter erhöht.“", Verdict.VERBATIM),
        ("Möwenpartei: „Der Deich bei Lauen wird um einen Meter erhöht.“", Verdict.VERBATIM),
        ("Küstenbund: „Hier gilt weiterhin freie Fahrt.“", Verdict.VERBATIM),
        ("Küstenbund: „Die Fähren fahren wieder jede Stunde, auch am Sonntag.“", Verdict.MISATTRIBUTED),
        ("„Wir halten den Hafen für kleine Boote offen.“ (Küstenbund)", Verdict.MISATTRIBUTED),
        ("Möwenpartei: „Die Fähren fahren wieder jede Stunde, auch am Sonntag.“", Verdict.MISATTRIBUTED),
    ],
)
async def test_an_alliance_has_said_what_all_its_members_have(coast, text, verdict):
    assert (await checked(coast, text)).verdict is verdict


@pytest.mark.parametrize(
    ("text", "odds", "turned"),
    [
        (f"Die Uferpartei gackert: „{REAL}“", 5.0, True),
        (f"„{REAL}“, gackert die Uferpartei", 5.0, True),
        (f"Die Uferpartei gackert: „{REAL}“", 0.5, False),
        (f"Die Uferpartei sagt es nie anders: „{REAL}“", 0.5, True),
        (f"Die Uferpartei sagt es nie anders: „{REAL}“", -2.0, False),
        (f"Die Uferpartei sagt es nie anders: „{REAL}“", -7.0, False),
        (f"Die Uferpartei, nicht die Windmüller, sagt: „{REAL}“", -7.0, False),
    ],
)
async def test_a_head_says_what_the_rules_cannot_tell(world, text, odds, turned):
    names = world.app.questions.searched.scoping.within(("public",))
    documents = await world.library.documents(("public",))
    read = AllegedText(text, names, documents)
    frames = read.frames()
    assert frames
    assert not any("Uferpartei" in frame for frame in frames)
    known = dict.fromkeys(frames, odds)
    assert bool(read.alleged(known).claimed.turned) is turned


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Laut der Uferpartei haben die Windmüller in ihrem Programm stehen: „{}“", Verdict.MISATTRIBUTED),
        ("Die Uferpartei zitiert die Windmüller mit „{}“", Verdict.MISATTRIBUTED),
        ("Windmüller (laut Uferpartei): „{}“", Verdict.MISATTRIBUTED),
        ("„{}“, sagen die Windmüller zur Uferpartei", Verdict.MISATTRIBUTED),
        ("Im Streit mit der Uferpartei erklärten die Windmüller: „{}“", Verdict.MISATTRIBUTED),
        ("Im Gegensatz zu den Windmüllern schreibt die Uferpartei: „{}“", Verdict.VERBATIM),
        ("Anders als die Windmüller schreibt die Uferpartei: „{}“", Verdict.VERBATIM),
        ("Unlike the Windmüller, the Uferpartei says: „{}“", Verdict.VERBATIM),
        ("Contrairement aux Windmüller, la Uferpartei dit : „{}“", Verdict.VERBATIM),
        ("Anders als die Uferpartei schreiben die Windmüller: „{}“", Verdict.MISATTRIBUTED),
        ("Unlike the Uferpartei, the Windmüller say: „{}“", Verdict.MISATTRIBUTED),
        ("Die Uferpartei schreibt: „{}“", Verdict.VERBATIM),
    ],
)
async def test_of_several_parties_each_has_said_it_or_it_is_not_told_whose_it_is(world, text, verdict):
    assert (await checked(world, text.format(REAL))).verdict is verdict


async def test_only_what_stands_beside_quoted_words_is_read(world):
    names = world.app.questions.searched.scoping.within(("public",))
    for text in (REAL, f"„{REAL}“", f"Uferpartei: {REAL}", f"{'so ' * 80}„{REAL}“"):
        assert AllegedText(text, names, ()).frames() == []
    assert AllegedText(f"Jemand sagt: „{REAL}“", names, ()).frames() == ["Jemand sagt: „…“"]


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("„{}“ – § 3 Abs. 1 Gesetz über die Brunnen", "„…“ – § 3 Abs. 1 Partei X"),
        ("Loi sur la pêche : « {} »", "Partei X : „…“"),
    ],
)
async def test_the_subject_of_a_law_is_no_word_about_a_quote(world, text, frame):
    names = world.app.questions.searched.scoping.within(("public",))
    assert AllegedText(text.format(REAL), names, ()).frames() == [frame]


@pytest.mark.parametrize(
    ("text", "odds", "verdict"),
    [
        (f"boah guck mal „{REAL}“ kein witz", -5.0, Verdict.VERBATIM),
        (f"„{REAL}“ – die Uferpartei halt", -7.0, Verdict.VERBATIM),
        (f"die Windmüller so: „{REAL}“ kein witz", -5.0, Verdict.MISATTRIBUTED),
        (f"„{REAL}“ hat sich jemand ausgedacht", 5.0, Verdict.MISATTRIBUTED),
        (f"„{REAL}“ kein witz, aber nicht für alle", 5.0, Verdict.MISATTRIBUTED),
    ],
)
async def test_a_head_reads_all_that_stands_round_a_quote(world, text, odds, verdict):
    questions = world.app.questions
    names = questions.searched.scoping.within(("public",))
    documents = await world.library.documents(("public",))
    read = AllegedText(text, names, documents)
    said = read.alleged(dict.fromkeys(read.frames(), odds))
    check = await questions.verifier.verify(
        said.words, scope=Scope(collections=("public",)), claimed=said.claimed, today=questions.clock.today()
    )
    assert check.verdict is verdict


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        *(("", f" {remark}") for remark in ("Finde ich gut.", "I like that!", "Enfin !", "Na endlich!")),
        *(("", f" {remark}") for remark in ("Das gefällt mir nicht", "– really?", "C'est vrai ?", "Wow")),
        *(("", f" {remark}") for remark in ("Das ist gut so.", "i doubt it", "Je n'y crois pas.")),
        *(("Stimmt es, dass da steht: ", "?"), ("Someone sent me this: ", " Can you check?")),
        ("Uferpartei: ", " Da bin ich dafür!"),
    ],
)
async def test_what_people_say_of_a_quote_is_none_of_its_words(world, before, behind):
    assert (await checked(world, f"{before}„{REAL}“{behind}")).verdict is Verdict.VERBATIM
    assert (await checked(world, f"{before}„{REAL.replace('15', '18')}“{behind}")).verdict is Verdict.ALTERED


@pytest.mark.parametrize("remark", [", und das ist gut so", ". Da bin ich dafür!", " – das klingt gut"])
async def test_a_remark_may_stand_behind_a_quote_without_its_full_stop(world, remark):
    assert (await checked(world, f"„{REAL[:-1]}“{remark}")).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "behind",
    [
        *(" nicht", " nicht mehr.", ", und die Rente wird abgeschafft", ", aber nur für Beamte."),
        *(" Außerdem wird die Rente abgeschafft.", " Die Steuern verdoppeln sich.", " Das gilt ab 2030."),
        *(" But only for residents.", " The ferry will be sold.", " Mais seulement le dimanche."),
        *(" Das ist für Beamte vorgesehen.", " My party sells the ferry."),
        *(
            " I will also sell the ferry.",
            " Ich senke die Steuern.",
            " et les adultes aussi",
            " sauf en été.",
        ),
    ],
)
async def test_what_goes_on_with_a_quoted_sentence_is_no_remark(world, behind):
    for words in (REAL, REAL[:-1]):
        assert (await checked(world, f"„{words}“{behind}")).verdict is not Verdict.VERBATIM


@pytest.mark.parametrize(
    "text",
    [
        f"Ich habe gelesen, die Grünen schreiben: „{REAL}“",
        f"Grüne? „{REAL}“",
        f"„{REAL}“ Steht das so bei den Windmüllern?",
    ],
)
async def test_a_remark_that_tells_whose_a_quote_is_is_read(world, text):
    assert (await checked(world, text)).verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Wir bauen tausend neue Wohnungen am alten Hafen.", Verdict.CUT),
        ("Wir, die Dünenliste, bauen neue Wohnungen am alten Hafen.", Verdict.CUT),
        ("Die Fähren fahren wieder, auch am Sonntag.", Verdict.CUT),
        ("Wir, die Dünenliste, bauen tausend alte Wohnungen am Hafen.", Verdict.ALTERED),
        ("Die Fähren fahren wieder tausend neue Wohnungen am alten Hafen.", Verdict.ALTERED),
    ],
)
async def test_what_lacks_words_of_a_sentence_is_cut(coast, text, verdict):
    check = await checked(coast, text)
    assert check.verdict is verdict
    if verdict is Verdict.CUT and (setting := check.settings[0]):
        (start, end), *more = setting.left_out
        assert not more
        assert setting.text[start:end] in ("die Dünenliste,", "tausend", "jede Stunde,")
