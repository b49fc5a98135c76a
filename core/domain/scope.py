"""Scope: what a search may look at. It comes from the chat or the command line; the question's text only
narrows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from core.domain.documents import DocumentType
from core.domain.ids import DocumentId


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Filters of a search. Empty tuples mean "no filter", except `collections`, never empty.

    `jurisdictions` are the codes of the places asked about; the search adds the places above them. `editions`
    are years named in the question. `as_of` asks what was valid on that day. `usual_parties` are assumed if a
    question names no party and compares nothing.
    """

    collections: tuple[str, ...]
    jurisdictions: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    doc_types: tuple[DocumentType, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    editions: tuple[int, ...] = ()
    as_of: date | None = None
    usual_parties: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.collections:
            raise ValueError("a scope names at least one collection")


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """What a question names, in registry terms: canonical party names, codes, document ids and years; and
    parties missing from the registry, as written."""

    parties: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    years: tuple[int, ...] = ()
    unknown_parties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A party, a jurisdiction or an edition asked about that has no source in scope, a section that does not
    exist in the documents in question, a document that does not apply at the places asked about, or an
    abbreviation that belongs to no document.

    `kind` is "party", "jurisdiction", "edition", "section", "document" or "instrument"; `name` is the
    canonical name, code or year, the section as people write it, the document's title, or the abbreviation.
    """

    kind: str
    name: str


def lacking_places(missing: Iterable[Missing]) -> frozenset[str]:
    """The codes of the places among `missing`."""
    return frozenset(each.name for each in missing if each.kind == "jurisdiction")


MOST_QUESTIONS = 3
"""Maximum number of questions remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadContext:
    """What a follow-up may refer to. `questions` are the thread's last ones, at least one and at most
    `MOST_QUESTIONS`, newest last, each self-contained: names carried over from earlier ones are written out.
    `language` is the newest one's. `documents` are those cited in its answer, `quotes` what was
    quoted."""

    questions: tuple[str, ...]
    language: str
    documents: tuple[DocumentId, ...] = ()
    quotes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise ValueError(f"a thread remembers 1 to {MOST_QUESTIONS} questions")


def continued(
    thread: ThreadContext | None,
    question: str,
    language: str,
    documents: Iterable[DocumentId] = (),
    quotes: Iterable[str] = (),
) -> ThreadContext:
    """`thread` extended by the self-contained `question`, which was answered with `quotes` from
    `documents`."""
    before = thread.questions if thread else ()
    return ThreadContext(
        questions=(*before, question)[-MOST_QUESTIONS:],
        language=language,
        documents=tuple(dict.fromkeys(documents)),
        quotes=tuple(quotes),
    )
