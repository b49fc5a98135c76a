"""What a document says of itself on its first pages."""

from pathlib import Path

import pytest

from core.answering.own_status import lines_on_status
from tests.support.chats import conversation_over, say
from tests.support.world import populated


@pytest.mark.parametrize(
    ("pages", "line"),
    [
        (["Unser Plan\nEntwurf des Vorstands", "Stand: Mai 2025"], "Entwurf des Vorstands"),
        (["Unser Plan\nStand: Mai 2025"], "Stand: Mai 2025"),
        (
            ["", "Beschlossen auf der\nVersammlung vom 1.2.2014"],
            "Beschlossen auf der Versammlung vom 1.2.2014",
        ),
        (["Position of the Council at first reading"], "Position of the Council at first reading"),
        (["The rules come into force on 1 May 2017."], "The rules come into force on 1 May 2017."),
        (["Projet de loi\nAdopté le 3 mai 2020"], "Projet de loi"),
    ],
)
def test_the_likeliest_line_is_first(pages: list[str], line: str) -> None:
    assert lines_on_status(pages)[0] == line


@pytest.mark.parametrize(
    "page", ["", " \n \n", "Wir bauen Wohnungen.", "Der Stand der Dinge ist gut.", "Stand"]
)
def test_a_page_that_says_nothing_of_it_has_none(page: str) -> None:
    assert lines_on_status([page]) == []


async def test_asked_whether_it_is_a_draft_a_chat_shows_the_line_with_its_page(tmp_path: Path) -> None:
    world = await populated()
    pages = ("Entwurf des Vorstands der Uferpartei.", "Die Fähre nach Hochau fährt künftig stündlich.")
    await world.add("faehre.pdf", *pages, title="Fährplan", jurisdiction="xv", parties=("Uferpartei",))
    conversation = conversation_over(world.app, tmp_path)
    await say(conversation, "Wie oft fährt die Fähre nach Hochau künftig?", direct=True)
    reply = await say(conversation, "ist das nur ein entwurf?", number="m2", direct=True)
    told = "\n".join(map(str, reply.blocks))
    assert "„Entwurf des Vorstands der Uferpartei.“" in told
    assert "Seite 1" in told
    assert reply.files
