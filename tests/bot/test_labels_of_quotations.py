"""Whose words a draft says that a quotation has: sources, and labels that are none.

Of both lists the second half was written after the rule, and not looked at while it was made.
"""

import re

from bot.answers.alleged import RoundQuotations
from bot.library.scoping import KnownNames
from core.registry.quotations import Paragraph, quotations
from tests.support.world import REGISTRY

SOURCES = (
    "Theodor Fontane:",
    "Hannah Arendt schreibt:",
    "Der Bundesrechnungshof:",
    "Statistisches Bundesamt:",
    "Deutscher Mieterbund:",
    "Deutsche Umwelthilfe:",
    "Gewerkschaft der Polizei:",
    "Bundesverband der Verbraucherzentralen:",
    "Handelskammer Hamburg:",
    "Süddeutsche Zeitung:",
    "Stiftung Warentest:",
    "Robert Koch-Institut:",
    "Max Frisch:",
    "Marie Curie:",
    "Albert Einstein sagte:",
    "Frau Schneider:",
    "Herr Doktor Berger:",
    "Bürgermeisterin Petersen:",
    "Die Seepartei:",
    "Partei der Mitte:",
    "Bündnis Neues Land:",
    "Freie Liste Nord:",
    "Sozialverband Deutschland:",
    "Evangelische Kirche:",
    "Verfassungsgericht:",
    "Jane Austen:",
    "Emily Dickinson writes:",
    "Office for National Statistics:",
    "National Audit Office:",
    "Trades Union Congress:",
    "Citizens Alliance:",
    "Mrs Baker:",
    "Victor Hugo:",
    "Marguerite Yourcenar:",
    "Cour des comptes:",
    "Conseil constitutionnel:",
    "Fondation Abbé Pierre:",
    "Madame Dubois:",
    "Parti du Lac:",
    "Ligue des droits de l'homme:",
    "Annette von Droste-Hülshoff:",
    "Kurt Tucholsky:",
    "Ingeborg Bachmann sagte einmal:",
    "Robert Musil:",
    "Joseph Roth schreibt:",
    "Bundesnetzagentur:",
    "Sachverständigenrat:",
    "Deutscher Städtetag:",
    "Paritätischer Wohlfahrtsverband:",
    "Verbraucherzentrale Nordstadt:",
    "Landesamt für Umwelt:",
    "Wissenschaftlicher Dienst:",
    "Industriegewerkschaft Metall:",
    "Ärztekammer Nordrhein:",
    "Caritasverband:",
    "Frankfurter Rundschau:",
    "Frau Doktor Seidel:",
    "Präsident Winter:",
    "Grüne Liste Uferland:",
    "Die Inselpartei:",
    "Union der Fischer:",
    "Oberverwaltungsgericht Seestadt:",
    "Mary Shelley:",
    "Charles Darwin wrote:",
    "Virginia Woolf:",
    "Royal Society:",
    "Institute for Fiscal Studies:",
    "Supreme Court:",
    "Coastal Alliance:",
    "Labour Research Department:",
    "President Miller:",
    "Émile Zola:",
    "Simone Weil écrit:",
    "Honoré de Balzac:",
    "Cour de cassation:",
    "Syndicat des enseignants:",
    "Agence de l'eau:",
    "Monsieur Lambert:",
    "Mouvement des îles:",
    "Académie française:",
)
LABELS = (
    "Kurzfassung:",
    "Zum Klimaschutz:",
    "Bezahlbares Wohnen:",
    "Kapitel Bildung:",
    "Abschnitt Gesundheit:",
    "Wörtliches Zitat:",
    "Unsere Position:",
    "Erster Punkt:",
    "Arbeit und Soziales:",
    "Digitale Infrastruktur:",
    "Gleiche Chancen:",
    "Innere Sicherheit:",
    "Kommunale Finanzen:",
    "Öffentlicher Nahverkehr:",
    "Familie und Kinder:",
    "Zweite Forderung:",
    "Leitsatz:",
    "Grundsatz:",
    "Stichwort Steuern:",
    "Zur Energiepolitik:",
    "Über Europa:",
    "Beispiel:",
    "Merke:",
    "Schlusswort:",
    "Starke Kommunen:",
    "Public Transport:",
    "Core Message:",
    "On Pensions:",
    "Affordable Homes:",
    "Climate Action:",
    "First Demand:",
    "Chapter Three:",
    "Safer Streets:",
    "Proposition Phare:",
    "Sur les retraites:",
    "Chapitre Santé:",
    "Transition Écologique:",
    "Pouvoir d'achat:",
    "Première mesure:",
    "Point Central:",
    "Zusammenfassung:",
    "Zur Bildung:",
    "Gute Pflege:",
    "Kapitel Verkehr:",
    "Abschnitt Drei:",
    "Kernaussage:",
    "Hauptpunkt:",
    "Mein Fazit:",
    "Zweiter Absatz:",
    "Sport und Kultur:",
    "Ländlicher Raum:",
    "Soziale Sicherheit:",
    "Bäuerliche Landwirtschaft:",
    "Solide Haushalte:",
    "Schnelles Internet:",
    "Wald und Wasser:",
    "Dritte These:",
    "Überschrift:",
    "Motto:",
    "Thema Migration:",
    "Zum Mindestlohn:",
    "Für Kinder:",
    "Lehrsatz:",
    "Einleitung:",
    "Ausblick:",
    "Lebendige Demokratie:",
    "Childcare Places:",
    "Main Point:",
    "On Housing:",
    "Healthy Rivers:",
    "Rural Buses:",
    "Second Aim:",
    "Section Four:",
    "Better Wages:",
    "Idée Maîtresse:",
    "Sur le climat:",
    "Chapitre Agriculture:",
    "Justice Sociale:",
    "Eau Potable:",
    "Deuxième point:",
)


def is_attributed(before: str) -> bool:
    """Whether words behind `before` are said to be somebody's, or to stand somewhere."""
    text = f"{before} „Der Mindestlohn steigt auf 15 Taler in der Stunde und bleibt dort.“"
    lines = [Paragraph(each.start(), each.end()) for each in re.finditer(r"[^\n]+", text)]
    (claimed,) = RoundQuotations(KnownNames(REGISTRY, ()), ()).claims(quotations(text, lines), {})
    return bool(claimed.unknown or claimed.parties or claimed.jurisdictions or claimed.chapter)


def test_sources_are_recognised() -> None:
    missed = [each for each in SOURCES if not is_attributed(each)]
    assert len(missed) <= 4, missed


def test_labels_are_nobody() -> None:
    taken = [each for each in LABELS if is_attributed(each)]
    assert len(taken) <= 8, taken
    assert not {"Kernforderung:", "Kapitel Wohnen:", "Zur Rente:"} & {
        each for each in ("Kernforderung:", "Kapitel Wohnen:", "Zur Rente:") if is_attributed(each)
    }


def test_a_chapter_is_claimed_where_it_is_said_to_have_the_words() -> None:
    assert is_attributed("Im Kapitel Wohnen heißt es:")
    assert is_attributed("Uferpartei, Kapitel Wohnen:")
