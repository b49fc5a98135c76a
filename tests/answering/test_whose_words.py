"""Whose words a sentence is where no sentence leads into it: what stands behind it or some way before it
says so. Sentences between [[ ]] are others' words, those between {{ }} the document's own."""

import re
from collections.abc import Sequence

import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.answering.sight import TRUSTING
from core.answering.whose_words import Frame, OwnWordsOnly, WhoseWords
from core.domain.documents import DocumentType, Edition
from core.domain.pages import Page
from core.domain.passages import Span
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from tests.support.encoders import models_dir
from tests.support.read_files import read_and_cut
from tests.support.search_world import edition

LISTENER = WhoseWords((E5Embedder(models_dir()), UseEmbedder(models_dir())))
TEXTS = (
    "de: Kinder brauchen im Grunde nur ihre Mutter. [[Krippen machen sie krank.]] So dachte man früher."
    " {{Wir bauen zweihundert Krippenplätze.}}",
    "de: [[Wer Parks will, soll aufs Land ziehen.]] Mit diesem Satz warb die Baulobby gegen uns.",
    "de: [[Der Fluss verträgt noch viel mehr Abwasser.]] Das Landesamt hat das Gegenteil gemessen."
    " {{Wir senken den Grenzwert.}}",
    "de: ## „Keine Bäume in unsere Straße!“\n\nSo hieß es auf den Zetteln der Gegner. {{Wir pflanzen vierzig"
    " Linden.}}",
    "de: | Was man hört | Was wir wissen |\n|---|---|\n| [[Das Freibad wird an eine Kette verkauft.]] |"
    " {{Das Freibad bleibt bei der Stadt.}} |\n| [[Die Preise werden sich verdoppeln.]] |"
    " {{Der Eintritt bleibt bei vier Euro.}} |",
    "en: | Proposal | Position | Comment |\n|---|---|---|\n| Pets are banned from every park. | disagree |"
    " {{Dogs may run free in half of the parks.}} |",
    "de: | Name | Beispiel |\n|---|---|\n| {{Der Verein lädt jeden Sonntag zum Rudern ein.}} |"
    " {{Im Mai rudern Kinder ohne Beitrag mit.}} |",
    "de: | Die Uferpartei sagt | Ort |\n|---|---|\n| {{Jeder Steg bekommt ein Geländer.}} | Nordufer |",
    "de: Ratsherr Ohm (Heimatliste) ergreift das Wort. Die Lage ist ernst. [[Die Bücherei kostet uns jedes"
    " Jahr eine halbe Million.]] [[Sie gehört geschlossen.]] Frau Reuß (Uferpartei) antwortet:"
    " {{Die Bücherei bleibt an fünf Tagen offen.}}",
    "en: [[Cyclists never obey a single rule.]] That is what the motoring club prints in every issue."
    " {{We will build nine miles of cycle track.}}",
    "en: [[The poor have only themselves to blame.]] That is what people used to think.",
    "fr: [[Les vélos n'ont rien à faire en ville.]] Voilà ce que l'on disait il y a trente ans."
    " {{Nous tracerons dix pistes.}}",
    "de: {{Wir öffnen das Rathaus auch am Samstag.}} Die Verwaltung hält davon nichts.",
    "de: {{Die Wege zur Schule sind zu gefährlich.}} Das darf nicht so bleiben.",
    "de: {{Jede Familie soll eine bezahlbare Wohnung finden.}} Heute gelingt das nur wenigen.",
    "de: {{Der Hafen ist das Herz der Stadt.}} Das sagen auch die Kaufleute.",
    "de: | Vorhaben | Kosten |\n|---|---|\n| {{Wir erneuern die Brücke am alten Hafen.}} | zwei Millionen |",
    "de: | Grabart | Gebühr |\n|---|---|\n| {{Reihengrab am Hang für 20 Jahre mit 2 Stellen}} | 700 Euro |\n"
    "| Urnengrab | 300 Euro |",
    "en: {{Every village deserves a bus that runs on Sundays.}} At present none of them has one.",
    "en: {{Clean water is a right that nobody may sell.}} The charter says so in its first article.",
    "fr: {{Nous garderons la poste du village.}} La direction veut la fermer.",
)


SAID = "Wer Parks will, soll aufs Land ziehen."
BEHIND = "Mit diesem Satz warb die Baulobby gegen uns."


def _own(language: str = "de", kind: DocumentType = DocumentType.MANIFESTO) -> Edition:
    return edition("im-fluss", title="Im Fluss", language=language, doc_type=kind, parties=("Uferpartei",))


def _places(text: str, said: str, language: str = "de") -> tuple[Sequence[Page], Sequence[Span]]:
    """The pages of a programme, and where a sentence stands in it."""
    pages, _ = read_and_cut(f"# Im Fluss\n\n{text}".encode(), "text", ".md", language)
    quote = in_its_sentences(said, DocumentIndex(pages)).quote
    assert quote is not None, said
    return pages, quote.spans


@pytest.mark.parametrize("line", TEXTS)
async def test_whose_words_stand_beside_a_line(line: str) -> None:
    language, text = line[:2], line[4:]
    plain = re.sub(r"\[\[|\]\]|\{\{|\}\}", "", text)
    for mark, said in re.findall(r"(\[\[|\{\{)(.*?)(?:\]\]|\}\})", text):
        pages, spans = _places(plain, said, language)
        shown = await LISTENER.shown_by(_own(language), pages, spans, first=True)
        assert (shown is not None) is (mark == "[["), (said, shown)


async def test_others_words_are_neither_quoted_nor_shown_without_what_shows_it() -> None:
    pages, spans = _places(f"{SAID} {BEHIND}", SAID)
    frame = await LISTENER.shown_by(_own(), pages, spans)
    assert frame == Frame(BEHIND, behind=True)
    assert frame.round(SAID).text == f"{SAID} [...] {BEHIND}"
    looking = OwnWordsOnly(sight=TRUSTING, whose=LISTENER)
    assert await looking.objection(_own(), pages, spans) == "reported"


async def test_a_law_and_other_encoders_are_left_alone() -> None:
    pages, spans = _places(f"{SAID} {BEHIND}", SAID)
    assert await LISTENER.shown_by(_own(kind=DocumentType.ACT), pages, spans) is None
    assert await WhoseWords().shown_by(_own(), pages, spans) is None


@pytest.mark.parametrize(("above", "heard"), [("", False), ("# Paper\n\nThe mill is let.\n\n", True)])
async def test_a_title_says_nothing_of_who_speaks(above: str, heard: bool) -> None:
    said = "The tenant pays six hundred pounds."
    text = f"{above}# Letter to Members\n\n{said}"
    pages, _ = read_and_cut(text.encode(), "text", ".md", "en")
    quote = in_its_sentences(said, DocumentIndex(pages)).quote
    assert quote is not None
    shown = await LISTENER.shown_by(edition("paper", language="en"), pages, quote.spans, first=True)
    assert (shown is not None) is heard
