"""Whose words a sentence is where the document's own answer stands beside it: under the next heading, behind
the next label, in the next cell. Sentences between [[ ]] are others' words, those between {{ }} its own."""

import re

import pytest

from core.answering.extractive.sentences import quotable
from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from core.domain.search import Hit
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from tests.support.read_files import read_and_cut
from tests.support.search_world import edition

TEXTS = (
    "de: ## Das Konzept des Landrats\n\n[[Der Wald am Nordufer wird für einen Parkplatz gerodet.]]\n\n"
    "## Unser Konzept\n\n{{Der Wald am Nordufer bleibt stehen und wird Schutzgebiet.}}",
    "de: ## So rechnet der Kämmerer\n\n- [[Die Bücherei kostet jeden Haushalt dreißig Euro im Monat.]]\n\n"
    "## So rechnen wir\n\n- {{Die Bücherei kostet jeden Haushalt zwölf Euro im Jahr.}}",
    "en: ## What the shipping firms decided\n\n[[Crews on the lake ferries are halved from next summer.]]\n\n"
    "## What we decided\n\n{{Crews on the lake ferries stay as large as they are.}}",
    "fr: ## Ce que le préfet décide\n\n[[Le marché du samedi quitte la place de l'église.]]\n\n"
    "## Ce que nous décidons\n\n{{Le marché du samedi reste sur la place de l'église.}}",
    "de: ## Einwände, die wir oft hören\n\n### Geld\n\n[[Ein Hallenbad ist für kleine Orte zu teuer.]]\n\n"
    "## Finanzen\n\n{{Das Hallenbad wird aus der Grundsteuer bezahlt.}}",
    "en: ## Rumours we have been told\n\n[[The harbour will be sold to a foreign bank.]]\n\n"
    "## Harbour\n\n{{The harbour stays in the hands of the town.}}",
    "de: ## Der Hafen im Land\n\n{{Der Hafen ist der größte Arbeitgeber der ganzen Küste.}}\n\n"
    "## Unser Hafen\n\n{{Wir bauen den Hafen bis zum Jahr 2030 aus.}}",
    "de: ## Was die Stadt tun muss\n\n{{Die Stadt pflanzt jedes Jahr tausend neue Bäume.}}\n\n"
    "## Was wir tun\n\n{{Der Ortsverein gießt die jungen Bäume im Sommer.}}",
    "de: Einwand: [[Solarzellen auf Denkmälern verschandeln die ganze Altstadt.]]\n\n"
    "Entgegnung: {{Solarziegel sind von der Straße aus nicht zu sehen.}}",
    "en: Wrong answer: [[A lifeguard may leave the tower when the beach is empty.]]\n\n"
    "Right answer: {{A lifeguard leaves the tower only when relieved.}}",
    "de: Vermeintlich [[schadet der neue Radweg dem Handel in der Hauptstraße.]]"
    " {{Wir bauen ihn bis zum Markt.}}",
    "de: {{Angeblich sind die Verträge nicht bindend, tatsächlich werden sie wie Gesetze behandelt.}}",
    "de: {{Folgt man uns, bleibt die Fähre für alle Kinder kostenlos.}}",
    "en: If you believe the landlords, [[rents have fallen in every part of the town.]]"
    " {{We will cap rents at eight pounds per square foot.}}",
    "fr: À en croire le maire, [[la bibliothèque ne sert plus à personne.]]"
    " {{Nous ouvrirons la bibliothèque le dimanche.}}",
    "de: | Vorurteil | Tatsache |\n|---|---|\n"
    "| [[Im Jugendzentrum gibt es jede Nacht Schlägereien.]] |"
    " {{Die Polizei war in drei Jahren ein einziges Mal dort.}} |",
    "en: | Statement | Position | Reason |\n|---|---|---|\n"
    "| [[The town should close the small airfield.]] | disagree |"
    " {{The airfield serves the rescue helicopters at night.}} |\n"
    "| {{The town should buy the old brewery.}} | agree | {{The brewery becomes a school of music.}} |",
    "de: | Was der Kreis plant | Was wir planen |\n|---|---|\n| [[Die Fähre am Sonntag entfällt bald.]] |"
    " {{Die Fähre fährt auch am Sonntag jede Stunde.}} |",
    "fr: | Gouvernement | Nous |\n|---|---|\n| [[Le prix du billet augmente de deux euros.]] |"
    " {{Le prix du billet ne change pas avant 2030.}} |",
    "en: | Subject | Bats |\n|---|---|\n| Myth | [[Bats fly into the hair of anybody they meet.]] |\n"
    "| Fact | {{Bats steer clear of people by their own echo.}} |",
    "en: | Step | Text |\n|---|---|\n| Answer | {{Boats are lent to members for one weekend.}} |\n"
    "| Claim | {{Damage is reported to the harbour master in writing.}} |",
    "de: | Thema | Uferpartei | Hafenunion |\n|---|---|---|\n| Kurtaxe | {{Die Kurtaxe bleibt bei"
    " zwei Talern.}} |"
    " [[Die Kurtaxe steigt auf neun Taler.]] |",
    "de: | These | Uferpartei | Heimatliste |\n|---|---|---|\n| {{Der Steg wird noch im Herbst erneuert.}} |"
    " {{Ja. Zuerst kommt der Steg am Nordufer dran.}} | [[Nein. Dafür fehlt jedes Jahr das Geld.]] |",
    "de: | These | Unsere Antwort | Hafenunion |\n|---|---|---|\n| Fähre |"
    " {{Die Fähre fährt künftig jede Stunde.}} | [[Die Fähre wird zum Jahresende verkauft.]] |",
    "de: | These | Uferpartei | Begründung |\n|---|---|---|\n| Fähre | Ja |"
    " {{Die Fähre fährt künftig jede Stunde.}} |",
    "fr: | Liste | Position |\n|---|---|\n| Uferpartei | {{Le prix du billet ne change pas avant 2030.}} |\n"
    "| Union du Port | [[Le prix du billet augmente de deux euros.]] |",
    "de: ## Leserbriefe\n\nEine Leserin schrieb: [[„Die Buslinie 7 fährt fast leer durch den Ort.“]]"
    " {{Die Buslinie 7 fährt künftig alle zwanzig Minuten.}}",
    "de: ## Was andere sagen\n\n[[„Das Industriegebiet muss weiter wachsen“, sagt die Handelskammer.]]"
    " {{Das Industriegebiet Nord wird nicht erweitert.}}",
    "de: ## Post an uns\n\nIch gehe seit vierzig Jahren jeden Morgen bei Wind und Wetter am Ufer"
    " spazieren und"
    " habe dort noch nie so viele Hunde gesehen wie in diesem Sommer. [[Jeder Hund muss dort an"
    " die Leine.]]\n\n"
    "Eine Leserin aus dem Ortsteil Hohenrain\n\n## Unsere Antwort\n\n{{Niemand muss seinen Hund anleinen.}}",
    "en: Vale Echo: [[Only a free car park can save the street.]] Why do you fight it?\n\n"
    "{{A market brings people into the high street.}}\n\nVale Echo: And the flood wall?\n\n"
    "{{Three hundred homes lie behind that wall.}}",
    "de: Ein Einwohner: [[Die Linde am Dorfplatz muss noch heute weg.]]\n\nEine Einwohnerin:"
    " [[Der Glascontainer soll hinter die Halle.]]\n\n{{Die Linde am Dorfplatz bleibt auch künftig stehen.}}",
    "en: ## What our opponents have in store for you\n\n- [[Selling the county farms to the highest bidder]]"
    "\n\n## What you get from us\n\n- {{County farms let to young tenants for years}}",
    "de: **Regionale Wirtschaft:** {{Betriebe am Ufer werden von Gebühren befreit.}}\n\n"
    "**Reform der Koalition:** {{Ausschüsse tagen künftig öffentlich.}}",
    "de: | Zusage | Stand |\n|---|---|\n| {{Jeder Steg erhält ein Geländer aus Eichenholz.}} |"
    " {{Alle Stege außer dem alten haben eines.}} |",
    "en: | Claims | Amount paid |\n|---|---|\n"
    "| {{Damage by storm to roofs of dwellings.}} | {{Four hundred pounds for every roof.}} |",
)


@pytest.mark.parametrize("line", TEXTS)
def test_whose_words_stand_beside_an_answer(line: str) -> None:
    language, text = line[:2], line[4:]
    plain = re.sub(r"\[\[|\]\]|\{\{|\}\}", "", text)
    pages, passages = read_and_cut(f"# Im Fluss\n\n{plain}\n".encode(), "text", ".md", language)
    own = edition("im-fluss", title="Im Fluss", language=language, doc_type=DocumentType.MANIFESTO)
    offered = [
        skeleton(passage.text[start:end])
        for passage in passages
        for start, end in quotable(Hit(passage=passage, edition=own, score=1.0, found_by=()))
    ]
    for mark, said in re.findall(r"(\[\[|\{\{)(.*?)(?:\]\]|\}\})", text):
        others = mark == "[["
        assert any(skeleton(said) in each for each in offered) is not others, said
        assert (in_its_sentences(said, DocumentIndex(pages)).verdict is Verdict.REPORTED) is others, said
