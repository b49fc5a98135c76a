"""Quotes an attacker would make, and ones that honest people do: each by the class of what it leaves out.

Told by `in_its_sentences` on a page with other text before and behind.
"""

import pytest

from core.domain.answers import LeftOut, Verdict
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.left_out import leads_into
from tests.support.paper import paper

DENIED = [
    ("Die Pläne für einen zweiten Hafen", "Die Pläne für einen zweiten Hafen legen wir auf Eis."),
    ("Die Förderung neuer Fähren stellen wir", "Die Förderung neuer Fähren stellen wir zum Jahresende ein."),
    (
        "Von einer Erhöhung der Gebühren sehen wir",
        "Von einer Erhöhung der Gebühren sehen wir in diesem Jahr ab.",
    ),
    (
        "Das alte Zollrecht der Insel hebt der Rat",
        "Das alte Zollrecht der Insel hebt der Rat im Frühjahr auf.",
    ),
    ("den Ausbau der Straße am Ufer", "Den Ausbau der Straße am Ufer blasen wir ab."),
    ("Die Vergütung für Solarstrom", "Die Vergütung für Solarstrom frieren wir bis auf Weiteres ein."),
    ("Der Neubau der Brücke am Hafen", "Der Neubau der Brücke am Hafen fällt in den nächsten Jahren aus."),
    (
        "einer Verlängerung der Laufzeiten",
        "Wir treten einer Verlängerung der Laufzeiten entschieden entgegen.",
    ),
    ("den Bau der Autobahn durch das Moor", "Wir wenden uns gegen den Bau der Autobahn durch das Moor."),
    ("Kürzungen bei den Schulen", "Wir stemmen uns gegen Kürzungen bei den Schulen im Land."),
    (
        "The committee turned the plan for a second harbour",
        "The committee turned the plan for a second harbour down.",
    ),
    ("the plan to widen the old canal", "The council gave up the plan to widen the old canal."),
    ("the tax on small houseboats", "The council did away with the tax on small houseboats."),
    (
        "the new bridge over the northern channel",
        "They called the new bridge over the northern channel off in May.",
    ),
    (
        "der Einführung einer Maut am Kanal",
        "Der Verzicht auf die Maut oder der Einführung einer Maut am Kanal bleibt.",
    ),
    (
        "Einsatz von Pestiziden auf öffentlichen Flächen",
        "Das Aus für den Einsatz von Pestiziden auf öffentlichen Flächen ist beschlossen.",
    ),
    (
        "eine Verlängerung der Laufzeit der alten Kraftwerke",
        "Mit uns gibt es ein klares Nein zu und "
        "ein Veto gegen eine Verlängerung der Laufzeit der alten Kraftwerke.",
    ),
    (
        "the construction of a second harbour on the island",
        "Our rejection of the construction of a second harbour on the island stands.",
    ),
    (
        "the sale of public houses to investors",
        "We want a moratorium on the sale of public houses to investors.",
    ),
    (
        "die Vermietung kommunaler Wohnungen an Touristen",
        "Wir wollen ein Moratorium für die Vermietung kommunaler Wohnungen an Touristen.",
    ),
    (
        "die Abschiebung von Kindern in fremde Länder",
        "Wir sind Gegner einer Regelung, die die Abschiebung von Kindern in fremde Länder vorsieht.",
    ),
    (
        "die Steuern für kleine Betriebe zu erhöhen",
        "Wir sind weit davon entfernt, die Steuern für kleine Betriebe zu erhöhen.",
    ),
    (
        "we raise the tax on all small boats",
        "We are a long way from saying we raise the tax on all small boats.",
    ),
    (
        "neue Straßen durch den Wald zu bauen",
        "Statt neue Straßen durch den Wald zu bauen, fördern wir die Bahn.",
    ),
    (
        "building new roads through the old forest",
        "Instead of building new roads through the old forest, we fund the railway.",
    ),
    (
        "die Schulden des Landes weiter zu erhöhen",
        "Es wäre verantwortungslos, die Schulden des Landes weiter zu erhöhen.",
    ),
    (
        "die Renten im Land noch weiter zu kürzen",
        "Wir halten es für unverantwortlich, die Renten im Land noch weiter zu kürzen.",
    ),
    ("die Renten im Land noch weiter zu kürzen", "Wir hören auf, die Renten im Land noch weiter zu kürzen."),
    (
        "to cut the pensions of the islanders again",
        "It would be irresponsible to cut the pensions of the islanders again.",
    ),
    (
        "erhöhen wir die Gebühren um ein Drittel",
        "Sollte das Geld nicht reichen, erhöhen wir die Gebühren um ein Drittel.",
    ),
    (
        "the allottee may claim the full amount",
        "Should the promoter fail, the allottee may claim the full amount.",
    ),
    ("Wir bauen die neue Brücke am Hafen", "Wir bauen die neue Brücke am Hafen nicht, bevor alle zustimmen."),
    (
        "ein Denkmal für einen alten Kapitän am Hafen",
        "Das wäre alles andere als ein Denkmal für einen alten Kapitän am Hafen.",
    ),
    ("Der Umbau des Hafens ist so gut", "Der Umbau des Hafens ist so gut wie ausgeschlossen."),
    (
        "Die Insel sei auf Dauer viel zu teuer",
        "Die Insel sei auf Dauer viel zu teuer und habe keine Zukunft, liest man in manchen Zeitungen.",
    ),
    (
        "die Privatisierung der Häfen im Land",
        "Wir wenden uns gegen\n(a) die Privatisierung der Häfen im Land\n(b) höhere Gebühren",
    ),
    (
        "die Privatisierung der Häfen im Land",
        "Nicht mit uns:\n(a) die Privatisierung der Häfen im Land\n(b) höhere Gebühren",
    ),
    (
        "die Privatisierung der Häfen im Land",
        "Was wir beenden wollen:\n• die Privatisierung der Häfen im Land\n• höhere Gebühren",
    ),
    (
        "accept any deposit from an allottee",
        "A promoter shall not -\n(a) accept any deposit from an allottee;\n(b) sell the plot.",
    ),
    (
        "accept any deposit from an allottee",
        "A promoter shall not\n(i) accept any deposit from an allottee;\n(ii) sell the plot.",
    ),
    (
        "to sell the plot to another person",
        "No promoter shall be entitled\n(a) to keep the deposit; or\n(b) to sell the plot to another person.",
    ),
    (
        "the plot was sold to another person",
        "This Act does not apply where\n(a) the deposit was "
        "kept; or\n(b) the plot was sold to another person.",
    ),
    ("Tempolimit auf allen Straßen der Insel", "Tempolimit auf allen Straßen der Insel ✗\nMehr Fähren ✓"),
    ("Tempolimit auf allen Straßen der Insel", "✗ Tempolimit auf allen Straßen der Insel\n✓ Mehr Fähren"),
    (
        "Tempolimit auf allen Straßen der Insel",
        "Tempolimit auf allen Straßen der Insel: nein\nMehr Fähren: ja",
    ),
    ("Speed limit on all roads of the island", "Speed limit on all roads of the island ☒\nMore ferries ☑"),
    ("ausgeschlossen, dass die Gebühren steigen", "Es ist nicht ausgeschlossen, dass die Gebühren steigen."),
    (
        "unmöglich, die Häuser am Ufer zu sanieren",
        "Es ist keineswegs unmöglich, die Häuser am Ufer zu sanieren.",
    ),
    ("Nobody denies that the harbour is safe", "Nobody denies that the harbour is safe except its owner."),
    (
        "zahlen die Familien am Ufer eine Gebühr",
        "Scheitern die Gespräche, zahlen die Familien am Ufer eine Gebühr.",
    ),
    ("Zölle auf Holz aus dem Norden", "Zölle auf Holz aus dem Norden schaffen wir ab."),
    ("Zölle auf Holz aus dem Norden", "Wir schaffen Zölle auf Holz aus dem Norden ab."),
    (
        "Zölle auf Holz aus dem Norden",
        "Wir schaffen alle Zölle auf Holz aus dem Norden und dem Süden ersatzlos ab.",
    ),
    ("the duty on timber from the north", "We will scrap the duty on timber from the north."),
    ("the duty on timber from the north", "We will bring the duty on timber from the north to an end."),
    (
        "Mieten auf dem ganzen Land einzufrieren",
        "Es wäre ein Fehler, Mieten auf dem ganzen Land einzufrieren.",
    ),
    (
        "Mieten auf dem ganzen Land einfrieren",
        "Nichts spricht dafür, dass wir Mieten auf dem ganzen Land einfrieren.",
    ),
    ("Das Land senkt die Gebühren für alle", "Das Land senkt die Gebühren für alle - oder auch nicht."),
    ("the country lowers the fees for all", "It is a mistake to think the country lowers the fees for all."),
    (
        "sell the plot to another person",
        "Nothing in this section permits a promoter to\n(a) "
        "keep the deposit;\n(b) sell the plot to another person.",
    ),
    (
        "sell the plot to another person",
        "A promoter must not:\n1. keep the deposit. It stays.\n2. sell the plot to another person.",
    ),
    (
        "Höhere Gebühren auf allen Fähren",
        "Das ist mit uns nicht zu machen:\n– Höhere Gebühren auf allen Fähren\n– Weniger Busse",
    ),
    ("Höhere Gebühren auf allen Fähren", "Nein zu\n– Höhere Gebühren auf allen Fähren\n– Weniger Busse"),
    (
        "Höhere Gebühren auf allen Fähren",
        "Was wir ablehnen\n– Höhere Gebühren auf allen Fähren\n– Weniger Busse",
    ),
    ("Maut auf allen Straßen am Hafen", "❌ Maut auf allen Straßen am Hafen ist Unsinn für uns."),
    (
        "Die Halle am Ufer [...] wird im Mai abgerissen.",
        "Die Halle am Ufer, gebaut ohne Erlaubnis, wird im Mai abgerissen.",
    ),
    (
        "Wir bauen am Ufer eine Seilbahn für alle",
        "Wir bauen am Ufer eine Seilbahn für alle und reißen die Seilbahn ab.",
    ),
    ("The town will hire forty midwives", "The town will hire forty midwives and dismiss all the nurses."),
    (
        "Wir reinigen die Brunnen der Altstadt",
        "Wir reinigen die Brunnen der Altstadt und streichen sie im Mai.",
    ),
    (
        "Wir bauen am Ufer Häuser aus Holz für alle",
        "Wir bauen am Ufer Häuser aus Holz für alle und lehnen das nicht ab.",
    ),
]
LIMITED = [
    (
        "senken wir die Steuern auf alle Häuser",
        "Steigt die Inflation im Herbst, senken wir die Steuern auf alle Häuser.",
    ),
    ("erhöhen wir die Gebühren um ein Drittel", "Reicht das Geld, erhöhen wir die Gebühren um ein Drittel."),
    (
        "hätten wir die Gebühren um ein Drittel gesenkt",
        "Wäre das Geld da gewesen, hätten wir die Gebühren um ein Drittel gesenkt.",
    ),
    (
        "the allottee may claim the full amount",
        "Should the promoter leave, the allottee may claim the full amount.",
    ),
    (
        "the allottee would have received the full amount",
        "Had the promoter paid, the allottee would have received the full amount.",
    ),
    (
        "the allottee would receive the full amount",
        "Were the promoter to pay, the allottee would receive the full amount.",
    ),
    ("bauen wir die neue Brücke am Hafen", "Erst wenn alle zustimmen, bauen wir die neue Brücke am Hafen."),
    (
        "Wir bauen die neue Brücke am Hafen",
        "Wir bauen die neue Brücke am Hafen, sobald das Geld dafür da ist.",
    ),
    (
        "Wir bauen die neue Brücke am Hafen",
        "Wir bauen die neue Brücke am Hafen unter Finanzierungsvorbehalt.",
    ),
    (
        "The board shall return the deposit in full",
        "The board shall return the deposit in full once the inspector agrees.",
    ),
    (
        "The board shall return the deposit in full",
        "The board shall return the deposit in full upon condition of good conduct.",
    ),
    (
        "The board shall return the deposit in full",
        "The board shall return the deposit in full, assuming that funds remain.",
    ),
    (
        "The board shall return the deposit in full",
        "The board shall return the deposit in full when the inspector agrees.",
    ),
    (
        "Alle Häuser am Ufer [...] werden saniert",
        "Alle Häuser am Ufer (mit Ausnahme der alten Speicher) werden saniert.",
    ),
    (
        "Every owner of a boat [...] shall pay the fee",
        "Every owner of a boat (other than a houseboat) shall pay the fee.",
    ),
    (
        "Every owner of a boat [...] shall pay the fee",
        "Every owner of a boat (but for houseboats) shall pay the fee.",
    ),
    (
        "Alle Betriebe [...] erhalten den Zuschuss",
        "Alle Betriebe (bis auf die Werften) erhalten den Zuschuss.",
    ),
    (
        "Privatisierung der Häfen im ganzen Land",
        "Schluss mit\n• Privatisierung der Häfen im ganzen Land\n• höheren Gebühren",
    ),
    ("The tax rises by 2 percent", "The tax rises by 2 percent points in the coming year."),
    (
        "zahlen die Familien am Ufer keine Gebühren",
        "Liegt das Einkommen unter 20 Talern, zahlen die Familien am Ufer keine Gebühren.",
    ),
    (
        "zahlen die Familien am Ufer eine Gebühr",
        "Bleibt es bei dem Urteil, zahlen die Familien am Ufer eine Gebühr.",
    ),
    (
        "Wir senken die Gebühr der Fähre deutlich",
        "Wir senken die Gebühr der Fähre deutlich, sollten die Preise sinken.",
    ),
    ("the fee of the ferry is to be waived", "Were it to rain, the fee of the ferry is to be waived."),
    ("The fee of the ferry is to be waived", "The fee of the ferry is to be waived should the storm last."),
    ("Wir zahlen jedem Haushalt 100 Taler", "Wir zahlen jedem Haushalt 100 Taler weniger als bisher."),
    ("Das Ziel ist ein Anteil von 40", "Das Ziel ist ein Anteil von 40 Prozent weniger."),
    (
        "20 Prozent der neuen Wohnungen im Land",
        "Bis zu 20 Prozent der neuen Wohnungen im Land werden gefördert.",
    ),
    ("20 percent of the new houses here", "Up to 20 percent of the new houses here are funded."),
    ("20 percent of the new houses here", "Less than 20 percent of the new houses here are funded."),
]
ASKED = [
    ("welche Häuser am Ufer saniert werden", "Unklar ist, welche Häuser am Ufer saniert werden."),
]
REPORTED = [
    (
        "Der Plan ist gut für alle Menschen",
        "Der Plan ist gut für alle Menschen, hieß es früher; heute wissen wir es besser.",
    ),
    (
        "der Umbau des Hafens ist zu teuer",
        "Der Umbau des Hafens ist zu teuer, um ihn jetzt zu beginnen, sagen manche.",
    ),
    (
        "Die Insel braucht keine neue Fähre mehr",
        "Der Bürgermeister: „Die Insel braucht keine neue Fähre mehr.“",
    ),
    ("Die Renten sind auf Dauer zu hoch", "„Die Renten sind auf Dauer zu hoch“, tönt es aus der Hauptstadt."),
    ("die Insel sei auf Dauer zu teuer", "Er betont immer wieder, die Insel sei auf Dauer zu teuer."),
    (
        "pensions are too high in the long run",
        "“Pensions are too high in the long run,” the minister shouted.",
    ),
    (
        "Pensions are too high in the long run",
        "As the minister put it, pensions are too high in the long run.",
    ),
    ("Pensions are too high in the long run", "One often hears: pensions are too high in the long run."),
    (
        "Alle Häuser am Ufer werden vom Land saniert",
        "„Alle Häuser am Ufer werden vom Land saniert“, verspricht die Konkurrenz.",
    ),
    (
        "das Land die Gebühren für alle senkt",
        "Es wird oft gesagt, dass das Land die Gebühren für alle senkt.",
    ),
    ("the country lowers the fees for all", "It is rumoured that the country lowers the fees for all."),
]
LED_INTO = [
    (
        "(1) the second mole shall be raised by two metres.",
        "The keeper withdraws the following plans:\n(1) the second mole shall be raised by two metres.\n"
        "(2) the old crane shall be moved.",
    ),
    (
        "(1) the sums are paid out to the keeper of the quay.",
        "The chest shall not be opened in the following manner:\n"
        "(1) the sums are paid out to the keeper of the quay.\n(2) the sums are lent.",
    ),
    (
        "(1) by a call at the doors of the quay after nightfall.",
        "It is prohibited to collect harbour dues in the following manner:\n"
        "(1) by a call at the doors of the quay after nightfall.\n(2) by a letter without a name.",
    ),
    (
        "- Kameras an allen Kränen des alten Hafens",
        "Wir sind gegen Überwachung in folgender Form:\n- Kameras an allen Kränen des alten Hafens\n"
        "- Listen aller Boote am Kai",
    ),
    (
        "the quay belongs to the northern guild alone",
        "The guild has always said: the quay belongs to the northern guild alone.",
    ),
]
OTHER_WORDS = [
    ("die Einführung einer Maut am Kanal", "Unsere Ablehnung gilt der Einführung einer Maut am Kanal."),
    (
        "Alle Häuser am Ufer werden saniert",
        "Alle Häuser am Ufer (ausgenommen die alten Speicher) werden saniert.",
    ),
    ("Die Steuer wird gesenkt [...] Das prüfen wir", "Die Steuer wird gesenkt? Das prüfen wir."),
    ("Die Steuer wird gesenkt. Das prüfen wir", "Die Steuer wird gesenkt? Das prüfen wir."),
    ("Muss jeder Bürger für das Wasser zahlen", "Muss jeder Bürger für das Wasser zahlen?"),
    ("Tempolimit auf allen Straßen der Insel ✓", "Tempolimit auf allen Straßen der Insel ✗\nMehr Fähren ✓"),
    ("Wir bauen 40 km² neue Wälder am Fluss", "Wir bauen 40 km neue Wälder am Fluss."),
    ("Der Ausstoß beträgt 10 g/m2 je Jahr im Mittel", "Der Ausstoß beträgt 10 g/m³ je Jahr im Mittel."),
    ("Die Kosten betragen 1.000 Euro je Haus am Ufer", "Die Kosten betragen 1,000 Euro je Haus am Ufer."),
    ("Die Kosten betragen 1000 Euro je Haus am Ufer", "Die Kosten betragen 1,000 Euro je Haus am Ufer."),
    (
        "Die Steuer steigt um 2 Prozent im kommenden Jahr",
        "Die Steuer steigt um 2 Prozentpunkte im kommenden Jahr.",
    ),
    ("Die Steuer steigt um 2 % im kommenden Jahr", "Die Steuer steigt um 2 %-Punkte im kommenden Jahr."),
    (
        "The tax rises by 2 percent in the coming year",
        "The tax rises by 2 percentage points in the coming year.",
    ),
    ("nach Abschnitt IV des alten Hafengesetzes", "Nach Abschnitt VI des alten Hafengesetzes gilt dies."),
    ("under Part XI of the old harbour statute", "Under Part IX of the old harbour statute this applies."),
    (
        "Der Anteil muss >= 40 Prozent an allen Häusern sein",
        "Der Anteil muss ≤ 40 Prozent an allen Häusern sein.",
    ),
    (
        "Der Anteil muss > 40 Prozent an allen Häusern sein",
        "Der Anteil muss ≥ 40 Prozent an allen Häusern sein.",
    ),
    ("Die Ausgaben sinken um 5 Mio. Euro im Jahr", "Die Ausgaben sinken um 5 Mrd. Euro im Jahr."),
    ("Die Ausgaben sinken um 5 Mio Euro im Jahr", "Die Ausgaben sinken um 0,5 Mio Euro im Jahr."),
    ("The cost is 10^6 thalers for each house here", "The cost is 10⁹ thalers for each house here."),
    ("Wir stärken die Mietpreisbremse am Hafen", "Wir stärken die Mietpreisgrenze am Hafen."),
    ("Die Klimaschutzabgabe wird im Land eingeführt", "Die Klimaschutzausgabe wird im Land eingeführt."),
    ("Die Hafenarbeiter im Land erhalten mehr Lohn", "Die Hafenarbeitgeber im Land erhalten mehr Lohn."),
    ("Frau Meier übernimmt den Vorsitz im Hafenrat", "Frau Maier übernimmt den Vorsitz im Hafenrat."),
    ("Die Grenze zu Niger bleibt auch künftig offen", "Die Grenze zu Nigeria bleibt auch künftig offen."),
    (
        "Die Fähre nach Rostock fährt jetzt öfter als früher",
        "Die Fähre nach Rostow fährt jetzt öfter als früher.",
    ),
    ("The border with Austria remains open to all", "The border with Australia remains open to all."),
    ("Mr Brown shall chair the harbour committee", "Mr Braun shall chair the harbour committee."),
    ("Slovenia shall chair the harbour committee", "Slovakia shall chair the harbour committee."),
    ("Wir begrüßen den Abbau der alten Anlagen", "Wir begrüßen den Aufbau der alten Anlagen."),
    ("The council may affect the harbour statute", "The council may effect the harbour statute."),
    ("Der Plan 👍🏽 gilt für alle Häuser am Ufer", "Der Plan 👎🏽 gilt für alle Häuser am Ufer."),
    ("☑ Mehr Geld für alle Schulen im Land", "☐ Mehr Geld für alle Schulen im Land\n☑ Weniger Geld"),
    ("[x] Mehr Geld für alle Schulen im Land", "[ ] Mehr Geld für alle Schulen im Land"),
    ("Mehr Geld für alle Schulen im Land ✅", "Mehr Geld für alle Schulen im Land ❎"),
]
HONEST = [
    ("Die Fähre fährt im Sommer jede Stunde", "Die Fähre fährt im Sommer jede Stunde."),
    ("»Die Fähre fährt im Sommer jede Stunde.«", "Die Fähre fährt im Sommer jede Stunde."),
    ("Die Fäh-\nre fährt im Sommer jede Stunde", "Die Fähre fährt im Sommer jede Stunde."),
    ("Die  Fähre fährt  im Sommer\njede Stunde.", "Die Fähre fährt im Sommer jede Stunde."),
    ("Die Strasse am Fluss wird im Sommer saniert", "Die Straße am Fluss wird im Sommer saniert."),
    ("Die STRASSE am Fluss wird im Sommer saniert", "Die Straße am Fluss wird im Sommer saniert."),
    ("**Die Fähre** fährt im Sommer jede Stunde", "Die Fähre fährt im Sommer jede Stunde."),
    ("*Die Fähre fährt im Sommer jede Stunde*", "Die Fähre fährt im Sommer jede Stunde."),
    ("- Die Fähre fährt im Sommer jede Stunde", "• Die Fähre fährt im Sommer jede Stunde\n• Das Boot auch"),
    ("• Die Fähre fährt im Sommer jede Stunde", "Die Fähre fährt im Sommer jede Stunde."),
    ("> Die Fähre fährt im Sommer jede Stunde", "Die Fähre fährt im Sommer jede Stunde."),
    (
        "Wir bauen im Sommer eine neue Brücke",
        "Wir bauen im Sommer eine neue Brücke und pflanzen am Ufer hundert Bäume.",
    ),
    (
        "Wir bauen im Sommer eine neue Brücke",
        "Wir bauen im Sommer eine neue Brücke, damit alle schneller ans Ziel kommen.",
    ),
    (
        "Wir bauen im Sommer eine neue Brücke",
        "Wir bauen im Sommer eine neue Brücke, weil die alte zu schmal ist.",
    ),
    (
        "Mehr Geld für die Schulen im ganzen Land",
        "Wir fordern:\n• Mehr Geld für die Schulen im ganzen Land\n• Weniger Lärm",
    ),
    (
        "Mehr Geld für die Schulen im ganzen Land",
        "Das wollen wir erreichen:\n• Mehr Geld für die Schulen im ganzen Land\n• Weniger Lärm",
    ),
    ("The ferry runs every hour in the summer", "The ferry runs every hour in the summer."),
    ("“The ferry runs every hour in the summer”", "The ferry runs every hour in the summer."),
    (
        "The promoter shall keep a register of all plots",
        "(a) The promoter shall keep a register of all plots; and\n(b) show it to all visitors.",
    ),
    (
        "2. The promoter shall keep a register of all plots",
        "1. The board meets weekly.\n2. The promoter shall keep a register of all plots.",
    ),
    (
        "Der Anteil muss >= 40 Prozent an allen Häusern sein",
        "Der Anteil muss ≥ 40 Prozent an allen Häusern sein.",
    ),
    (
        "Der Anteil muss <= 40 Prozent an allen Häusern sein",
        "Der Anteil muss ≤ 40 Prozent an allen Häusern sein.",
    ),
    (
        "Die Bürger*innen der Insel zahlen im Sommer weniger",
        "Die Bürger*innen der Insel zahlen im Sommer weniger.",
    ),
    ("Der Plan gilt für alle Häuser am Ufer", "Der Plan¹ gilt für alle Häuser am Ufer."),
    ("The harbour's fee is paid by the owner", "The harbour’s fee is paid by the owner."),
    ("„Mehr Licht am Hafen“ heißt unser neuer Plan", "„Mehr Licht am Hafen“ heißt unser neuer Plan."),
    ("Der Bund stellt Mittel für Häfen bereit", "Der Bund stellt Mittel für Häfen bereit."),
    (
        "Wir setzen uns für bezahlbare Wohnungen am Ufer ein",
        "Wir setzen uns für bezahlbare Wohnungen am Ufer ein.",
    ),
    ("Wird gebaut, entsteht am Ufer neuer Raum", "Wird gebaut, entsteht am Ufer neuer Raum."),
    (
        "Should you have questions, ask the office at once",
        "Should you have questions, ask the office at once.",
    ),
    (
        "senken wir die Gebühren der Fähre deutlich",
        "Um Familien zu entlasten, senken wir die Gebühren der Fähre deutlich.",
    ),
    (
        "senken wir die Gebühren der Fähre deutlich",
        "Damit Familien mehr bleibt, senken wir die Gebühren der Fähre deutlich.",
    ),
    ("Pensions rise by two thalers a year", "The board met in May. Pensions rise by two thalers a year."),
    ("Menschen am Ufer sind besonders geschützt", "Menschen am Ufer sind besonders geschützt."),
    (
        "The fee is paid at the harbour office",
        "The fee is paid at the harbour office, so that the owners can see it.",
    ),
    (
        "Quieter nights at the old harbour, with cameras where there has been trouble",
        "160. Better advice for the young, above all in fighting crime along the quay\n"
        "161. Quieter nights at the old harbour, with cameras where there has been trouble\n"
        "162. A new lamp at every second mooring",
    ),
    (
        "vii. Pay the harbour his share of the deposit within nine days of demand. viii.",
        "vii. Pay the harbour his share of the deposit within nine days of demand.\n"
        "viii. Bear such other charges, if any, as the council imposes on berths.",
    ),
    (
        "Provided that land kept for a school shall be used for a school alone.",
        "The owner has let the ground to the builder, and the said ground shall be known as the Meadow: "
        "Provided that land kept for a school shall be used for a school alone.",
    ),
    (
        "(1) At the outset, the keeper may take what he has already spent on the quay.",
        "The keeper shall be entitled to withdraw the sums from the chest in the following manner:\n"
        "(1) At the outset, the keeper may take what he has already spent on the quay.\n"
        "(2) Later, the keeper may take what the surveyor allows.",
    ),
    (
        "Die Orgel am Ufer [...] wird bis Ostern gestimmt.",
        "Die Orgel am Ufer, erbaut 1750, wird bis Ostern gestimmt.",
    ),
    (
        "The museum by the river [...] will get a roof.",
        "The museum by the river, founded in 1904, will get a roof.",
    ),
    ("Le musée du port [...] recevra un toit.", "Le musée du port, fondé en 1904, recevra un toit."),
    (
        "Wir verdreifachen die Nachtbusse am Ufer.",
        "Unser Ziel ist klar: Wir verdreifachen die Nachtbusse am Ufer.",
    ),
    ("we will triple the trams by the river", "Our goal is simple: we will triple the trams by the river."),
    (
        "nous triplerons les trams de nuit du port",
        "Notre but est simple : nous triplerons les trams de nuit du port.",
    ),
    (
        "We will hire forty midwives by the river",
        "We will hire forty midwives by the river and repair every playground.",
    ),
    (
        "Nous nettoierons les fontaines du port",
        "Nous nettoierons les fontaines du port et repeindrons les bancs.",
    ),
    (
        "Nous garderons libre la place du cirque",
        "Nous garderons libre la place du cirque car les enfants y jouent.",
    ),
    (
        "Wir reinigen die Brunnen der Altstadt",
        "Wir reinigen die Brunnen der Altstadt und streichen die Bänke.",
    ),
]
MAY_CHANGE = [
    ("Die Fähre ... jede Stunde bis Mitternacht", "Die Fähre fährt im Sommer jede Stunde bis Mitternacht."),
    ("Die Fähre … jede Stunde bis Mitternacht", "Die Fähre fährt im Sommer jede Stunde bis Mitternacht."),
    ("Die Fähre (…) jede Stunde bis Mitternacht", "Die Fähre fährt im Sommer jede Stunde bis Mitternacht."),
    (
        "wir bauen im Sommer eine Brücke am Hafen",
        "Gemeinsam mit der Stadt wir bauen im Sommer eine Brücke am Hafen.",
    ),
    (
        "bauen wir im Sommer eine neue Brücke am Hafen",
        "Gemeinsam mit der Stadt bauen wir im Sommer eine neue Brücke am Hafen.",
    ),
    (
        "Bauen wir im Sommer eine neue Brücke am Hafen.",
        "Gemeinsam mit der Stadt bauen wir im Sommer eine neue Brücke am Hafen.",
    ),
    (
        "Wir bauen im Sommer eine neue Brücke",
        "Wir bauen im Sommer eine neue Brücke, die den Hafen mit dem Ufer verbindet.",
    ),
    (
        "wir den Hafen im Sommer für alle öffnen",
        "Unser Ziel ist, dass wir den Hafen im Sommer für alle öffnen.",
    ),
    ("den Hafen im Sommer für alle öffnen", "Wir werden den Hafen im Sommer für alle öffnen."),
    (
        "Mehr Geld für die Schulen im ganzen Land",
        "Für die Menschen am Ufer bedeutet das:\n• Mehr Geld für die Schulen im ganzen Land\n• Weniger Lärm",
    ),
    ("the ferry runs every hour in the summer.", "In our plan, the ferry runs every hour in the summer."),
    (
        "The ferry runs every hour in the summer",
        "The ferry runs every hour in the summer, and the bus follows it.",
    ),
    (
        "The ferry runs every hour in the summer",
        "The ferry runs every hour in the summer, which helps the whole island.",
    ),
    ("The ferry runs every hour", "The ferry runs every hour from May to September."),
    (
        "keep a register of all plots on the island",
        "The promoter shall –\n(a) keep a register of all plots on the island;\n(b) show it to all visitors.",
    ),
    (
        "Der Bund stellt im Herbst Mittel für neue Häfen",
        "Der Bund stellt im Herbst Mittel für neue Häfen bereit.",
    ),
    (
        "bezahlbare Wohnungen am Ufer der Insel",
        "Wir setzen uns für bezahlbare Wohnungen am Ufer der Insel ein.",
    ),
    ("die Löhne in den Häfen der Insel", "Wir heben die Löhne in den Häfen der Insel auf 15 Taler an."),
    (
        "Wir stärken den Handel mit der Nachbarinsel",
        "Wir stärken den Handel mit der Nachbarinsel, wie es der Rat beschlossen hat.",
    ),
    (
        "Im Sommer fährt die Fähre jede Stunde",
        "Im Sommer fährt die Fähre jede Stunde, im Winter alle zwei Stunden.",
    ),
    (
        "fährt die Fähre im Sommer jede Stunde",
        "Seit dem Umbau, der lange dauerte, fährt die Fähre im Sommer jede Stunde.",
    ),
    (
        "werden wir die Gebühren der Fähre deutlich senken",
        "Als Partei der Inseln, werden wir die Gebühren der Fähre deutlich senken.",
    ),
    (
        "Das Land fördert bezahlbare Wohnungen am Ufer",
        "Das Land fördert bezahlbare Wohnungen am Ufer zum Vorteil aller.",
    ),
    (
        "sind auf der Insel besonders geschützt",
        "Menschen, die an Bord wohnen, sind auf der Insel besonders geschützt.",
    ),
    (
        "den Antrag spätestens neunzig Tage vorher",
        "Stellen Sie den Antrag spätestens neunzig Tage vorher, per Brief.",
    ),
    (
        "give the money back to all the owners",
        "Put everything on the bill, and give the money back to all the owners.",
    ),
    (
        "Wir bauen am Ufer hundert neue Häuser",
        "Wir bauen am Ufer hundert neue Häuser, so wie es der Rat beschloss.",
    ),
    (
        "20 Prozent der neuen Wohnungen im Land",
        "Wir wollen, dass 20 Prozent der neuen Wohnungen im Land gefördert werden.",
    ),
    ("Arbeit am Hafen wird besser bezahlt", "Arbeit am Hafen wird besser bezahlt, und das schon bald."),
    (
        "bezahlen wir die Arbeit am Hafen besser",
        "Seit dem Sommer, dem wärmsten, bezahlen wir die Arbeit am Hafen besser.",
    ),
    (
        "Häuser am Ufer [...] werden im Mai abgerissen.",
        "Häuser am Ufer, erbaut 1750, werden im Mai abgerissen.",
    ),
    ("Die Häuser am Ufer [...] werden abgerissen.", "Die Häuser am Ufer, gebaut 1990, werden abgerissen."),
    (
        "The houses by the river [...] will be sold.",
        "The houses by the river, built before 1990, will be sold.",
    ),
    (
        "Houses by the river [...] will be sold in May.",
        "Houses by the river, built in 1990, will be sold in May.",
    ),
    (
        "Das Museum am Ufer verdreifacht die Führungen.",
        "Unser Ziel ist klar: Das Museum am Ufer verdreifacht die Führungen.",
    ),
    ("we will triple the trams by the river", "Their goal is simple: we will triple the trams by the river."),
    (
        "Wir nehmen den Pendlern am Ufer die Karte",
        "Wir nehmen den Pendlern am Ufer die Karte und geben sie den Schülern.",
    ),
    (
        "Wir haben die Steuer am Ufer gesenkt",
        "Wir haben die Steuer am Ufer gesenkt und werden sie wieder erhöhen.",
    ),
    ("We will build a tram by the river", "We will build a tram by the river and sell it in May."),
    ("We will build a tram by the river", "We will build a tram by the river and demolish the tram in May."),
    ("We will protect herons by the river", "We will protect herons by the river and the marshes until May."),
    (
        "Nous nettoierons les fontaines du port",
        "Nous nettoierons les fontaines du port et les bancs du parc.",
    ),
]


def told(quote: str, text: str) -> Alignment:
    pages = paper(f"Davor steht etwas anderes.\n\n{text}\n\nDanach kommt noch etwas.")
    return in_its_sentences(quote, DocumentIndex(pages))


@pytest.mark.parametrize(
    ("quote", "text", "why"),
    [
        *((*pair, LeftOut.DENIES) for pair in DENIED),
        *((*pair, LeftOut.LIMITS) for pair in LIMITED),
        *((*pair, LeftOut.ASKS) for pair in ASKED),
        *((*pair, LeftOut.REPORTS) for pair in REPORTED),
    ],
)
def test_what_turns_a_quote_is_missed(quote: str, text: str, why: LeftOut) -> None:
    found = told(quote, text)
    assert found.verdict is Verdict.CUT
    assert found.setting is not None
    assert found.setting.why is why


@pytest.mark.parametrize(("quote", "text"), LED_INTO)
def test_what_leads_into_an_item_turns_it(quote: str, text: str) -> None:
    assert told(quote, text).verdict is Verdict.CUT


@pytest.mark.parametrize(("quote", "text"), OTHER_WORDS)
def test_other_figures_names_and_signs_are_seen(quote: str, text: str) -> None:
    assert told(quote, text).verdict in (Verdict.NEAR, Verdict.ALTERED, Verdict.ABSENT)


@pytest.mark.parametrize(("quote", "text"), HONEST)
def test_what_honest_people_leave_out_changes_nothing(quote: str, text: str) -> None:
    assert told(quote, text).verdict in (Verdict.VERBATIM, Verdict.TYPO)


@pytest.mark.parametrize(("quote", "text"), MAY_CHANGE)
def test_what_may_change_who_whom_when_or_whether_is_said(quote: str, text: str) -> None:
    found = told(quote, text)
    assert found.verdict is Verdict.CUT
    assert found.setting is not None
    assert found.setting.why in (LeftOut.UNSURE, LeftOut.JOINS)


def test_nothing_leads_into_nothing() -> None:
    """What stands before an item may be only what the page hides or repeats: no word of it is left."""
    assert not leads_into(())
