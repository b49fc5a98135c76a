"""Thirty invented one-page documents, as an office would upload them: minutes, plans, house rules. Each comes
with a question in people's words and a stretch of the sentence that answers it. None concerns anything that
larger documents could know, but all mention subjects common in those: costs, terms, schools, rents, votes.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its title, its text (the first line is the title), a question, and words of the answer."""

    title: str
    text: str
    question: str
    answer: str


def _paper(title: str, body: str, question: str, answer: str) -> Paper:
    return Paper(title, f"{title}\n\n{body}\n", question, answer)


PAPERS = (
    _paper(
        "Projekt Nordlicht",
        "Das Projekt Nordlicht erneuert die Beleuchtung der Stadtbücherei. Es kostet 48.000 Taler,"
        " davon trägt die Stiftung die Hälfte. Die Arbeiten beginnen im März und dauern sechs Wochen."
        " Ansprechpartnerin ist Frau Ilsebrand aus dem Bauamt.",
        "Was kostet das Projekt Nordlicht?",
        "48.000 Taler",
    ),
    _paper(
        "Protokoll der Fraktionssitzung vom 4. Mai",
        "Die Fraktion hat über den Antrag zum Freibad beraten. Mit sieben zu zwei Stimmen wurde"
        " beschlossen, die Öffnung bis 21 Uhr zu fordern. Die nächste Sitzung findet am 18. Mai statt.",
        "Wie hat die Fraktion zur Öffnung des Freibads abgestimmt?",
        "sieben zu zwei Stimmen",
    ),
    _paper(
        "Hausordnung der Geschäftsstelle",
        "Die Geschäftsstelle ist werktags von 8 bis 17 Uhr besetzt. Besprechungsräume werden beim"
        " Empfang gebucht. Hunde dürfen mitgebracht werden, wenn alle im Zimmer einverstanden sind. Wer"
        " als Letzte geht, stellt die Alarmanlage scharf.",
        "Darf ich meinen Hund ins Büro der Geschäftsstelle mitbringen?",
        "Hunde dürfen mitgebracht werden",
    ),
    _paper(
        "Zeitplan für den Wahlkampf",
        "Die Plakate werden am 2. August aufgehängt. Der erste Infostand steht am 9. August auf dem"
        " Salzmarkt. Die Briefwahlwerbung geht am 20. August in den Druck. Zwei Tage nach der Wahl"
        " hängen wir alles ab.",
        "Wann werden die Plakate aufgehängt?",
        "am 2. August aufgehängt",
    ),
    _paper(
        "Vermerk zur Sporthalle am Kirschweg",
        "Das Dach der Sporthalle ist undicht. Der Gutachter rät zu einer neuen Abdichtung, eine"
        " Sanierung des Tragwerks hält er nicht für nötig. Bis zum Herbst bleibt die Halle für den"
        " Schulsport gesperrt.",
        "Bis wann ist die Sporthalle am Kirschweg gesperrt?",
        "Bis zum Herbst bleibt die Halle",
    ),
    _paper(
        "Reisekosten der Ehrenamtlichen",
        "Fahrten mit der Bahn werden in der zweiten Klasse erstattet. Für das eigene Auto gibt es 25"
        " Cent je Kilometer, mit Mitfahrenden 30 Cent. Belege sind binnen drei Monaten einzureichen."
        " Taxis werden nur nach Mitternacht bezahlt.",
        "Wie viel bekomme ich pro Kilometer mit dem eigenen Auto?",
        "25 Cent je Kilometer",
    ),
    _paper(
        "Sommerfest 2027",
        "Das Sommerfest findet im Hof der alten Brauerei statt. Für die Musik sorgt die Kapelle"
        " Blechlaune. Den Kuchen backt der Ortsverein Niederfurt, die Getränke bringt jeder selbst mit.",
        "Wer macht beim Sommerfest Musik?",
        "Kapelle Blechlaune",
    ),
    _paper(
        "Notiz Telefonat Kämmerei",
        "Die Kämmerin rechnet für das kommende Jahr mit einem Fehlbetrag von 3,2 Millionen Talern. Sie"
        " schlägt vor, die Anschaffung der Löschfahrzeuge um ein Jahr zu schieben. An der Musikschule"
        " soll nicht gespart werden.",
        "Was schlägt die Kämmerin zu den Löschfahrzeugen vor?",
        "die Anschaffung der Löschfahrzeuge um ein Jahr zu schieben",
    ),
    _paper(
        "Anleitung Pressemitteilung",
        "Eine Mitteilung hat höchstens eine Seite. Zitate werden von der zitierten Person freigegeben."
        " Die Freigabe erteilt Herr Quandtmeier, in seiner Abwesenheit Frau Oberhues. Versandt wird vor"
        " 11 Uhr.",
        "Wer gibt Pressemitteilungen frei?",
        "Die Freigabe erteilt Herr Quandtmeier",
    ),
    _paper(
        "Ergebnis der Umfrage unter Mitgliedern",
        "An der Umfrage haben 412 Mitglieder teilgenommen. Wichtigstes Thema ist ihnen der Nahverkehr,"
        " danach kommen Wohnen und Schulen. Zwei Drittel wünschen sich Treffen am Vormittag.",
        "Wie viele Mitglieder haben an der Umfrage teilgenommen?",
        "412 Mitglieder",
    ),
    _paper(
        "Konzept Lesepaten",
        "Lesepaten besuchen einmal in der Woche eine Grundschule. Sie brauchen ein Führungszeugnis, das"
        " der Verein bezahlt. Gelesen wird in kleinen Gruppen von höchstens vier Kindern. Eine"
        " Ausbildung ist nicht nötig.",
        "Wie groß sind die Gruppen bei den Lesepaten?",
        "höchstens vier Kindern",
    ),
    _paper(
        "Vereinbarung Rosenquartier",
        "Die Baugesellschaft errichtet im Rosenquartier 120 Wohnungen. Ein Drittel davon wird"
        " preisgebunden vermietet, die Bindung läuft 20 Jahre. Stellplätze entstehen nur in der"
        " Tiefgarage.",
        "Wie lange läuft die Preisbindung im Rosenquartier?",
        "die Bindung läuft 20 Jahre",
    ),
    _paper(
        "Einsatzplan Winterdienst",
        "Bei Schnee räumt zuerst die Kolonne Adler die Zufahrt zum Krankenhaus. Nebenstraßen folgen"
        " nach sechs Uhr. Gestreut wird mit Splitt, Salz nur auf Brücken und an Steigungen.",
        "Wo wird beim Winterdienst Salz gestreut?",
        "Salz nur auf Brücken und an Steigungen",
    ),
    _paper(
        "Bericht der Kassenprüfung",
        "Geprüft wurden alle Belege des Jahres. Es fehlten zwei Quittungen über zusammen 61 Taler, die"
        " nachgereicht sind. Die Prüferinnen empfehlen die Entlastung des Vorstands.",
        "Was empfehlen die Kassenprüferinnen?",
        "empfehlen die Entlastung des Vorstands",
    ),
    _paper(
        "Aushang Fundsachen",
        "Fundsachen werden ein halbes Jahr im Keller der Bücherei aufbewahrt. Danach werden sie"
        " zugunsten der Jugendfeuerwehr versteigert. Fahrräder kommen in den Schuppen am Gleis.",
        "Was passiert mit Fundsachen nach einem halben Jahr?",
        "zugunsten der Jugendfeuerwehr versteigert",
    ),
    _paper(
        "Gutachten Kirchturmglocke",
        "Die kleine Glocke hat einen Riss von elf Zentimetern. Schweißen ist möglich und kommt billiger"
        " als ein neuer Guss. Bis dahin darf sie nicht geläutet werden.",
        "Kann der Riss in der Kirchturmglocke geschweißt werden?",
        "Schweißen ist möglich",
    ),
    _paper(
        "Leitfaden Bürgersprechstunde",
        "Die Sprechstunde ist jeden ersten Donnerstag im Monat. Gespräche dauern 15 Minuten und sind"
        " vertraulich. Anliegen zu laufenden Gerichtsverfahren nehmen wir nicht an.",
        "Wann ist die Bürgersprechstunde?",
        "jeden ersten Donnerstag im Monat",
    ),
    _paper(
        "Angebot Druckerei Falkenried",
        "10.000 Faltblätter kosten 890 Taler, 20.000 kosten 1.310 Taler. Die Lieferung erfolgt fünf"
        " Werktage nach der Freigabe. Recyclingpapier ist ohne Aufpreis möglich.",
        "Was kosten 20.000 Faltblätter bei der Druckerei Falkenried?",
        "20.000 kosten 1.310 Taler",
    ),
    _paper(
        "Kurzprotokoll Runder Tisch Radweg",
        "Der Radweg am Mühlbach wird verlegt, weil die Böschung rutscht. Die neue Strecke führt über"
        " die Lindenallee. Eigentümer Brockhagen überlässt der Stadt dafür einen Streifen von zwei"
        " Metern.",
        "Warum wird der Radweg am Mühlbach verlegt?",
        "weil die Böschung rutscht",
    ),
    _paper(
        "Stellenausschreibung Referentin",
        "Wir suchen zum 1. Oktober eine Referentin für Energie. Die Stelle umfasst 30 Stunden und ist"
        " auf zwei Jahre befristet. Bewerbungen gehen an Herrn Tauberschmidt.",
        "Wie viele Stunden hat die Stelle der Referentin für Energie?",
        "30 Stunden",
    ),
    _paper(
        "Vote on the boathouse",
        "The members met on 3 June in the old customs hall. The proposal to paint the boathouse green"
        " was rejected by 31 votes to 12. A second vote on blue will be held in the autumn.",
        "How did the vote on painting the boathouse green end?",
        "rejected by 31 votes to 12",
    ),
    _paper(
        "Volunteer handbook",
        "New volunteers are looked after by a companion for their first month. Shifts at the food bank"
        " last three hours. Anyone who cannot come tells Mrs Hathersage by noon of the day before.",
        "How long does a shift at the food bank last?",
        "last three hours",
    ),
    _paper(
        "Lease of the allotments",
        "Each allotment costs 40 crowns a year. Huts may be up to twelve square metres large and must"
        " not be lived in. Bees may be kept with the consent of the neighbours.",
        "May I keep bees on my allotment?",
        "Bees may be kept with the consent of the neighbours",
    ),
    _paper(
        "Ferry timetable change",
        "From April the ferry Kittiwake sails every forty minutes. The last crossing leaves at 22:20."
        " Bicycles travel free, dogs need a child's ticket.",
        "When does the last ferry leave?",
        "The last crossing leaves at 22:20",
    ),
    _paper(
        "Memo on the archive",
        "The archive moves to the former dairy in November. Minutes older than thirty years go to the"
        " county. Photographs are scanned first, by Mr Pellerin and two students.",
        "Where does the archive move?",
        "moves to the former dairy",
    ),
    _paper(
        "School kitchen trial",
        "For eight weeks the school kitchen cooked without palm oil. Costs rose by four cents a meal."
        " The pupils preferred the lentil stew to everything else.",
        "How much more did a meal cost in the school kitchen trial?",
        "four cents a meal",
    ),
    _paper(
        "Rules of the tool library",
        "Tools are lent for seven days. A deposit of 20 crowns is due for anything with a motor."
        " Whoever brings a tool back broken says so; nobody is fined for it.",
        "What deposit is due for a tool with a motor?",
        "A deposit of 20 crowns",
    ),
    _paper(
        "Minutes of the harbour committee",
        "The dredging of the inner basin is postponed until the seals have left. Captain Oyelaran"
        " reports two new moorings. The crane is to be inspected every spring.",
        "Why is the dredging of the inner basin postponed?",
        "until the seals have left",
    ),
    _paper(
        "Donation of Mrs Averill",
        "Mrs Averill leaves the town her house on Quay Street. She asks that it be used as a nursery"
        " for at least fifteen years. The garden remains open to everybody.",
        "What did Mrs Averill ask that her house be used for?",
        "used as a nursery",
    ),
    _paper(
        "Street market guidelines",
        "Stalls open at seven and close at two. Knives and fireworks may not be sold. The pitch costs"
        " three crowns a metre, for growers from the county half of that.",
        "What may not be sold at the street market?",
        "Knives and fireworks may not be sold",
    ),
)
