"""How staff name documents: what of a command is a name, and what is typed for each."""

import re
from collections import Counter
from collections.abc import Sequence

from bot.library.upkeep import copy_key
from core.domain.documents import PUBLIC, Document
from core.domain.ids import DocumentId

LABEL = 40
"""Characters of a file's name on a button."""

_FIRST = re.compile(r"\s*(?:\"(?P<quoted>[^\"]+)\"|(?P<word>\S+))")


def first_name(text: str) -> tuple[str, str]:
    """The first word, or what stands in quotation marks, and the rest."""
    match = _FIRST.match(text)
    return (match["quoted"] or match["word"], text[match.end() :].strip()) if match else ("", "")


def typed_names(documents: Sequence[Document]) -> dict[DocumentId, str]:
    """What is typed for each: its file where that means it (an upload before a public one), else its id."""
    files = Counter((document.collection == PUBLIC, document.file) for document in documents)
    means = {
        document.id: files[document.collection == PUBLIC, document.file] == 1
        and not (document.collection == PUBLIC and files[False, document.file])
        for document in documents
    }
    return {document.id: document.file if means[document.id] else document.id for document in documents}


def button_label(document: Document, others: Sequence[Document]) -> str:
    """What a button calls a document: its file, with the collection where another of `others` has the
    same."""
    same = sum(each.file == document.file for each in others) > 1
    return f"{document.file} ({document.collection})" if same else document.file[:LABEL]


def example_name(documents: Sequence[Document]) -> str:
    """A document to show how one is named: one that is there, if there is any."""
    return documents[0].file if documents else "document.pdf"


def with_copies(documents: Sequence[Document]) -> dict[DocumentId, str]:
    """The collections of each document; a copy is no document of its own but one more of the original's."""
    copies = {document.key: document.collection for document in documents}
    originals = {copy_key(document) for document in documents}
    return {
        each.id: ", ".join(filter(None, (each.collection, copies.get(copy_key(each)))))
        for each in documents
        if each.key not in originals
    }
