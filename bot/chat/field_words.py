"""The fields of a document as people read them: "Antrag · Uferpartei · Seemoor · 8. Januar 2026"."""

from collections.abc import Container, Iterable

from bot.presentation import Presenter, Texts
from bot.presentation.wording import defused, in_marks
from core.domain.documents import GLOBAL, DocumentFields, DocumentType
from core.library.describing import Description
from core.library.printed_dates import PrintedDate


def field_words(
    fields: DocumentFields, texts: Texts, presenter: Presenter, *, only: Container[str] | None = None
) -> str:
    """What is known of a document; with `only` those of its fields that these typed names name."""
    chosen = only is not None
    said = {
        "title": in_marks(fields.title, texts) if chosen else "",
        "type": _kind(fields.doc_type, texts) if chosen or fields.doc_type is not DocumentType.OTHER else "",
        "party": presenter.names.parties(*fields.parties),
        "jurisdiction": _place(fields.jurisdiction, texts, presenter),
        "date": texts.day(fields.valid_from) if fields.valid_from else "",
        "language": _language(fields.language, texts) or (defused(fields.language) if chosen else ""),
        "pages": texts("field.pages", count=fields.max_pages) if fields.max_pages else "",
    }
    return _listed(value for name, value in said.items() if only is None or name in only)


def guess_words(guess: Description, texts: Texts, presenter: Presenter) -> str:
    """What a document seems to be; empty where nothing speaks for anything."""
    party = presenter.names.parties(guess.party) if guess.party else ""
    kind = _kind(guess.doc_type, texts) if guess.doc_type else ""
    date = _printed(guess.valid_from, texts) if guess.valid_from else ""
    return _listed((kind, party, _place(guess.jurisdiction, texts, presenter), date))


def _listed(words: Iterable[str]) -> str:
    said = " · ".join(word for word in words if word)
    return said[:1].upper() + said[1:]


def _kind(kind: DocumentType, texts: Texts) -> str:
    return texts(f"kind.{kind.value}")


def _place(code: str | None, texts: Texts, presenter: Presenter) -> str:
    if code == GLOBAL:
        return texts("field.everywhere")
    return presenter.place(code, texts) if code else ""


def _language(code: str, texts: Texts) -> str:
    """Its name where we have one: a code says little, and of a short text it is a guess."""
    return texts(f"language.{code}") if texts.has(f"language.{code}") else ""


def _printed(date: PrintedDate, texts: Texts) -> str:
    """A date as far as it is printed: a day, a month or a year."""
    parts = date.written.count("-")
    return texts.day(date.day) if parts == 2 else texts.month(date.day) if parts else date.written
