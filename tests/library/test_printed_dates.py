"""The date that a document prints of itself."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.languages import every
from core.library.describing import date_of, dates_in


@pytest.mark.parametrize(
    ("title", "lines", "written"),
    [
        ("Wahlprogramm 2025", ["Beschlossen am 12. März 2025 in Hochau"], "2025-03-12"),
        ("Wahlprogramm 2025", ["Stand: 3.4.2025", "Bis zum 1. Januar 2030 bauen wir."], "2025-04-03"),
        ("Ferry Act", ["Assented to on 25th March, 2016", "of March 2016"], "2016-03-25"),
        ("Ferry Act", ["Published March 25, 2016"], "2016-03-25"),
        ("Programme", ["Adopté le 1er mars 2025 à Seemoor"], "2025-03-01"),
        ("Plan", ["Hochau, 3. Mai 2024", "Wir wollen bis zum 1. Januar 2030 alles"], "2024-05-03"),
        ("Plan vom 2024-05-03", ["Stand: 4. Mai 2024"], "2024-05-03"),
        ("Plan März 2025", [], "2025-03"),
        ("Wahlprogramm 2025", ["Bis zum 1. Januar 2030 bauen wir alle Brunnen und Brücken."], "2025"),
        ("Von 2021 bis 2025", [], None),
        ("Plan", ["Am 2.3.2024 und am 4.5.2024"], None),
        ("Plan", ["Stand: 31.2.2024"], None),
        ("Plan", ["wir bauen Brunnen"], None),
    ],
)
def test_the_date_is_the_one_that_is_printed(title: str, lines: list[str], written: str | None) -> None:
    found = date_of(title, lines)
    assert (found.written if found else None) == written


@given(day=st.dates(date(1900, 1, 1), date(2099, 12, 31)), language=st.sampled_from(every()))
def test_a_day_is_read_in_every_language(day: date, language: object) -> None:
    month = language.dates.months[day.month - 1].split("|")[0]  # type: ignore[attr-defined]
    assert [each.day for each in dates_in(f"{day.day}. {month} {day.year}")] == [day]
    assert [each.day for each in dates_in(f"{day.day}.{day.month}.{day.year}")] == [day]
    assert [each.day for each in dates_in(day.isoformat())] == [day]


def test_every_language_has_twelve_months() -> None:
    assert {len(language.dates.months) for language in every()} == {12}
