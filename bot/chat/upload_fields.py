"""Fields of a document as people write them in a file's caption: `jurisdiction=de-nw party="The Greens"`."""

import re
from dataclasses import dataclass, field
from datetime import date

from bot.library.intake import IngestOptions
from bot.presentation.i18n import Texts, languages, typed
from core.domain.documents import DocumentType
from core.errors import Refused
from core.library.describing import Description, dates_in

_LONG = "{0,500}"  # maximum length of a quoted value: an unbounded search for the closing mark takes minutes
_PAIR = re.compile(
    rf"\b(\w+)\s{{0,9}}=\s{{0,9}}"
    rf"(\"[^\"]{_LONG}\"|„[^“”]{_LONG}[“”]|“[^”]{_LONG}”|'[^']{_LONG}'|\S+)"
)
_MARKS = "\"“”„'"
_LONGEST = 200
"""Maximum characters of a value: a title appears in every answer that quotes the document."""

_MOST = 4_000
"""Maximum characters of a caption that consists of fields; a longer text is something else, and costly to
parse."""

_FIELDS = ("jurisdiction", "party", "type", "title", "language", "date", "pages")


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a caption: `options`, and `rest`, the words that aren't fields."""

    options: IngestOptions
    rest: str
    stated: frozenset[str] = field(default_factory=frozenset)


def without_fields(text: str) -> str:
    """The words of `text` that aren't fields; a text too long for fields is returned unchanged."""
    return " ".join(_PAIR.sub(" ", text).split()) if len(text) <= _MOST else text


def only_fields(text: str) -> bool:
    """Whether `text` contains only fields."""
    return bool(text.strip()) and not without_fields(text)


def read_fields(caption: str, *, collection: str) -> Written:
    """The fields in a caption, for `collection`. Raises Refused("upload.field") for an unknown name and for
    an invalid date or number."""
    values: dict[str, list[str]] = {}
    for name, value in _PAIR.findall(caption):
        known = _named(name.lower())
        if known is None:
            detail = f"there is no field {name}; there are {', '.join(_FIELDS)}"
            raise Refused("upload.field", detail, name=name)
        values.setdefault(known, []).append(" ".join(value.strip(_MARKS).split())[:_LONGEST])
    first = {name: found[0] for name, found in values.items()}
    parties = [name.strip() for said in values.get("party", ()) for name in said.split(",") if name.strip()]
    options = IngestOptions(
        collection=collection,
        jurisdiction=first.get("jurisdiction"),
        parties=tuple(parties),
        doc_type=_kind(first["type"]) if "type" in first else None,
        title=first.get("title"),
        language=first.get("language"),
        valid_from=_date(first["date"]) if "date" in first else None,
        max_pages=_number(first["pages"]) if "pages" in first else None,
    )
    return Written(options, " ".join(_PAIR.sub(" ", caption).split()), frozenset(values))


def confirmed(guess: Description, *, collection: str) -> Written:
    """A guess in the form of written fields."""
    options = IngestOptions(
        collection=collection,
        jurisdiction=guess.jurisdiction,
        parties=(guess.party,) if guess.party else (),
        doc_type=guess.doc_type.value if guess.doc_type else None,
        valid_from=guess.valid_from.day if guess.valid_from else None,
    )
    found = {
        "jurisdiction": guess.jurisdiction,
        "party": guess.party,
        "type": guess.doc_type,
        "date": guess.valid_from,
    }
    return Written(options, "", frozenset(name for name, value in found.items() if value))


def _named(word: str) -> str | None:
    return next((name for name in _FIELDS if word in typed(name)), None)


def _kind(text: str) -> str:
    """The document type of that name in one of our languages; else the text as written."""
    every = (Texts(language) for language in languages())
    named = {texts(f"kind.{kind.value}").casefold(): kind.value for texts in every for kind in DocumentType}
    return named.get(text.casefold(), text)


def _date(text: str) -> date:
    """The day of a written date, in the forms that documents use, or the first day of a month or year."""
    month = re.fullmatch(r"(\d{4})(?:-(\d{1,2}))?", text)
    try:
        if month:
            return date(int(month[1]), int(month[2] or 1), 1)
    except ValueError:
        pass
    if len(found := dates_in(text)) == 1:
        return found[0].day
    raise Refused("upload.date", f"{text} is not a date; write 2025-09-28 or 28.9.2025", name=text)


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) < 1:
        raise Refused("upload.no_number", f"{text} is not a number of pages", name=text)
    return int(text)
