"""Claims about something else than their quotes are known by the packaged encoders, whatever the language."""

from collections.abc import Sequence

import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.answering.generated.judge import ENCODERS, Related, Relation
from core.domain.answers import Outcome
from core.domain.ingestion import Progress
from core.domain.scope import Scope
from core.domain.search import Vector
from core.errors import Broken
from core.evidence.contradictions import QuotedText
from tests.support.bad_models import saying, writing_asker
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_model import FakeModel
from tests.support.world import populated

relation = Relation((E5Embedder(models_dir()), UseEmbedder(models_dir())))

APART = [
    (
        "Der Wahlkampf darf nur aus Spenden bezahlt werden.",
        "Swimmers must leave the lake during a storm.",
        "en",
    ),
    ("Bakers may open before six in the morning.", "Die Wahlberechtigten stimmen geheim ab.", "de"),
    ("Les chiens sont admis dans le tram.", "Das Grundbuch wird beim Amtsgericht geführt.", "de"),
]
ALIKE = [
    ("Wer im See badet, muss bei Gewitter hinaus.", "Swimmers must leave the lake during a storm.", "en"),
    ("Voters cast their ballots in secret.", "Die Wahlberechtigten stimmen geheim ab.", "de"),
    ("Le registre foncier se trouve au tribunal.", "Das Grundbuch wird beim Amtsgericht geführt.", "de"),
]


def claim(text: str, quote: str, written: str, language: str = "") -> Related:
    """A claim in `language` (by default, another than its quote's)."""
    other = {"de": "en"}.get(written, "de")
    return Related(text=text, language=language or other, quotes=(QuotedText(text=quote, language=written),))


@pytest.mark.parametrize(("text", "quote", "language"), APART)
async def test_what_is_about_something_else_is_unrelated(text: str, quote: str, language: str) -> None:
    assert await relation.unrelated([claim(text, quote, language)]) == {0}


@pytest.mark.parametrize(("text", "quote", "language"), ALIKE)
async def test_what_says_the_same_in_another_language_is_related(
    text: str, quote: str, language: str
) -> None:
    assert not await relation.unrelated([claim(text, quote, language)])


async def test_one_sentence_of_a_long_quote_is_enough_and_claims_keep_their_numbers() -> None:
    others = "Hunde sind anzuleinen. Die Kurtaxe beträgt zwei Taler. Das Archiv ist montags geschlossen."
    long = f"{others} Wer badet, muss den See bei Gewitter verlassen. Der Hafenmeister ernennt zwei Gehilfen."
    known = claim("Swimmers have to get out of the lake in a thunderstorm.", long, "de")
    apart = claim(*APART[1])
    assert await relation.unrelated([known, apart, known]) == {1}
    assert await relation.unrelated([]) == frozenset()


SWAPPED = [
    ("Das Ziel sinkt von 40 auf 25.", "de", "Das Ziel sinkt von 25 auf 40.", "de"),
    ("Deposits are 25 for laptops, 100 for books.", "en", "Das Pfand: 100 für Laptops, 25 für Bücher.", "de"),
    (
        "Guests pay £18 a day, members are charged £27.",
        "en",
        "The rate is £18 for members, £27 for guests.",
        "en",
    ),
    (
        "Une famille verse 24 euros, un jeune 42 euros.",
        "fr",
        "Jugendliche zahlen 24 Euro, Familien 42 Euro.",
        "de",
    ),
    (
        "Im Winter beginnt die Ruhezeit um 18 Uhr.",
        "de",
        "Der Hausmeister ist bis 18 Uhr erreichbar. Die Ruhezeit beginnt im Winter früher.",
        "de",
    ),
    (
        "The club will hire 80 swimming teachers.",
        "en",
        "We will hire 80 gardeners for the parks and give every school 30 swimming teachers of its own.",
        "en",
    ),
]
IN_PLACE = [
    ("Das Ziel sinkt von 40 auf 25.", "de", "Wir senken das Ziel von 40 auf 25.", "de"),
    ("Deposits are 25 for books, 100 for laptops.", "en", "Das Pfand: 100 für Laptops, 25 für Bücher.", "de"),
    (
        "Guests pay £27 a day, members are charged £18.",
        "en",
        "The rate is £18 for members, £27 for guests.",
        "en",
    ),
    (
        "Un jeune verse 24 euros, une famille 42 euros.",
        "fr",
        "Jugendliche zahlen 24 Euro, Familien 42 Euro.",
        "de",
    ),
    (
        "Der Hausmeister ist bis 18 Uhr zu sprechen.",
        "de",
        "Der Hausmeister ist bis 18 Uhr erreichbar. Die Ruhezeit beginnt im Winter früher.",
        "de",
    ),
    (
        "The club will hire 30 swimming teachers.",
        "en",
        "We will hire 80 gardeners for the parks and give every school 30 swimming teachers of its own.",
        "en",
    ),
]


@pytest.mark.parametrize(("text", "language", "quote", "written"), SWAPPED)
async def test_the_number_of_another_thing_is_known(
    text: str, language: str, quote: str, written: str
) -> None:
    assert await relation.unrelated([claim(text, quote, written, language)]) == {0}


@pytest.mark.parametrize(("text", "language", "quote", "written"), IN_PLACE)
async def test_numbers_in_their_places_are_left_alone(
    text: str, language: str, quote: str, written: str
) -> None:
    assert not await relation.unrelated([claim(text, quote, written, language)])


async def test_in_one_language_words_tell_what_a_claim_is_about() -> None:
    assert not await relation.unrelated([claim("Das Angebot endet.", "Hunde sind anzuleinen.", "de", "de")])


class Failing(FakeEmbedder):
    """An encoder that cannot be run."""

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        raise Broken("embedding.failed")


async def test_without_its_encoders_all_is_left_to_the_judge() -> None:
    apart = claim(*APART[0])
    for encoders in ((), (FakeEmbedder(), FakeEmbedder()), tuple(Failing(name=name) for name in ENCODERS)):
        assert not await Relation(encoders).unrelated([apart])


async def test_no_judge_is_asked_about_such_a_claim_and_its_quote_stands_alone() -> None:
    quote = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
    said = "Die Uferpartei will Leuchttürme in der Stunde bauen."
    model = FakeModel(answer=saying((said, "S1", quote)))

    class All(Relation):
        async def unrelated(self, claims: Sequence[Related]) -> frozenset[int]:
            return frozenset(range(len(claims)))

    asker = writing_asker(await populated(), model, relation=All())
    found = await asker.answered(
        "Was will die Uferpartei beim Mindestlohn?", scope=Scope(collections=("public",))
    )
    assert (found.answer.outcome, [item.text for item in found.answer.claims]) == (Outcome.GROUNDED, [quote])
    assert ("claim", "unrelated") in {(item.what, item.why) for item in found.answer.rejected}
    assert not model.judged
