"""Whose words sentences are by what stands round them: they are neither chosen nor shown."""

from dataclasses import replace

import pytest

from adapters.embedding.use import UseEmbedder
from core.answering.extractive.own_words import in_own_words, said_in
from core.answering.extractive.sentences import sentences_in
from core.answering.voice_head import SURE, VoiceHead, beside
from core.domain.documents import DocumentType, Edition
from core.domain.search import Hit
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder
from tests.support.search_world import edition, passage

HEAD = VoiceHead(UseEmbedder(models_dir()))
TOLD = (
    "Der Bürgermeister behauptet, die Fähre sei zu teuer. Sie müsse verkauft werden."
    " Die Insel sei auch mit dem Auto zu erreichen."
)
OWN = "Wir lassen die Fähre stündlich fahren. Die Karte kostet zwei Taler."
FORMER = "Vor acht Jahren haben wir selbst noch die Brücke gefordert. Davon sind wir abgekommen."


def programme(language: str = "de") -> Edition:
    fields = {"doc_type": DocumentType.MANIFESTO, "parties": ("Uferpartei",)}
    return edition("ufer", title="Programm der Uferpartei", language=language, **fields)


def _hit(text: str) -> Hit:
    of = programme()
    return Hit(passage=passage(of, 0, text), edition=of, score=1.0, found_by=("dense",))


@pytest.mark.parametrize("number", [1, 2])
async def test_what_goes_on_with_others_words_is_heard(number: int) -> None:
    of = programme()
    _, said = said_in(passage(of, 0, f"{TOLD} {OWN}"), of.document.fields, None)
    chances = await HEAD.foreign(said, range(len(said)), of.document.fields)
    assert chances[number] > SURE
    assert max(chances[3], chances[4]) < SURE


async def test_former_positions_are_heard() -> None:
    of = programme()
    _, said = said_in(passage(of, 0, f"{OWN} {FORMER}"), of.document.fields, None)
    chances = await HEAD.foreign(said, range(len(said)), of.document.fields)
    assert chances[2] > SURE
    assert max(chances[0], chances[1]) < SURE


async def test_only_own_words_are_left_and_shown() -> None:
    scored = [replace(each, score=1.0) for each in sentences_in([_hit(f"{OWN} {TOLD}")])]
    own = await in_own_words(HEAD, scored)
    assert {each.text for each in own} >= set(OWN.replace(". ", ".\n").split("\n"))
    assert not any("müsse" in each.text for each in own)
    assert all(each.barred for each in own)


async def test_another_encoder_hears_nothing() -> None:
    head = VoiceHead(FakeEmbedder(512))
    assert not head.hears
    scored = sentences_in([_hit(f"{OWN} {TOLD}")])
    assert await in_own_words(head, scored) == scored


def test_what_stands_beside_a_sentence_is_under_its_heading() -> None:
    of = programme()
    text = f"Fähre\n{OWN}\nFrüheres\n{FORMER}"
    _, said = said_in(passage(of, 0, text), of.document.fields, None)
    assert [each.heads for each in said] == [("Fähre",), ("Fähre",), ("Früheres",), ("Früheres",)]
    assert beside(said, 2) == ([], [3])


NOTICES = (
    (
        "de",
        "Hinweise",
        ("Der Brandschutz prüft die Zelte am Vortag.", "Hausschuhe bringt jedes Kind selbst mit."),
    ),
    ("en", "Fair", ("Fire officers inspect the tents the day before.", "The tag must be worn visibly.")),
    ("fr", "Fête", ("Il faut une autorisation pour la buvette.", "Les pompiers contrôlent les tentes.")),
)


@pytest.mark.parametrize(("language", "title", "lines"), NOTICES)
async def test_nobody_is_heard_in_a_notice_that_points_to_nobody(
    language: str, title: str, lines: tuple[str, ...]
) -> None:
    of = edition("notice", title=title, language=language)
    _, said = said_in(passage(of, 0, "\n".join((title, *lines))), of.document.fields, None)
    assert max((await HEAD.foreign(said, range(len(said)), of.document.fields)).values()) == 0
    party = replace(of.document.fields, parties=("Uferpartei",))
    assert max((await HEAD.foreign(said, range(len(said)), party)).values()) > 0


async def test_reported_words_are_heard_in_any_document() -> None:
    of = edition("minutes", title="Protokoll", language="de")
    _, said = said_in(passage(of, 0, TOLD), of.document.fields, None)
    assert (await HEAD.foreign(said, range(len(said)), of.document.fields))[1] > SURE
