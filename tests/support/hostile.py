"""Hostile texts of any length, and every place where a text from outside comes in.

The cost of any input must be linear: twice the text, about twice the work. Patterns that backtrack and loops
over everything before them cost its square or worse.
"""

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from adapters.conversion import readers
from adapters.files.places import known_places
from adapters.matrix.contents import transactions
from adapters.matrix.events import Bot, without_name
from adapters.slack.api import SlackAccount
from adapters.slack.incoming import plain as slack_plain
from adapters.slack.outgoing import blocks, notification
from adapters.telegram.outgoing import drawn
from bot.answers.alleged import AllegedText, with_usual_marks
from bot.chat import command_table
from bot.chat.reports import motion_words
from bot.chat.upload_fields import read_fields
from bot.delivery.outbox import pack
from bot.library.scoping import KnownNames
from bot.presentation.escaping import defused
from core.answering import labels
from core.answering.entries import MAX_QUOTE, bounded
from core.answering.extractive import statements
from core.answering.generated.drafts import read_draft, read_written
from core.answering.generated.sources import fenced
from core.answering.labels import addresses
from core.answering.own_status import lines_on_status
from core.answering.personal_data import redacted
from core.answering.reports.demands import demands
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import PassageId, VersionId
from core.domain.messages import MessageRef, Outgoing
from core.domain.pages import DocumentReading, Page, PageReading
from core.domain.passages import Passage, PassageKind
from core.domain.registry import Party, Registry
from core.domain.scope import ThreadContext
from core.evidence.figures import figures
from core.evidence.quantities import dates, quantities
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.sentences import sentences
from core.library.cross_references import cross_references
from core.library.cutting import cut_document
from core.library.describing import describe
from core.library.differences import differences
from core.library.furniture import mark_furniture
from core.library.ingestion import complete, guess_title
from core.library.references import parse_section_references
from core.question import wanted
from core.question.carried import Carried, words_of
from core.question.content import content_of
from core.question.followups import standalone
from core.question.kinds import is_anaphoric, kind_of
from core.question.topic import parts_of
from core.question.turns import marks
from core.registry.detection import Detector
from core.search.telling import words_asked
from tests.support.fake_pdf import text_page

UNITS = {
    "dots": ".",
    "spaced dots": ". ",
    "commas": ",",
    "opening brackets": "(",
    "closing brackets": ")",
    "square brackets": "[",
    "pairs of brackets": "()",
    "nested brackets": "([{",
    "digits": "7",
    "spaced digits": "7 ",
    "grouped digits": "1.000.",
    "numbers": "1,",
    "hyphens": "-",
    "letters and hyphens": "A-",
    "dashes": "– ",
    "newlines": "\n",
    "spaces": " ",
    "letters": "a",
    "capitals": "A",
    "one-letter words": "a ",
    "short lines": "a\n",
    "numbered lines": "1. A\n",
    "headings": "Aa Bb\n",
    "combining marks": "a\u0301\u0301\u0301",
    "nothing but marks": "\u0301",
    "soft hyphens": "a\u00ad",
    "zero-width": "\u200b",
    "surrogates": "\ud800",
    "private use": "\uf0b7 ",
    "labels": "[S1",
    "labels in labels": "[S[S1]1]",
    "lists of labels": "S1, ",
    "spaced labels": "S1  ",
    "quotes": '"',
    "quotation marks": "„a“ ",
    "ellipses": "[...] ",
    "abbreviations": "z. B. ",
    "endings": "a. ",
    "Roman numerals": "XVI ",
    "Roman points": "iv) ",
    "section numbers": "§ 1.",
    "articles": "art.1.",
    "references": "Section 1(a) of the Act, ",
    "instruments": "section 1 of the Aa Bb ",
    "units": "10³ m² ",
    "superscripts": "²",
    "amounts": "1.000 Euro ",
    "degrees": "° <",
    "URLs": "https://a.b/",
    "schemes": "a:",
    "domains": "aa.-",
    "mail": "a@",
    "mails": "a@b.de ",
    "mentions": "@a ",
    "rooms": "#a:b ",
    "commands": "/a ",
    "tags": "<a ",
    "entities": "&amp;",
    "Markdown": "[a](b) ",
    "stars": "**",
    "tables": "|a",
    "telephones": "+49 170 1234567 ",
    "accounts": "DE12 3456 ",
    "negations": "nicht ",
    "questions": "Wer? ",
    "and": " und",
    "options": " ort=",
    "leaders": ". . . x",
    "page numbers": "A .... 1\n",
    "braces": '{"a":',
    "foreign": "中",
    "parties": "Uferpartei und ",
    "papers": "faq verfassung ",
    "pages in words": "Seite sieben ",
}
"""The repeated texts, by name."""

HEADS = ("", "Die Wahl (", "[S1 ", "§ 1 ", "https://")
"""The prefixes before them."""


def texts(length: int) -> Iterator[tuple[str, str]]:
    """Hostile texts of about `length` characters, by name."""
    for name, unit in UNITS.items():
        body = unit * (length // len(unit))
        yield name, body
        yield f"{name}, not ended", f"{body}x"
    for head in HEADS[1:]:
        for unit in (".", "7 ", "a", "-", " ", "S1, "):
            yield f"{head!r} and {unit!r}", head + unit * (length // len(unit)) + "\u0001"


@dataclass(frozen=True, slots=True)
class Entry:
    """A place where text from outside comes in, and the maximum characters at once."""

    name: str
    work: Callable[[str], object]
    most: int = 1_000_000


ENTRIES = {
    each.name: each
    for each in (
        Entry("cut a page as a programme", lambda text: _cut(text, DocumentType.MANIFESTO)),
        Entry("cut a page as a statute", lambda text: _cut(text, DocumentType.ACT)),
        Entry("cut three like pages", lambda text: _cut_three(text)),
        Entry("page furniture", lambda text: mark_furniture([_page(text, n) for n in (1, 2, 3)])),
        Entry("sentences, German", lambda text: sentences(text, "de")),
        Entry("sentences, English", lambda text: sentences(text, "en")),
        Entry("references, German", lambda text: parse_section_references(text, "de")),
        Entry("references, English", lambda text: parse_section_references(text, "en")),
        Entry("references of a passage", lambda text: cross_references([_passage(text)], _ACT)),
        Entry("figures", figures),
        Entry("quantities", lambda text: (quantities(text, "de"), dates(text))),
        Entry("skeleton", skeleton),
        Entry("compare two versions", lambda text: differences([_page(text)], [_page(f"Neu {text}")])),
        Entry("language", lambda text: detect(text, among=None)),
        Entry("title and language", lambda text: complete(_EMPTY, f"{text[:200]}.pdf", _reading(text))),
        Entry("title", lambda text: guess_title("a.pdf", text)),
        Entry("what an upload seems to be", lambda text: describe(text[:200], [_page(text)], _DETECTOR)),
        Entry("names in a question", lambda text: _DETECTOR.detect(text), 4000),
        Entry("kind of a question", lambda text: (kind_of(text), is_anaphoric(text)), 4000),
        Entry("what a message shows", marks, 4000),
        Entry("follow-up", lambda text: standalone(text, _THREAD, _DETECTOR, _asking(text)), 4000),
        Entry("content of a question", lambda text: content_of(text, ()), 4000),
        Entry("wanted", lambda text: wanted.read_wanted(text), 4000),
        Entry("amounts in a sentence", lambda text: wanted.read_wanted("Was kostet das?").fits(text)),
        Entry("headings of a passage", statements.headings),
        Entry("what a sentence commits to", statements.commits),
        Entry("personal data", redacted, 40_000),
        Entry("words that may be telling", lambda text: words_asked(text, "de")),
        Entry("what is alleged", lambda text: _alleged_in(text), MAX_QUOTE),
        Entry(
            "what stands before a quote",
            lambda text: _alleged_in(f"{text} Uferpartei: „{_QUOTE}“"),
            MAX_QUOTE,
        ),
        Entry(
            "what stands behind a quote", lambda text: _alleged_in(f"Uferpartei „{_QUOTE}“ {text}"), MAX_QUOTE
        ),
        Entry("quotation marks of other kinds", with_usual_marks, 40_000),
        Entry("what a document says of itself", lambda text: lines_on_status([text])),
        Entry("length of an entry", lambda text: bounded(text, 1_000_000)),
        Entry("demands of a motion", lambda text: demands(text, "de")),
        Entry("options of a motion", lambda text: motion_words(text, lambda name: False)),
        Entry("parts of a topic", parts_of, 40_000),
        Entry("draft of a model", read_draft, 40_000),
        Entry("written text of a model", read_written, 40_000),
        Entry("labels of a model", labels.without_labels, 40_000),
        Entry("known labels", lambda text: labels.labels_of_field(text, {"S1"}), 40_000),
        Entry("addresses", addresses, 40_000),
        Entry("sources for a model", fenced),
        Entry("defused", defused),
        Entry("packed into messages", lambda text: pack([text, text], 4000, len)),
        Entry("command", command_table.parse),
        Entry("caption of an upload", lambda text: _fields(text), 40_000),
        Entry("Telegram: what stays plain", lambda text: drawn(text), 40_000),
        Entry("Slack: message", lambda text: (blocks(_outgoing(text)), notification(text)), 40_000),
        Entry("Slack: received", lambda text: slack_plain(text, _ME), 40_000),
        Entry("Matrix: message", lambda text: transactions(_outgoing(text)), 40_000),
        Entry("Matrix: received", lambda text: without_name(text, _BOT), 65_000),
        Entry("kind of a text file", lambda text: readers.kind_of_text(text, ".txt"), 200_000),
        Entry("text file", lambda text: readers.read_text(_bytes(text))),
        Entry("Markdown file", lambda text: readers.read_markdown(_bytes(text))),
        Entry("HTML file", lambda text: readers.read_html(_bytes(text))),
        Entry("table file", lambda text: readers.read_csv(_bytes(text))),
    )
}
"""Every place, by name."""

_QUOTE = "Wir wollen die Mieten am Fluss senken."
_REGISTRY = Registry(parties=(Party(name="Uferpartei", aliases=("Riverside Party",)),))
_NAMES = KnownNames(_REGISTRY, known_places())


def _alleged_in(text: str) -> object:
    """What `text` alleges, with a head that is sure that it only says whose a quote is, and without one."""
    read = AllegedText(text, _NAMES, ())
    return read.alleged(), read.alleged(dict.fromkeys(read.frames(), -7.0)), read.quoted_alone()


_ACT = DocumentFields(title="Act", language="en", doc_type=DocumentType.ACT)
_EMPTY = DocumentFields(title="", language="")
_DETECTOR = Detector(_REGISTRY, ())


def _asking(text: str) -> Carried:
    """As if every second word of `text` were asked for."""
    words = words_of(text, ())[::2]
    return Carried(
        follows=True, keeps=len(words) % 2 == 0, asks=tuple((start, end) for _, start, end in words)
    )


_THREAD = ThreadContext(questions=("Was sagt die Uferpartei zu Mieten?",), language="de")
_ME = SlackAccount(user="U1", bot="B1", name="fundstelle", team="T1")
_BOT = Bot(user_id="@fundstelle:example.org", name="Fundstelle")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _page(text: str, number: int = 1) -> Page:
    return text_page(text, number)


def _reading(text: str) -> DocumentReading:
    return DocumentReading(pages=(PageReading(page=_page(text)),), total_pages=1, title=text[:300])


def _count(given: object) -> list[int]:
    return [len(text) // 4 for text in given]  # type: ignore[attr-defined]


def _cut(text: str, doc_type: DocumentType) -> object:
    fields = DocumentFields(title="Titel", language="de", doc_type=doc_type)
    return cut_document([PageReading(page=_page(text))], fields, _count)


def _cut_three(text: str) -> object:
    third = text[: len(text) // 3]
    readings = [PageReading(page=_page(third, number)) for number in (1, 2, 3)]
    return cut_document(readings, DocumentFields(title="Titel", language="en"), _count)


def _passage(text: str) -> Passage:
    return Passage(
        id=PassageId("p"),
        version=VersionId("v"),
        ordinal=0,
        spans=(),
        text=text,
        heading="",
        kind=PassageKind.PROSE,
        section=None,
        windows=(),
    )


def _outgoing(text: str) -> Outgoing:
    ref = MessageRef(platform="slack", workspace="T1", chat="C1", thread=None, message="1.1")
    return Outgoing(key="a-0", to=ref, text=text)


def _fields(text: str) -> object:
    try:
        return read_fields(text, collection="public")
    except Exception as error:  # refusing is as good as reading, if it is quick
        return error


class TooSlow(Exception):
    """It has used more CPU time than allowed."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Ends work that takes more than `seconds` of CPU time, including backtracking patterns. Main thread
    only."""

    def ended(_: int, __: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, ended)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def cpu_seconds(work: Callable[[str], object], text: str, *, limit: float, tries: int = 1) -> float:
    """CPU seconds that `work` takes on `text`, the minimum of several tries; `limit` if it took longer."""
    best = limit
    gc.disable()  # a collection takes longer than most of this
    try:
        for _ in range(tries):
            started = time.process_time()
            with limited(limit):
                work(text)
            best = min(best, time.process_time() - started)
    except TooSlow:
        return limit
    finally:
        gc.enable()
    return best
