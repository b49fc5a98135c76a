"""Whose words sentences are by what stands round them: they are neither chosen nor shown."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from adapters.embedding.use import UseEmbedder
from core.answering.extractive.extracts import Extract
from core.answering.extractive.own_words import REPLACED, Classify, in_own_words, read_as_own, said_in
from core.answering.extractive.sentences import sentences_in
from core.answering.extractive.stretches import places, with_surroundings
from core.answering.told import Voice, voices
from core.answering.voice_head import READ, SURE, Said, VoiceHead, among, beside, runs
from core.domain.documents import DocumentFields, DocumentType, Edition
from core.domain.search import Hit
from tests.support.encoders import models_dir, packaged_words
from tests.support.fake_embedder import FakeEmbedder
from tests.support.search_world import edition, passage

HEAD = VoiceHead(UseEmbedder(models_dir()))
READER = VoiceHead(UseEmbedder(models_dir()), packaged_words())
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
@pytest.mark.parametrize(
    ("classify", "bound"), [(HEAD.foreign, SURE), (READER.read, READ)], ids=["by surroundings", "read"]
)
async def test_what_goes_on_with_others_words_is_heard(classify: Classify, bound: float, number: int) -> None:
    of = programme()
    _, said = said_in(passage(of, 0, f"{TOLD} {OWN}"), of.document.fields, None)
    chances = await classify(said, range(len(said)), of.document.fields)
    assert chances[number] > bound
    assert max(chances[3], chances[4]) < bound


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
    head = VoiceHead(FakeEmbedder(512), packaged_words())
    assert not head.reads
    scored = sentences_in([_hit(f"{OWN} {TOLD}")])
    assert await in_own_words(head, scored) == scored
    assert await read_as_own(head, list, scored) == scored


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


# Sentences as they are read among their neighbours.


class Refusing(VoiceHead):
    """Reads sentences with one of some words as others'; remembers what it has read."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.words = words
        self.seen: list[str] = []

    async def read(
        self, said: Sequence[Said], wanted: Collection[int], fields: DocumentFields
    ) -> dict[int, float]:
        self.seen += [said[number].text for number in wanted]
        return {n: float(any(word in said[n].text for word in self.words)) for n in wanted}


LINES = tuple(f"Wir bauen im Jahr 203{number} die Brücke Nummer {number}." for number in range(7))


def _scored() -> list[Extract]:
    found = sentences_in([_hit(" ".join(LINES))])
    return [replace(each, score=-float(number)) for number, each in enumerate(found)]


def _best(scored: Sequence[Extract]) -> list[Extract]:
    return list(scored[:1]) + [replace(each, spare=True) for each in scored[1:2]]


async def test_what_is_read_as_others_is_replaced_by_the_next() -> None:
    head = Refusing("Nummer 0", "Nummer 1")
    chosen = await read_as_own(head, _best, _scored())
    assert [each.text for each in chosen] == [LINES[2], LINES[3]]
    assert head.seen == [*LINES[:3]]
    assert chosen[0].barred


async def test_nothing_is_replaced_more_often_than_allowed() -> None:
    head = Refusing("Brücke")
    chosen = await read_as_own(head, _best, _scored())
    assert len(head.seen) == REPLACED + 1
    assert [each.text for each in chosen] == [LINES[REPLACED + 1]]
    assert chosen[0].spare
    assert await read_as_own(head, _best, ()) == []


async def test_others_words_beside_a_sentence_are_no_longer_shown_with_it() -> None:
    first, second, *_ = _scored()
    stretch = replace(first, parts=((first.start, first.end), (second.start, second.end)))
    (chosen,) = await read_as_own(Refusing("Nummer 1"), list, [stretch])
    assert chosen.text == LINES[0]
    assert LINES[1] not in chosen.shown


def test_nothing_barred_is_shown_beside_a_sentence() -> None:
    first, second = _scored()[:2]
    assert with_surroundings(first, places([first])).shown.startswith(f"{LINES[0]}\n{LINES[1]}")
    barred = replace(first, barred=((second.start, second.end),))
    assert with_surroundings(barred, places([barred])).shown == LINES[0]


def test_indirect_speech_goes_on_with_what_is_barred() -> None:
    of = programme()
    ranges, _ = said_in(told := passage(of, 0, TOLD), of.document.fields, None)
    heard = voices(told, ranges, of.document.fields, None, ranges[:1])
    assert heard == [Voice.BARRED, Voice.OTHERS, Voice.OTHERS]


def test_sentences_side_by_side_are_read_together() -> None:
    assert runs((0, 1, 2, 3, 4, 6)) == [[0, 1, 2, 3], [4], [6]]
    of = programme()
    _, said = said_in(passage(of, 0, f"Fähre\n{OWN} {TOLD}"), of.document.fields, None)
    before, *own, after = among(said, (1, 2))
    assert before == f"Fähre {said[0].text}"
    assert own == [said[1].text, said[2].text]
    assert after == f"{said[3].text} {said[4].text}"
