"""All parties asked at once: a quote for each, and what two of them wrote together once."""

from core.domain.scope import Scope
from tests.support.world import populated

AGREED = "Die Fähre am Nordufer fährt ab dem kommenden Jahr in jeder Nacht zu jeder vollen Stunde."
OWN = "Die Fähre soll am Sonntag für alle Kinder des Landes kostenlos fahren."


async def test_an_agreement_of_two_parties_is_quoted_once() -> None:
    world = await populated()
    parties = ("Drachenflieger", "Segelflieger")
    await world.add("vertrag.pdf", AGREED, title="Vertrag", jurisdiction="xv", parties=parties)
    await world.add("dp25.pdf", OWN, title="Programm", jurisdiction="xv", parties=parties[:1])
    await world.add("sp25.pdf", AGREED, title="Programm", jurisdiction="xv", parties=parties[1:])
    answered = await world.app.asker.answered(
        "Was sagen die Parteien zur Fähre?", scope=Scope(collections=("public",), jurisdictions=("xv",))
    )
    quotes = [item.quote.text for item in answered.answer.citations]
    assert quotes.count(AGREED) == 1
    assert len(quotes) == len(set(quotes))
