"""Names of files that are made for people."""

import pytest

from bot.presentation.attachments import file_stem


@pytest.mark.parametrize(
    ("topic", "language", "stem"),
    [
        ("Mindestlohn", "de", "report-mindestlohn"),
        ("The minimum wage is raised to 17 thalers", "de", "report-minimum-wage-raised-17-thalers"),
        (
            "Les loyers sont bloqués pour trois ans dans la ville",
            "en",
            "report-loyers-bloques-trois-ans-ville",
        ),
        ("Waffenlieferungen an die Ukraine", "en", "report-waffenlieferungen-ukraine"),
    ],
)
def test_a_files_name_has_no_little_words_of_any_of_both_languages(
    topic: str, language: str, stem: str
) -> None:
    assert file_stem("report", topic, language) == stem
