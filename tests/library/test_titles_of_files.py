"""The title of a file that states none worth having is its name."""

import pytest

from core.library.ingestion import guess_title


@pytest.mark.parametrize(
    "stated",
    [
        *(
            "1679_CC026.fm",
            "Layout 1.indd",
            "Brochure.qxp",
            "haushalt.xlsx",
            "Sans titre",
            "Slide 1",
            "Folie 12",
        ),
        *(
            "PowerPoint-Präsentation",
            "Microsoft PowerPoint - Vortrag",
            "Satzung über die Benutzung der Wal…",
            "",
        ),
    ],
)
def test_what_a_program_left_as_a_title_is_none(stated: str) -> None:
    assert guess_title("dog_licence-2017.pdf", stated) == "dog licence-2017"


@pytest.mark.parametrize(
    "stated",
    [
        "Wahlprogramm DIE LINKE.NRW",
        "Act No. 12 of 2015",
        "Title II: Harbours",
        "Foliensatz zur Pflege",
        "e.V.",
    ],
)
def test_what_an_author_wrote_is_kept(stated: str) -> None:
    assert guess_title("a.pdf", stated) == stated
