"""Whose words a sentence is: what is set off as a quotation, and what a sentence leads into."""

import pytest

from benchmarks.valid_words import odt
from core.domain.answers import Verdict
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences
from tests.support.office_files import docx
from tests.support.read_files import read_and_cut

TOLD = {  # two sentences that others say, or the document itself; the second one is asked for
    "de": (
        "Das Hallenbad Nord wird ab dem Jahr 2031 geschlossen.",
        "Alle Gebühren steigen um elf Prozent.",
    ),
    "en": ("The northern pool will be closed from the year 2031.", "All charges rise by eleven per cent."),
    "fr": ("La piscine du nord sera fermée dès l’an 2031.", "Toutes les taxes augmentent de onze pour cent."),
}
ROUND = {
    "de": (
        "<h1>Programm der Uferpartei</h1><p>Wir bauen den Hafen bis zum Jahr 2030 aus.</p>",
        "<h2>Verkehr</h2><p>Die Busse fahren künftig alle zehn Minuten durch die Stadt.</p>",
    ),
    "en": (
        "<h1>Programme of the Uferpartei</h1><p>We will extend the harbour by 2030.</p>",
        "<h2>Transport</h2><p>Buses will run every ten minutes through the town.</p>",
    ),
    "fr": (
        "<h1>Programme de la Uferpartei</h1><p>Nous agrandirons le port avant 2030.</p>",
        "<h2>Transports</h2><p>Les bus passeront toutes les dix minutes dans la ville.</p>",
    ),
}
OTHERS = (
    (
        "de",
        "<h2>Gespräch</h2><p>Moderation: Frau Low, wie soll das gehen? Ihre Partei schläft.</p>"
        "<p>Low: Wir bauen.</p><p>{x} {y} Was sagen Sie dazu?</p>",
    ),
    (
        "de",
        "<p>Rätin Ilse Low (Uferpartei): Wir bauen.</p><p>Rat Otto Hahn, Sägewerk: {x} {y}</p>",
    ),
    (
        "en",
        "<p>CLLR LOW, UFERPARTEI: We build.</p><p>MR HOLLIS, DEVELOPER: {x} {y}</p>",
    ),
    ("de", "<p>Hallo Uferpartei, ich bin empört. {x} {y} Viele Grüße, Rolf</p>"),
    ("de", "<h2>Antrag 4 – nicht angenommen</h2><p>{x} {y}</p>"),
    ("en", "<h2>Motion 4 (withdrawn)</h2><p>{x} {y}</p>"),
    ("fr", "<h2>Amendement 4 – rejeté</h2><p>{x} {y}</p>"),
    ("de", "<h2>Sondervotum zweier Mitglieder</h2><p>{x} {y}</p>"),
    ("de", "<h2>Was Haus & Hof uns entgegenhält</h2><p>{x} {y}</p>"),
    (
        "de",
        "<h2>Sorgen und unsere Antworten</h2><ol><li>{x} {y} – Wir bauen selbst.</li>"
        "<li>Es wird laut. – Es bleibt leise.</li></ol>",
    ),
    (
        "de",
        "<h2>Vorbehalte</h2><p>„{x}“</p><p>Der Rat hat Zeit.</p><p>„{y}“</p><p>Die Kasse ist voll.</p>",
    ),
    (
        "de",
        "<p>Die Hafenkammer schreibt:</p><blockquote><p>{x} {y}</p></blockquote><p>Das sehen wir anders.</p>",
    ),
    ("de", "<blockquote><p>{x} {y}</p><footer>— Jens Kamp, <cite>Hafenkammer</cite></footer></blockquote>"),
    ("de", "<blockquote>{x} {y} <cite>Jens Kamp, Vorsitzender der Hafenunion</cite></blockquote>"),
    ("de", "<blockquote>{x} {y}</blockquote><p>— Jens Kamp, Reeder</p>"),
    ("de", "<blockquote cite='https://x.example'><q>{x} {y}</q></blockquote>"),
    ("de", "<blockquote>{x} {y}</blockquote>"),
    ("de", "<p>Aus dem Programm der Hafenunion:</p><blockquote>{x} {y}</blockquote>"),
    ("de", "<p>So äußerte sich der Minister im Rat.</p><blockquote>Wir haben gerechnet. {y}</blockquote>"),
    ("de", "<blockquote>Ich fahre jeden Tag Bus. {y}</blockquote>"),
    ("de", "<blockquote>{x} {y}</blockquote><p>Das ist falsch. Wir bleiben dabei.</p>"),
    ("de", "<figure><blockquote>{x} {y}</blockquote><figcaption>— Jens Kamp</figcaption></figure>"),
    ("de", "<figure><blockquote>{x} {y}</blockquote><figcaption>Jens Kamp, Reeder</figcaption></figure>"),
    (
        "en",
        "<p>The chamber writes:</p><blockquote><p>{x}</p><p>{y}</p></blockquote><p>We think otherwise.</p>",
    ),
    (
        "en",
        "<blockquote><p>{x} {y}</p><footer>— John Miller, <cite>Harbour Union</cite></footer></blockquote>",
    ),
    ("en", "<blockquote>{x} {y}<br>— John Miller</blockquote>"),
    ("en", "<blockquote>{x} {y}</blockquote>"),
    ("fr", "<blockquote>{x} {y}</blockquote><p>— Jean Moulin, armateur</p>"),
    ("fr", "<p>La chambre écrit :</p><blockquote>{x} {y}</blockquote>"),
    ("de", "<p>Die CDU fordert: {x} {y} Grenzen werden geschlossen.</p>"),
    ("de", "<p>Die Hafenunion behauptet: {x} {y} Das lehnen wir ab.</p>"),
    ("de", "<p>Die CDU behauptet: Wir senken die Steuern. {y} Wir bauen Straßen. Das lehnen wir ab.</p>"),
    ("de", "<p>Die CDU will: {x} {y}</p>"),
    ("de", "<p>Der Reederverband tönt:</p><p>{x} {y}</p>"),
    ("de", "<p>Laut Hafenunion gilt: {x} {y}</p>"),
    ("de", "<p>Immer wieder heißt es: {x} {y}</p>"),
    ("de", "<p>Unsere Gegner sagen: {x} {y}</p>"),
    ("de", "<p>Jens Kamp meint dazu: {x} {y}</p>"),
    ("de", "<p>Das Ministerium teilt mit: {x} {y}</p>"),
    ("de", "<p>Im Gutachten heißt es: {x} {y}</p>"),
    ("de", "<p>Die Bundesregierung kündigt an: {x} {y}</p>"),
    ("en", "<p>The government says: {x} {y} Nobody pays.</p>"),
    ("en", "<p>Harbour Union demands: {x} {y}</p>"),
    ("en", "<p>Landlords claim: {x} {y}</p>"),
    ("en", "<p>As the mayor put it: {x} {y}</p>"),
    ("en", "<p>According to the chamber: {x} {y}</p>"),
    ("en", "<p>The other side keeps insisting: We cannot pay. {y} That is wrong.</p>"),
    ("fr", "<p>Le gouvernement affirme : {x} {y}</p>"),
    ("fr", "<p>Selon la chambre : {x} {y}</p>"),
    ("fr", "<p>L’opposition réclame : {x} {y}</p>"),
    ("de", "<p>Die Hafenunion fordert:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("de", "<p>Die CDU will:</p><ul><li>Wir senken Steuern.</li><li>Wir wissen das. {y}</li></ul>"),
    ("en", "<p>The chamber demands:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("de", "<h2>Wann schließt das Bad?</h2><h3>Falsche Antwort</h3><p>{x} {y}</p>"),
    ("en", "<p>When does the pool close?</p><p>Wrong answer: {y}</p>"),
    ("fr", "<h3>Mauvaise réponse</h3><p>{y}</p>"),
)
OWN = (
    (
        "de",
        "<h2>Gespräch</h2><p>Moderation: Frau Low, wie soll das gehen? Ihre Partei schläft.</p>"
        "<p>Low: Wir bauen.</p><h2>Für Sie</h2><p>Sie erhalten Auskunft bei Ihrem Amt. {x} {y}</p>",
    ),
    ("de", "<p>Liebe Mitglieder der Uferpartei, ich danke euch. {x} {y}</p>"),
    ("de", "<h2>Antrag 5 – angenommen</h2><p>{x} {y}</p>"),
    ("de", "<h2>Rat für abgelehnte Bewerber</h2><p>{x} {y}</p>"),
    ("de", "<p>Rat Otto Hahn, Sägewerk: Alles steht still.</p><p>Rätin Low (Uferpartei): {x} {y}</p>"),
    ("de", "<h2>Öffnung</h2><ul><li>{x} {y} – Samstags nie.</li><li>Immer auf. – Sonntags zu.</li></ul>"),
    ("de", "<h2>Unser Leitgedanke</h2><p>„{y}“</p><h2>Unser Versprechen</h2><p>„{x}“</p>"),
    ("de", "<h3>Falsche Antwort</h3><p>{x}</p><h3>Richtige Antwort</h3><p>{y}</p>"),
    ("en", "<p>Wrong answer: Nothing is known.</p><h3>Right answer</h3><p>{y}</p>"),
    ("fr", "<h3>Mauvaise réponse</h3><p>{x}</p><h3>Bonne réponse</h3><p>{y}</p>"),
    ("de", "<p>{y}</p><blockquote>{y}</blockquote>"),
    ("de", "<blockquote>Wir halten Wort. {y}</blockquote>"),
    ("de", "<blockquote>{x} {y}<footer>— Anna Weber, Spitzenkandidatin</footer></blockquote>"),
    ("de", "<blockquote>{x} {y}</blockquote><p>— Anna Weber, Vorsitzende der Uferpartei</p>"),
    ("de", "<blockquote>{x} {y}</blockquote><p>— Uferpartei</p>"),
    (
        "de",
        "<p>Unsere Kandidatin Anna Weber tritt an.</p><blockquote>{x} {y}</blockquote><p>— Anna Weber</p>",
    ),
    ("de", "<p>Wir fordern:</p><blockquote>{x} {y}</blockquote>"),
    ("de", "<p>Das bedeutet:</p><blockquote>{x} {y}</blockquote>"),
    ("de", "<p>Unser Grundsatz lautet:</p><blockquote>{x} {y}</blockquote>"),
    ("de", "<blockquote><strong>Forderung:</strong> {x} {y}</blockquote>"),
    ("de", "<blockquote><h3>Häfen</h3><p>{x} {y}</p></blockquote>"),
    ("de", "<p>Es gilt die Satzung.</p><blockquote><p>(1) {x}</p><p>(2) {y}</p></blockquote>"),
    ("en", "<blockquote>We keep our word. {y}</blockquote>"),
    ("en", "<blockquote>{x} {y}<footer>— Anna Weber, leader of our party</footer></blockquote>"),
    ("en", "<p>This means:</p><blockquote>{x} {y}</blockquote>"),
    ("fr", "<blockquote>Nous tenons parole. {y}</blockquote>"),
    ("de", "<p>Wir fordern: {x} {y}</p>"),
    ("de", "<p>Das bedeutet: {x} {y}</p>"),
    ("de", "<p>Konkret heißt das: {x} {y}</p>"),
    ("de", "<p>Der Antrag enthält: {x} {y}</p>"),
    ("de", "<p>Dieser Antrag fordert: {x} {y}</p>"),
    ("de", "<p>Die Uferpartei fordert: {x} {y}</p>"),
    ("de", "<p>Unser Parteitag beschließt und fordert: {x} {y}</p>"),
    ("de", "<p>Kurz erklärt: {x} {y}</p>"),
    ("de", "<p>Unser Ziel: {x} {y}</p>"),
    ("de", "<p>Für den Hafen gilt: {x} {y}</p>"),
    ("de", "<p>Die Erfahrung zeigt: {x} {y}</p>"),
    ("de", "<p>Fest steht: {x} {y}</p>"),
    ("de", "<p>Die Gewerkschaften fordern zu Recht: {x} {y}</p>"),
    ("de", "<p>Die Stadt baut um: {x} {y}</p>"),
    ("de", "<p>Die CDU fordert: {x} Das lehnen wir ab. {y}</p>"),
    ("de", "<p>Die CDU sagt: „{x}“ {y}</p>"),
    ("de", "<p>Anna Weber, unsere Spitzenkandidatin, sagt: „{x} {y}“</p>"),
    ("de", "<p>Folgende Maßnahmen sind nötig: {x} {y}</p>"),
    ("de", "<p>Wir schlagen vor:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("de", "<p>Unsere Partei will:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("de", "<p>Von der Regierung fordern wir:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("en", "<p>We demand: {x} {y}</p>"),
    ("en", "<p>Our key demands: {x} {y}</p>"),
    ("en", "<p>Key demands: {x} {y}</p>"),
    ("en", "<p>The promise: {x} {y}</p>"),
    ("en", "<p>That said: {x} {y}</p>"),
    ("en", "<p>This means: {x} {y}</p>"),
    ("en", "<p>The Uferpartei says: {x} {y}</p>"),
    ("en", "<p>The plan: {x} {y}</p>"),
    ("en", "<p>The council must: {x} {y}</p>"),
    ("fr", "<p>Nous demandons : {x} {y}</p>"),
    ("fr", "<p>Autrement dit : {x} {y}</p>"),
    ("fr", "<p>Cela signifie : {x} {y}</p>"),
    ("fr", "<p>La Uferpartei propose : {x} {y}</p>"),
    ("de", "<p>Die CDU plant: mehr Straßen und weniger Busse. {y}</p>"),
    ("de", "<p>Jetzt heißt es: Machen statt reden! {y}</p>"),
    ("de", "<p>Das verlangt von der Politik: Kurs halten. {y}</p>"),
    ("de", "<p>Die EU fordert auch Maßnahmen, um Löhne zu schützen: {x} {y}</p>"),
)


def _looked_up(data: bytes, kind: str, ending: str, language: str = "de") -> tuple[Alignment, bool]:
    """What `verify` says of the second sentence, and whether an answer may be made of it."""
    pages, passages = read_and_cut(data, kind, ending, language)
    wanted = TOLD[language][1]
    return in_its_sentences(wanted, DocumentIndex(pages)), any(
        skeleton(wanted) in skeleton(passage.text[start:end]) and not passage.says_of_others(start, end)
        for passage in passages
        for start, end in sentences(passage.text, language)
    )


def _page(language: str, body: str) -> bytes:
    x, y = TOLD[language]
    before, behind = ROUND[language]
    return f"{before}{body.replace('{x}', x).replace('{y}', y)}{behind}".encode()


@pytest.mark.parametrize(("language", "body"), OTHERS)
def test_others_words_are_never_quoted_as_the_documents(language: str, body: str) -> None:
    found, quotable = _looked_up(_page(language, body), "html", ".html", language)
    assert (found.verdict, quotable) == (Verdict.REPORTED, False)
    assert found.setting is not None


@pytest.mark.parametrize(("language", "body"), OWN)
def test_its_own_words_are_quoted(language: str, body: str) -> None:
    found, quotable = _looked_up(_page(language, body), "html", ".html", language)
    assert (found.verdict, quotable) == (Verdict.VERBATIM, True)


A, B = TOLD["de"]
OTHERS_IN_MARKDOWN = (
    f"> {A} {B}\n> — Jens Kamp",
    f"> {A} {B}\n>\n> — Jens Kamp, Reeder",
    f"> {A}\n{B}",
    f"Jens Kamp schreibt:\n\n> {A}\n>\n> {B}\n\nDas ist falsch.",
    f"> {A} {B}\n\n— Jens Kamp",
    f"> „{A} {B}“ (Jens Kamp)",
    f"<blockquote>\n{A} {B}\n</blockquote>",
)
OWN_IN_MARKDOWN = (
    f"{B}\n\n> {B}",
    f"> Wir halten Wort. {B}",
    f"> **Forderung:** {A} {B}",
    f"> {A} {B}\n> — Anna Weber, Spitzenkandidatin",
    f"> {A} {B}\n> — Uferpartei",
    f"Wir fordern:\n\n> {A} {B}",
    f"* {A}\n* {B}",
)


def _in_markdown(body: str) -> tuple[Alignment, bool]:
    text = f"# Programm\n\nWir bauen den Hafen aus.\n\n{body}\n\n## Verkehr\n\nDie Busse fahren öfter.\n"
    return _looked_up(text.encode(), "text", ".md")


@pytest.mark.parametrize("body", OTHERS_IN_MARKDOWN)
def test_quotations_in_markdown_are_others_words(body: str) -> None:
    found, quotable = _in_markdown(body)
    assert (found.verdict, quotable) == (Verdict.REPORTED, False)


@pytest.mark.parametrize("body", OWN_IN_MARKDOWN)
def test_what_is_emphasised_in_markdown_is_its_own(body: str) -> None:
    found, quotable = _in_markdown(body)
    assert (found.verdict, quotable) == (Verdict.VERBATIM, True)


def test_the_name_under_a_quotation_is_shown_with_it() -> None:
    found, _ = _in_markdown(OTHERS_IN_MARKDOWN[1])
    assert found.setting is not None
    assert found.setting.text == f"{B} — Jens Kamp, Reeder"


@pytest.mark.parametrize("gap", ["\n> ", "\n>\n> "])
def test_the_name_under_a_quotation_is_never_quoted_with_what_follows(gap: str) -> None:
    body = f"> {A}{gap}— Jens Kamp, Hafenunion\n\n{B}"
    pages, passages = read_and_cut(f"# Programm\n\nWir bauen aus.\n\n{body}\n".encode(), "text", ".md")
    (passage,) = (each for each in passages if "Kamp" in each.text)
    at = passage.text.index("— Jens Kamp")
    assert passage.says_of_others(at, at + len("— Jens Kamp, Hafenunion"))
    assert not passage.says_of_others(passage.text.index(B), len(passage.text))
    assert in_its_sentences(B, DocumentIndex(pages)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize("style", ["Quote", "IntenseQuote", "Zitat"])
def test_quotations_of_word_are_others_words(style: str) -> None:
    blocks = (("Heading1", "Programm"), ("", "Wir bauen den Hafen aus."), (style, f"{A} {B}"))
    found, quotable = _looked_up(docx((*blocks, ("", "Die Busse fahren öfter."))), "zip", ".docx")
    assert (found.verdict, quotable) == (Verdict.REPORTED, False)
    plain = (("Heading1", "Programm"), ("Indent", f"{A} {B}"), ("", "Die Busse fahren öfter."))
    found, quotable = _looked_up(docx(plain), "zip", ".docx")
    assert (found.verdict, quotable) == (Verdict.VERBATIM, True)


@pytest.mark.parametrize(
    ("style", "valid"), [("Quotations", False), ("Intense_20_Quote", False), ("Text_20_body", True)]
)
def test_quotations_of_open_documents_are_others_words(style: str, valid: bool) -> None:
    styles = f'<style:style style:name="P1" style:family="paragraph" style:parent-style-name="{style}"/>'
    own = f'</text:p><text:p text:style-name="P1">{A} {B}</text:p><text:p>'
    data = odt(["Wir bauen den Hafen aus.", own, "Die Busse fahren öfter."], styles)
    found, quotable = _looked_up(data, "zip", ".odt")
    assert (found.verdict, quotable) == (Verdict.VERBATIM if valid else Verdict.REPORTED, valid)
