"""Quotations in running text: the marks that people use, whole and broken, and what stands round them."""

import re

import pytest

from core.registry.quotations import MOST_FRAMED, Paragraph, quotations


def found_in(text: str, set_off: tuple[int, ...] = ()) -> list[str]:
    return [each.words for each in read(text, set_off)]


def read(text: str, set_off: tuple[int, ...] = ()) -> list:  # type: ignore[type-arg]
    lines = [*re.finditer(r"[^\n]+", text)]
    paragraphs = [Paragraph(each.start(), each.end(), n in set_off) for n, each in enumerate(lines)]
    return quotations(text, paragraphs)


@pytest.mark.parametrize(
    "text",
    [
        "Sie sagt: „Wir bauen im Hafen neu.“ Und weiter.",
        "Sie sagt: „Wir bauen im Hafen neu.” Und weiter.",
        'Sie sagt: „Wir bauen im Hafen neu." Und weiter.',
        'Sie sagt: "Wir bauen im Hafen neu." Und weiter.',
        "They say “Wir bauen im Hafen neu.” And so on.",
        "Elle dit : « Wir bauen im Hafen neu. » Et puis.",
        "Sie sagt: »Wir bauen im Hafen neu.« Und weiter.",
        "Sie sagt: «Wir bauen im Hafen neu.» Und weiter.",
        "Sie sagt: <<Wir bauen im Hafen neu.>> Und weiter.",
        "Sie sagt: >>Wir bauen im Hafen neu.<< Und weiter.",
        "Sie sagt: ,,Wir bauen im Hafen neu.'' Und weiter.",
        'Sie sagt: ,,Wir bauen im Hafen neu." Und weiter.',
        "They say ``Wir bauen im Hafen neu.'' And so on.",
        "Sie sagt: ‚Wir bauen im Hafen neu.‘ Und weiter.",
        "They say ‘Wir bauen im Hafen neu.’ And so on.",
        "They say 'Wir bauen im Hafen neu.' And so on.",
        "Sie sagt: ›Wir bauen im Hafen neu.‹ Und weiter.",
        "Sie sagt („Wir bauen im Hafen neu.“) es so.",
    ],
)
def test_marks_of_every_kind(text: str) -> None:
    assert found_in(text) == ["Wir bauen im Hafen neu."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("„Das ‚rote Haus‘ bleibt, sagen wir.“", "Das ‚rote Haus‘ bleibt, sagen wir."),
        ("„Das „rote Haus“ bleibt, sagen wir.“", "Das „rote Haus“ bleibt, sagen wir."),
        ("“The ‘red house’ stays as it is.”", "The ‘red house’ stays as it is."),
        ("« Le mot « digue » reste ici. »", "Le mot « digue » reste ici."),
        ("‘The workers’ rights don’t end here.’ So it goes.", "The workers’ rights don’t end here."),
        ("'The workers' rights don't end here.' So it goes.", "The workers' rights don't end here."),
        ("„Wir bauen [...] im Hafen neu“, heißt es.", "Wir bauen [...] im Hafen neu"),
    ],
)
def test_marks_inside(text: str, words: str) -> None:
    assert found_in(text) == [words]


@pytest.mark.parametrize(
    "text",
    [
        "The programme’s aim isn't the ’80s, it's the workers’ rights.",
        'Ein 5" breites Rohr und ein 7" breites Rohr.',
        "Wie geht's, fragt er, und sie hat's gewusst.",
        "Rock 'n' Roll im Hafen.",
        "Das Programm „Im Fluss bleiben“ ist neu.",
        "Der Aufruf mit dem Titel „Für eine neue Stadt“ ist neu.",
        "A leaflet called “Homes for the many” went round.",
        "Sie liest das Buch „Stadt ohne Eigenschaften“ gern.",
        "They read the novel “A Man without Boats” aloud.",
        "Der Kurs liegt bei 3 < 4 und 5 > 2.",
    ],
)
def test_what_is_no_quotation(text: str) -> None:
    assert found_in(text) == []


def test_words_in_marks_are_short() -> None:
    (mocked,) = read("Das „Respektgeld“ ist es nicht.")
    assert mocked.is_short


def test_over_paragraphs() -> None:
    text = "Es heißt:\n„Erster Absatz ist hier.\nZweiter Absatz ist da.“\nSchluss."
    assert found_in(text) == ["Erster Absatz ist hier.\nZweiter Absatz ist da."]
    anew = "It says:\n“First paragraph is here.\n“Second paragraph is there.”\nEnd."
    assert found_in(anew) == ["First paragraph is here.\nSecond paragraph is there."]


def test_a_forgotten_mark_does_not_swallow_the_rest() -> None:
    text = "Sie sagt: „Wir bauen im Hafen neu.\nEr sagt: „Wir reißen den Hafen ab.“ Gut."
    assert found_in(text) == ["Wir bauen im Hafen neu.", "Wir reißen den Hafen ab."]
    straight = 'Sie sagt: "Wir bauen im Hafen neu.\nEr sagt: "Wir reißen den Hafen ab." Gut.'
    assert found_in(straight) == ["Wir bauen im Hafen neu.", "Wir reißen den Hafen ab."]


def test_paragraphs_that_are_quotations() -> None:
    text = "Im Programm heißt es:\nWir bauen im Hafen neu.\nUnd zwar bald.\n— Uferpartei, S. 3\nSo weit."
    (block,) = read(text, set_off=(1, 2, 3))
    assert (block.words, block.behind) == ("Wir bauen im Hafen neu.\nUnd zwar bald.", "Uferpartei, S. 3")
    assert block.before == "Im Programm heißt es:"
    (mailed,) = read("Es heißt:\n> Wir bauen im Hafen neu.\n> Und zwar bald.\nSo weit.")
    assert mailed.words == "Wir bauen im Hafen neu.\nUnd zwar bald."
    (unmarked,) = read("Im Programm heißt es:\nWir bauen im Hafen neu. (Uferpartei 2025, S. 3)\nSo weit.")
    assert (unmarked.words, unmarked.behind) == ("Wir bauen im Hafen neu.", "Uferpartei 2025, S. 3")


def test_quotations_that_stand_below_one_another_are_several() -> None:
    same = "Es heißt:\n\n> Wir bauen im Hafen neu.\n\n> Wir bauen im Hafen neu.\n\nSo weit."
    assert [(each.words, each.goes_on) for each in read(same)] == [
        ("Wir bauen im Hafen neu.", False),
        ("Wir bauen im Hafen neu.", True),
    ]
    (one,) = read(
        "Es heißt:\n\n> Wir bauen im Hafen neu.\n>\n> Und zwar bald.\n\n> Quelle: Uferpartei, S. 3\n"
    )
    assert one.words == "Wir bauen im Hafen neu.\n\nUnd zwar bald."
    apart = "Es heißt:\nWir bauen im Hafen neu.\nWir wollen:\nmehr Lohn.\nDie Miete sinkt. (S. 3)\nSo weit."
    assert [(each.words, each.behind, each.goes_on) for each in read(apart, set_off=(1, 2, 3, 4))] == [
        ("Wir bauen im Hafen neu.", "", False),
        ("Wir wollen:\nmehr Lohn.", "", True),
        ("Die Miete sinkt.", "S. 3", False),
    ]


@pytest.mark.parametrize(
    ("text", "before", "behind", "signed"),
    [
        ("Vorher. Die Uferpartei schreibt: „Wir bauen neu.“ Danach.", "Die Uferpartei schreibt:", "", False),
        (
            "„Wir bauen neu“, schreibt die Uferpartei auf S. 3. Danach.",
            "",
            "schreibt die Uferpartei auf S. 3",
            False,
        ),
        ("Es heißt „Wir bauen neu“ (Uferpartei, S. 3) und mehr.", "Es heißt", "Uferpartei, S. 3", True),
        ("Es heißt „Wir bauen neu.“ [Uferpartei, S. 3]", "Es heißt", "Uferpartei, S. 3", True),
        ("„Wir bauen neu.“ – Uferpartei, 2025", "", "Uferpartei, 2025", True),
        ("„Wir bauen neu.“\n— Uferpartei, 2025\nDanach.", "", "Uferpartei, 2025", True),
        ("Auf Seite 3 steht:\n„Wir bauen neu.“\nDanach.", "Auf Seite 3 steht:", "", False),
    ],
)
def test_what_stands_round_them(text: str, before: str, behind: str, signed: bool) -> None:
    (each,) = read(text)
    assert (each.before, each.behind, each.signed) == (before, behind, signed)


def test_one_that_goes_on() -> None:
    def on(text: str) -> list[bool]:
        return [each.goes_on for each in read(text)]

    assert on("„Wir bauen neu“, sagt die Uferpartei. „Und zwar bald.“") == [False, True]
    assert on("Die Uferpartei will „neue Häuser bauen“ und „alte Häuser retten“.") == [False, True]
    assert on("Es heißt: „Wir bauen neu.“ Weiter heißt es: „Und zwar bald.“") == [False, True]
    assert on("Es heißt: „Wir bauen neu.“ (S. 3) Nun aber: „Und zwar bald.“ (ebd.)") == [False, True]
    assert on("„Wir bauen neu“, sagt sie. Die Windmüller sagen: „Und zwar bald.“") == [False, False]
    assert on("„Wir bauen neu.“\n„Und zwar bald.“") == [False, False]


def test_long_text_without_marks_that_close_takes_no_time() -> None:
    assert found_in("„Wort " * 20_000) == []
    assert found_in('"a ' * 40_000) == []
    assert found_in(('"a ' * 1_300 + "\n") * 30) == []


def test_of_many_quotations_the_first_are_read() -> None:
    assert len(found_in('"Wir bauen neu."\n' * (MOST_FRAMED + 5_000))) == MOST_FRAMED
    assert len(found_in('"Wir bauen neu." ' * (MOST_FRAMED + 5_000))) == MOST_FRAMED
