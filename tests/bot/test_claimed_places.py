"""What alleged quotes claim of where they stand and of who says what, before and behind the words."""

from datetime import date

import pytest

from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts
from bot.presentation.views.answers import check_view
from bot.presentation.wording.checks import check_text
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from tests.support.fake_pdf import text_reading
from tests.support.world import World, request

HAFEN = (
    """§ 1 Zweck

Dieses Gesetz ordnet den Betrieb der Häfen an der Au.

§ 2 Begriffe

(1) Hafen ist jede Anlage zum Anlegen von Booten.

(2) Boot ist jedes Wasserfahrzeug von mehr als drei Metern Länge.
""",
    """§ 3 Liegegebühr

(1) Wer ein Boot anlegt, zahlt eine Gebühr von zwei Talern.

(2) Die Gebühr wird im Voraus entrichtet.

§ 5 Ruhezeiten

(1) Zwischen zehn Uhr abends und sechs Uhr morgens ruhen die Motoren.
""",
)
ACT = (
    """1. Short title

This Act may be cited as the Harbour Act 2019.

4. Fees

(1) A harbour master shall

(a) keep a register of every boat in the harbour; and

(b) collect the fee from the owner of the boat.

5. Lost property

(1) Lost property is kept for ninety days by the harbour master.

6. Boats

(1) Every boat has a name.

7. Noise

(1) No engine shall run in the harbour between ten and six.
""",
)
LOI = (
    """Article 1 Objet

La présente loi règle la navigation sur le lac.

Article 3 Redevance

(1) Le propriétaire inscrit son bateau au registre du port.

(2) Il paie une redevance de douze thalers par an et par bateau.

Article 5 Silence

(1) Les moteurs se taisent entre dix heures du soir et six heures du matin.
""",
)
REAL = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
REST = "Zwischen zehn Uhr abends und sechs Uhr morgens ruhen die Motoren."
BOOT = "Boot ist jedes Wasserfahrzeug von mehr als drei Metern Länge."
FEE = "Die Gebühr wird im Voraus entrichtet."
NOISE = "No engine shall run in the harbour between ten and six."
COLLECT = "collect the fee from the owner of the boat."
LOST = "Lost property is kept for ninety days by the harbour master."
REDEV = "Il paie une redevance de douze thalers par an et par bateau."
SILENCE = "Les moteurs se taisent entre dix heures du soir et six heures du matin."
BEGIN = "Die Mieten sollen nicht schneller steigen als die Löhne."


@pytest.fixture
async def world() -> World:
    world = await World(threshold=0.0).with_registry()
    paper = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO, "parties": ("Uferpartei",)}
    law = {"jurisdiction": "xv", "doc_type": DocumentType.ACT}
    world.pdf.documents["ufer21.pdf"] = text_reading(
        "Wir bauen 4.000 Wohnungen am Fluss.", f"Mieten\n\n{BEGIN}"
    )
    await world.ingest(
        request("ufer21.pdf", title="Wahlprogramm der Uferpartei 2021", valid_from=date(2021, 5, 1), **paper)
    )
    own = ("Die Mieten werden für drei Jahre eingefroren.", "Alles wird gut am Fluss, sagen wir.", REAL)
    dated = {**paper, "valid_from": date(2025, 5, 1)}
    await world.add("ufer25.pdf", *own, title="Wahlprogramm der Uferpartei 2025", **dated)
    other = {**dated, "parties": ("Windmüller",)}
    text = "Einen Mindestlohn lehnen wir ab. Löhne handeln die Tarifpartner aus, nicht der Staat."
    await world.add("wind25.pdf", text, title="Programm der Windmüller 2025", **other)
    await world.add("hafen.pdf", *HAFEN, title="Hafengesetz", valid_from=date(2025, 1, 1), **law)
    await world.add("harbour.pdf", *ACT, title="Harbour Act 2019", language="en", **law)
    title = "Loi sur la navigation"
    await world.add("loi.pdf", *LOI, title=title, language="fr", valid_from=date(2020, 1, 1), **law)
    return world


async def checked(world: World, text: str, **options: object) -> QuoteCheck:
    return await world.app.questions.verify(text, ScopeOptions(**options))  # type: ignore[arg-type]


def said(check: QuoteCheck, language: str = "de") -> str:
    return check_text(check_view("", check, {}), Texts(language))


def marked(words: str) -> tuple[str, str]:
    return words, f"„{words}“"


async def wrong(world: World, forms: str, words: str, *wanted: Verdict) -> list[str]:
    """Those of `forms`, one a line with {} for the words, plain and in marks, that are not judged so."""
    texts = [form.strip().format(quote) for form in forms.strip().splitlines() for quote in marked(words)]
    return [text for text in texts if (await checked(world, text)).verdict not in wanted]


RIGHT_LAW = """
    Hafengesetz, § 5: {}
    Hafengesetz 2025: {}
    In § 5 Hafengesetz steht: {}
    {} (§ 5 Hafengesetz)
    {} (Hafengesetz 2025, § 5)
    {} (HafenG § 5)
    § 5 Abs. 1 HafenG: {}
    Laut § 5 des Hafengesetzes: {}
    {} – Hafengesetz, § 5
    {} (siehe § 5 Abs. 1 S. 1 HafenG)
    Hafengesetz (§ 5): {}
    {} (Hafengesetz, S. 2)
    {} (vgl. S. 2)
    {} (S. 1-2)
    {} (ebd.)
    {} (ebd., S. 2)
    {} (a. a. O.)
    {} [1]
    {} (Hafengesetz § 5) [3]
    {} (Hervorhebung im Original)
    {} (Quelle: Hafengesetz, § 5)
    {} (Hafengesetz vom 1. Januar 2025)
"""
WRONG_LAW = """
    Hafengesetz, § 3: {}
    Hafengesetz 2010: {}
    In § 3 Hafengesetz steht: {}
    {} (§ 3 Hafengesetz)
    {} (Hafengesetz 2010, § 5)
    {} (HafenG § 3)
    § 3 Abs. 1 HafenG: {}
    Laut § 3 des Hafengesetzes: {}
    {} – Hafengesetz, § 3
    {} (siehe § 3 HafenG)
    Hafengesetz (§ 3): {}
    {} (Hafengesetz, S. 1)
    {} (vgl. S. 1)
    {} (S. 7 f.)
    {} (§ 5 BGB)
    {} (Art. 5 GG)
    {} (§§ 2, 3 HafenG)
    § 500: {}
    {} (Seegesetz, § 5)
    {} (Hafengesetz vom 1. Januar 2020)
    Hafengesetz vom 3. Mai 2010: {}
"""
RIGHT_PROGRAMME = """
    {} (Uferpartei, Wahlprogramm 2025, S. 3)
    {} (Uferpartei 2025, S. 3)
    Uferpartei-Programm 2025, S. 3: {}
    Wahlprogramm der Uferpartei von 2025: {}
    Im Wahlprogramm 2025 der Uferpartei steht auf S. 3: {}
    {} – Uferpartei, Wahlprogramm 2025, S. 3
    Aus dem Wahlprogramm der Uferpartei (2025), S. 3 f.: {}
    Wahlprogramm 2025: {}
    {} (p. 3)
    {}[1]
    Uferpartei, S. 2–3: {}
    Riverside Party manifesto 2025, p. 3: {}
"""
WRONG_PROGRAMME = """
    {} (Uferpartei, Wahlprogramm 2021, S. 3)
    {} (Uferpartei 2025, S. 1)
    Uferpartei-Programm 2021, S. 4: {}
    Uferpartei-Programm 2025, S. 1: {}
    Wahlprogramm der Uferpartei von 2021: {}
    Im Wahlprogramm 2021 der Uferpartei steht auf S. 3: {}
    {} – Uferpartei, 2021
    In ihrem Programm von 2021 schreibt die Uferpartei: {}
    {} (Windmüller 2025, S. 3)
    Wahlprogramm 2021: {}
    {} (p. 1)
    Seite 1 im Wahlprogramm der Uferpartei: {}
    Riverside Party manifesto 2021: {}
"""
RIGHT_ACT = """
    Section 7 of the Harbour Act: {}
    Harbour Act, s. 7: {}
    {} (Harbour Act 2019, s. 7(1))
    According to section 7 of the Harbour Act 2019: {}
    {} — Harbour Act, section 7
    {} (ibid., s. 7)
    {} (cf. s. 7)
    {} (see p. 1)
    {} (emphasis added)
    {} [2]
    {} (op. cit., p. 1)
    The Harbour Act says in section 7: {}
"""
WRONG_ACT = """
    Section 5 of the Harbour Act: {}
    Harbour Act, s. 5: {}
    {} (Harbour Act 2010, s. 7(1))
    According to section 5 of the Harbour Act 2019: {}
    {} — Harbour Act, section 5
    {} (ibid., s. 5)
    {} (s. 4(1)(b))
    {} (see p. 4)
    Recital 7 of the Harbour Act: {}
    {} (Harbour Rules 2019, s. 7)
    Lighthouse Act, section 7: {}
"""
RIGHT_LOI = """
    {} (art. 3, al. 2)
    Article 3 de la loi sur la navigation : {}
    Loi sur la navigation, art. 3 : {}
    {} (article 3, alinéa 2)
    {} (ibid.)
    {} (cf. p. 1)
    L'article 3 de la loi sur la navigation dispose : {}
    D'après la loi sur la navigation : {}
    {} (Loi sur la navigation 2020)
    {} (loi du 1er janvier 2020, art. 3)
"""
WRONG_LOI = """
    {} (art. 3, al. 1)
    Article 5 de la loi sur la navigation : {}
    Loi sur la navigation, art. 5 : {}
    {} (article 5, alinéa 2)
    {} (cf. p. 3)
    L'article 5 de la loi sur la navigation dispose : {}
    {} (Loi sur la navigation 2010)
    {} (Loi sur la pêche, art. 3)
    Code du port, art. 3 : {}
"""
RIGHTS = [(RIGHT_LAW, REST), (RIGHT_PROGRAMME, REAL), (RIGHT_ACT, NOISE), (RIGHT_LOI, REDEV)]
WRONGS = [(WRONG_LAW, REST), (WRONG_PROGRAMME, REAL), (WRONG_ACT, NOISE), (WRONG_LOI, REDEV)]


@pytest.mark.parametrize(("forms", "words"), RIGHTS, ids=["law", "programme", "act", "loi"])
async def test_words_that_stand_where_they_are_said_to_are_verbatim(world, forms, words):
    assert await wrong(world, forms, words, Verdict.VERBATIM) == []


@pytest.mark.parametrize(("forms", "words"), WRONGS, ids=["law", "programme", "act", "loi"])
async def test_words_that_stand_elsewhere_than_they_are_said_to_are_misattributed(world, forms, words):
    assert await wrong(world, forms, words, Verdict.MISATTRIBUTED) == []


async def test_a_sub_division_is_compared_where_it_is_known(world):
    right = "{} (§ 2 Abs. 2 HafenG)\n§ 2 Absatz 2: {}\n{} (§ 2 II HafenG)\n§ 2 (2) HafenG: {}"
    assert await wrong(world, right, BOOT, Verdict.VERBATIM) == []
    false = "{} (§ 2 Abs. 1 HafenG)\n§ 2 Absatz 1: {}\n{} (§ 2 I HafenG)\n§ 2 (1) HafenG: {}"
    assert await wrong(world, false, BOOT, Verdict.MISATTRIBUTED) == []
    assert await wrong(world, "{} (s. 4(1)(b))\nSection 4(1)(b): {}", COLLECT, Verdict.VERBATIM) == []


@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_where_words_stand_instead_is_said(world, language):
    assert "Hafengesetz, § 5" in said(await checked(world, f"§ 3 HafenG: {REST}"), language)
    assert "Wahlprogramm der Uferpartei 2025" in said(
        await checked(world, f"Uferpartei 2021: „{REAL}“"), language
    )
    page = said(await checked(world, f"„{REAL}“ (S. 1)"), language).splitlines()[0]
    assert page.endswith(("S. 3", "p. 3"))


DENYING = """
    Die Uferpartei bestreitet: {}
    Die Uferpartei lehnt ab: {}
    Die Uferpartei warnt vor: {}
    Die Uferpartei weist zurück: {}
    Die Uferpartei will verhindern: {}
    Die Uferpartei ist gegen: {}
    Falsch ist: {}
    Unwahr: {}
    Stimmt nicht: {}
    {} (falsch)
    The Riverside Party denies: {}
    The Riverside Party warns against: {}
    The Riverside Party doesn't say: {}
    It is false that: {}
    False: {}
    La Uferpartei nie : {}
    La Uferpartei s'oppose à : {}
    La Uferpartei met en garde contre : {}
    Il est faux que : {}
    Ce n'est pas vrai : {}
"""
SAYING = """
    Die Uferpartei fordert: {}
    Die Uferpartei verspricht: {}
    Die Uferpartei stellt klar: {}
    Uferpartei warnt: {}
    The Riverside Party says: {}
    According to the Riverside Party: {}
    La Uferpartei écrit : {}
    Selon la Uferpartei : {}
"""


async def test_words_that_a_frame_turns_are_not_what_is_claimed(world):
    assert await wrong(world, DENYING, REAL, Verdict.MISATTRIBUTED) == []
    assert await wrong(world, SAYING, REAL, Verdict.VERBATIM) == []
    for text in (f"„{REAL}“, bestreitet die Uferpartei", f"„{REAL}“ – das ist falsch", f"„{REAL}“ is false"):
        assert (await checked(world, text)).verdict is Verdict.MISATTRIBUTED
    for text in ("Ist das richtig oder falsch: {}", "True or false: {}", "Vrai ou faux : {}"):
        assert (await checked(world, text.format(f"„{REAL}“"))).verdict is Verdict.VERBATIM


@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_what_turns_the_words_is_named(world, language):
    check = await checked(world, f"Die Uferpartei bestreitet: „{REAL}“")
    assert "Die Uferpartei bestreitet" in said(check, language).splitlines()[0]
    assert check_view("", check, {}).json_object["claimed"]["turned"] == "Die Uferpartei bestreitet"


async def test_words_that_a_document_turns_itself_are_cut(world):
    assert (
        await checked(world, "Die Windmüller lehnen ab: „Einen Mindestlohn“")
    ).verdict is not Verdict.VERBATIM


@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_a_filter_is_named_and_where_words_stand_outside_of_it(world, language):
    check = await checked(world, REAL, parties=("Windmüller",))
    assert check.verdict is Verdict.ABSENT
    lines = said(check, language).splitlines()
    assert "Windmüller" in lines[0]
    assert "Wahlprogramm der Uferpartei 2025" in lines[1]
    assert "p. 3" in lines[1] or "S. 3" in lines[1]
    view = check_view("", check, {}).json_object
    assert view["filtered"]["within"] == "Windmüller"
    assert [each["page"] for each in view["filtered"]["outside"]] == [3]


async def test_what_stands_nowhere_is_not_said_to_stand_outside_of_a_filter(world):
    check = await checked(world, "Die Brücke bekommt im Sommer ein neues Geländer.", parties=("Windmüller",))
    assert check.filtered is not None
    assert check.filtered.outside == ()
    assert "Windmüller" in said(check)


async def test_what_may_not_be_seen_stands_nowhere_outside_of_a_filter(world):
    secret = "Der Fährmann bekommt bis zum Herbst ein heimliches Boot."
    await world.add("geheim.pdf", secret, jurisdiction="xv", collection="internal")
    check = await checked(world, secret, parties=("Windmüller",))
    assert check.filtered is not None
    assert check.filtered.outside == ()


async def test_words_within_a_filter_say_nothing_of_it(world):
    check = await checked(world, REAL, parties=("Uferpartei",))
    assert (check.verdict, check.filtered) == (Verdict.VERBATIM, None)


async def test_a_claimed_page_by_option_goes_before_that_in_the_text(world):
    questions = world.app.questions
    check = await questions.verify(f"„{REAL}“ (S. 1)", ScopeOptions(), page=3)
    assert check.verdict is Verdict.VERBATIM
    check = await questions.verify(f"Uferpartei: „{REAL}“", ScopeOptions(), party="Windmüller")
    assert check.verdict is Verdict.MISATTRIBUTED


HOUSES = "Wir bauen vierhundert neue Wohnungen am Fluss."


@pytest.fixture
async def chapters(world: World) -> World:
    await world.add(
        "kapitel.pdf",
        "Häfen\n\nDer Hafen erzeugt 12 GWh Strom im Jahr. Die Fähren fahren auch in der Nacht.",
        f"Wohnen am Wasser\n\nDie Insel bleibt im Besitz der Gemeinde. {HOUSES}",
        title="Programm der Uferpartei 2026",
        jurisdiction="xv",
        doc_type=DocumentType.MANIFESTO,
        parties=("Uferpartei",),
    )
    return world


@pytest.mark.parametrize("chapter", ["Häfen", "„Häfen“", "Verkehr"])
@pytest.mark.parametrize(
    "shape",
    [
        "Kapitel {c}: „{q}“",
        "Uferpartei, Kapitel {c}: „{q}“",
        "Die Uferpartei schreibt im Kapitel {c}: „{q}“",
        "Im Abschnitt {c} steht: „{q}“",
        "„{q}“ (Uferpartei, Kapitel {c})",
        "Uferpartei, chapter {c}: “{q}”",
    ],
)
async def test_words_stand_in_the_chapter_that_is_named_or_not_there(chapters, chapter, shape):
    there = shape.format(c=chapter, q=HOUSES)
    assert (await checked(chapters, there)).verdict is Verdict.MISATTRIBUTED
    for own in ("Wohnen am Wasser", "Wohnen"):
        right = there.replace("Häfen", own).replace("Verkehr", own)
        assert (await checked(chapters, right)).verdict is Verdict.VERBATIM, right


SOLO = "Wir sprengen am Ufer keine Felsen und keine Riffe."


@pytest.fixture
async def papers(world: World) -> World:
    party = {"jurisdiction": "xv", "parties": ("Uferpartei",)}
    await world.add(
        "grund.pdf",
        SOLO,
        title="Im Fluss",
        doc_type=DocumentType.BASIC_PROGRAMME,
        valid_from=date(2019, 5, 1),
        **party,
    )
    return world


@pytest.mark.parametrize(
    "frame",
    [
        "Im Grundsatzprogramm der Uferpartei steht:",
        "Uferpartei, Grundsatzprogramm 2019:",
        "Die Uferpartei („Im Fluss“, 2019) schreibt:",
        "Die Uferpartei lehnt Sprengungen ab:",
        "Die Uferpartei ist gegen Sprengungen:",
        "Aus dem Grundsatzprogramm der Uferpartei:",
        "Die Uferpartei antwortet ihren Gegnern:",
    ],
)
async def test_the_paper_and_the_frame_that_are_right(papers, frame):
    assert (await checked(papers, f"{frame} „{SOLO}“")).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "frame",
    [
        "Im Wahlprogramm der Uferpartei steht:",
        "Im Koalitionsvertrag schreibt die Uferpartei:",
        "Die Uferpartei lehnt den Satz ab:",
        "Die Uferpartei und die Windmüller schreiben:",
        "Aus dem Programm der Uferpartei gestrichen:",
        "Gegner der Uferpartei sagen:",
        "Critics of the Uferpartei say:",
    ],
)
async def test_the_paper_and_the_frame_that_are_wrong(papers, frame):
    assert (await checked(papers, f"{frame} „{SOLO}“")).verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    "shape", ["Im Kapitel über {c} schreibt die Uferpartei: „{q}“", "„{q}“ (Uferpartei, {c})"]
)
async def test_a_chapter_may_be_named_by_what_it_is_about(chapters, shape):
    about = ("Wohnen", "Häfen") if "über" in shape else ("Kapitel Wohnen", "Präambel")
    assert (await checked(chapters, shape.format(c=about[0], q=HOUSES))).verdict is Verdict.VERBATIM
    assert (await checked(chapters, shape.format(c=about[1], q=HOUSES))).verdict is Verdict.MISATTRIBUTED
