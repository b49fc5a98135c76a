"""What a document says right before and right after a quote, in documents as they are read and cut."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from textwrap import wrap

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from bot.mcp.tools import check_words
from bot.presentation.i18n import Texts
from bot.presentation.views.answers import SentenceView, check_view
from bot.presentation.wording.checks import check_text
from core.answering.neighbours import LONGEST, Neighbours, neighbours_of
from core.answering.quote_check import QuoteCheck
from core.answering.quote_places import Claimed
from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from core.domain.pages import Doubt
from core.domain.scope import Scope
from tests.support.pdfs import saved, written
from tests.support.world import World, request

RULES = """Parkordnung der Stadt Seemoor

§ 1 Hunde

(1) Hunde sind im Park an der Leine erlaubt. Anwohner sind davon ausgenommen.

(2) Auf der Spielwiese gilt Absatz 1 nicht.

§ 2 Baden

Das Baden im Teich ist verboten. Erlaubt ist es:
a) den Schwimmvereinen am Samstag,
b) den Schulen im Juli und im August.

§ 3 Feuer

Offenes Feuer ist im ganzen Park verboten."""

MINUTES = """Report of the harbour meeting

The report covers the meeting in the old customs house, which was opened
by the chair at seven and closed by her deputy shortly before midnight.
The board planned a levy on every mooring. The majority voted it down.

A tunnel was discussed at length and in the presence of two engineers, who
had brought their drawings with them and explained each of them in turn.
A second bridge is to be built by the ferry.

Open questions

The dredging of the old basin has not been decided."""

CHARTE = """Charte du marché

Les chiens sont admis dans la halle du marché. Les riverains n'en bénéficient pas.

Les étals ferment à midi le samedi."""


Made = Callable[..., Awaitable[World]]


@pytest.fixture(scope="module")
def toolkit() -> Iterator[PyMuPdfToolkit]:
    kit = PyMuPdfToolkit()
    yield kit
    asyncio.run(kit.close())


@pytest.fixture
def world_with(toolkit: PyMuPdfToolkit, tmp_path: Path) -> Made:
    """Makes a world with a PDF of a text, as it is read; a form feed begins a page."""

    async def made(text: str, language: str, doc_type: DocumentType = DocumentType.RULES) -> World:
        pages = ["\n\n".join(map(wrapped, page.split("\n\n"))) for page in text.split("\f")]
        world = await World(threshold=0.0).with_registry()
        world.pdf.documents["own.pdf"] = await toolkit.read(saved(written(*pages), tmp_path / "own.pdf"))
        await world.ingest(request("own.pdf", title="Own", language=language, doc_type=doc_type))
        return world

    return made


def wrapped(paragraph: str) -> str:
    """A paragraph in lines as wide as the page."""
    return "\n".join(part for line in paragraph.split("\n") for part in wrap(line, 70))


async def checked(world: World, quote: str) -> QuoteCheck:
    verifier = world.app.questions.verifier
    scope = Scope(collections=("public",))
    return await verifier.verify(quote, scope=scope, claimed=Claimed(), today=date(2025, 6, 1))


@pytest.mark.parametrize(
    ("language", "text", "quote", "expected"),
    [
        ("de", RULES, "Hunde sind im Park an der Leine erlaubt.", "Anwohner sind davon ausgenommen."),
        ("de", RULES, "Anwohner sind davon ausgenommen.", "(2) Auf der Spielwiese gilt Absatz 1 nicht."),
        (
            "de",
            RULES,
            "Das Baden im Teich ist verboten.",
            "Erlaubt ist es: a) den Schwimmvereinen am Samstag,",
        ),
        ("en", MINUTES, "The board planned a levy on every mooring.", "The majority voted it down."),
        (
            "fr",
            CHARTE,
            "Les chiens sont admis dans la halle du marché.",
            "Les riverains n'en bénéficient pas.",
        ),
    ],
)
async def test_a_verdict_says_how_the_document_goes_on(
    world_with: Made, language: str, text: str, quote: str, expected: str
) -> None:
    doc_type = DocumentType.RULES if text is RULES else DocumentType.GUIDANCE
    check = await checked(await world_with(text, language, doc_type), quote)
    view = check_view(quote, check, {})
    assert check.verdict is Verdict.VERBATIM
    assert view.matches[0].following == expected
    lines = check_text(view, Texts(language)).replace("\N{WORD JOINER}", "").splitlines()
    said = Texts(language)("verify.following", words="|").split("|")[0]
    shown = next(line for line in lines if line.startswith(said))
    assert expected in shown


async def test_it_is_said_below_a_misspelt_quote_and_to_programs(world_with: Made) -> None:
    check = await checked(await world_with(RULES, "de"), "Hunde sind im Park an der Liene erlaubt.")
    assert check.verdict is Verdict.TYPO
    view = check_view("", check, {})
    assert "Weiter heißt es dort: „Anwohner sind davon ausgenommen." in check_text(view, Texts("de"))
    assert 'it goes on: "Anwohner sind davon ausgenommen."' in check_words(view)


async def test_what_the_whole_sentence_shows_is_not_said_again(world_with: Made) -> None:
    check = await checked(await world_with(RULES, "de"), "Hunde sind im Park an der Leine erlaubt.")
    view = check_view("", check, {})
    (match,) = view.matches
    whole = SentenceView(text=f"{match.quote} {match.following}", left_out=(), why=None)
    shown = view.model_copy(update={"matches": (match.model_copy(update={"sentence": whole}),)})
    assert "Weiter heißt es dort" in check_text(view, Texts("de"))
    assert "Weiter heißt es dort" not in check_text(shown, Texts("de"))


@pytest.mark.parametrize(
    ("language", "text", "quote"),
    [
        ("de", RULES, "Auf der Spielwiese gilt Absatz 1 nicht."),  # another article follows
        ("de", RULES, "b) den Schulen im Juli und im August."),
        ("de", RULES, "Offenes Feuer ist im ganzen Park verboten."),  # the last words
        ("en", MINUTES, "The majority voted it down."),  # another paragraph
        ("en", MINUTES, "A second bridge is to be built by the ferry."),  # a heading
        ("fr", CHARTE, "Les riverains n'en bénéficient pas."),
    ],
)
@pytest.mark.parametrize("rules", [True, False])
async def test_at_the_end_of_its_part_nothing_is_said(
    world_with: Made, language: str, text: str, quote: str, *, rules: bool
) -> None:
    doc_type = DocumentType.RULES if rules else DocumentType.MANIFESTO
    check = await checked(await world_with(text, language, doc_type), quote)
    assert check.matches
    assert not any(check.following)
    assert check_view(quote, check, {}).matches[0].following is None


async def test_rows_stand_for_themselves(world_with: Made) -> None:
    text = (
        "Gebührenordnung\n\nDie Gebühren sind:\n\nMahnung der ersten Stufe .... 5,00 EUR\n"
        "Mahnung der zweiten Stufe .... 9,00 EUR\nErsatz für den Ausweis .... 12,00 EUR"
    )
    world = await world_with(text, "de")
    check = await checked(world, "Mahnung der ersten Stufe .... 5,00 EUR")
    assert check.matches
    assert not any(check.following)


async def test_a_provision_goes_on_in_its_next_passage(world_with: Made) -> None:
    paragraphs = [
        f"({n}) Der Hafenmeister führt über das Becken {n} ein eigenes Buch, in dem jedes Boot mit seinem"
        " Namen, seiner Länge, seinem Tiefgang und dem Tag seiner Ankunft eingetragen wird."
        f" Wer im Becken {n} ankert, meldet sich binnen eines Tages."
        for n in range(1, 13)
    ]
    first, rest = "\n\n".join(paragraphs[:6]), "\n\n".join(paragraphs[6:])
    world = await world_with(
        f"§ 1 Becken\n\n{first}\f{rest}\n\n§ 2 Ende\n\nAlles Weitere regelt der Rat.",
        "de",
        DocumentType.RULES,
    )
    checks = [
        await checked(world, f"Wer im Becken {n} ankert, meldet sich binnen eines Tages.")
        for n in range(1, 13)
    ]
    said = [each.following[0] for each in checks]
    assert [each.startswith(f"({n}) ") for n, each in enumerate(said, start=2)] == [*[True] * 11, False]
    assert said[-1] == ""
    passages = {each.matches[0].passage for each in checks}
    assert len(passages) > 1
    for n, check in enumerate(checks, start=1):
        before = (await neighbours_of(world.app.library, check.matches[0])).before
        assert before is not None
        assert before.text.startswith(f"({n}) Der Hafenmeister")


async def test_a_long_sentence_is_cut_at_a_word(world_with: Made) -> None:
    more = (
        "Davon sind ausgenommen " + ", ".join(f"die Anlieger der Gasse Nummer {n}" for n in range(20)) + "."
    )
    text = f"Ordnung\n\nDie Gasse ist für Wagen gesperrt. {more}"
    check = await checked(await world_with(text, "de"), "Die Gasse ist für Wagen gesperrt.")
    found = check.following[0]
    assert found.endswith(" …")
    assert more.startswith(found.removesuffix(" …"))
    assert LONGEST - 20 < len(found) <= LONGEST + 2


async def test_what_a_reader_does_not_see_is_not_said(world_with: Made) -> None:
    world = await world_with(f"{MINUTES}\f{CHARTE}", "en", DocumentType.GUIDANCE)
    check = await checked(world, "The board planned a levy on every mooring.")
    world.pdf.doubts["own.pdf", 1] = Doubt.NO_INK
    sight = world.app.questions.verifier._sight
    assert await neighbours_of(world.app.library, check.matches[0], sight) == Neighbours()


async def test_a_stored_citation_has_its_neighbours(world_with: Made) -> None:
    world = await world_with(MINUTES, "en", DocumentType.GUIDANCE)
    check = await checked(world, "The majority voted it down.")
    found = await neighbours_of(world.app.library, check.matches[0])
    assert found.before is not None
    assert found.before.text == "The board planned a levy on every mooring."
    assert found.before.pages == (1,)
    assert found.after is None
    assert await neighbours_of(world.app.library, replace(check.matches[0], passage=None)) == Neighbours()


async def test_words_that_are_elsewhere_in_the_document_differ_from_the_quote(world_with: Made) -> None:
    world = await world_with(MINUTES, "en", DocumentType.GUIDANCE)
    check = await checked(world, "The board planned a levy on every bicycle.")
    assert check.verdict in (Verdict.ALTERED, Verdict.NEAR)
    assert check.following == ()
