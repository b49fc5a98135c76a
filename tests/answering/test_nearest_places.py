"""Which pages are offered where nothing can be quoted."""

from types import SimpleNamespace
from typing import Any

from core.answering.forms import below_heading, nearest_of
from core.domain.passages import PassageKind


def hit(text: str, page: int, title: str = "Uferpartei: Im Fluss bleiben (2025)") -> Any:
    edition = SimpleNamespace(document=SimpleNamespace(fields=SimpleNamespace(title=title)))
    passage = SimpleNamespace(text=text, pages=(page,), version="v1", kind=PassageKind.PROSE, ordinal=page)
    return SimpleNamespace(edition=edition, passage=passage)


def pages(*hits: Any) -> list[int]:
    return [reading.page for reading in nearest_of(SimpleNamespace(hits=hits))]  # type: ignore[arg-type]


COVER = hit("Uferpartei Im Fluss bleiben Programm zur Bundesratswahl", 1)
OTHERS = [hit("Klimaneutral bis 2038", 4), hit("Mieten bremsen", 3), hit("Im Fluss schwimmen", 7)]


def test_a_title_page_makes_room_for_pages_that_say_something() -> None:
    assert pages(COVER, *OTHERS) == [4, 3, 7]
    assert pages(COVER, *OTHERS[:1]) == [4, 1]


def test_one_word_is_no_title_page() -> None:
    assert pages(hit("Mieten bremsen wir", 2, title="Mieten"), *OTHERS) == [2, 4, 3]


def test_a_heading_stands_apart_and_the_next_one_ends_the_words() -> None:
    text = "Löhne\nMindestlohn ab 2026\nWir wollen höhere Löhne.\nRente\nSie bleibt sicher."
    assert below_heading(text, 16) == ("Mindestlohn ab 2026", "Wir wollen höhere Löhne. …")
    assert below_heading("Wir wollen höhere Löhne.", 2) == ("", "Wir wollen …")
    (reading,) = nearest_of(SimpleNamespace(hits=[hit(text, 4)]))  # type: ignore[arg-type]
    assert (reading.under, reading.begins) == ("Mindestlohn ab 2026", "Wir wollen höhere Löhne. …")
