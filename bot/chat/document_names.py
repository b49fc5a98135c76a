"""How staff name documents: what of a command is a name, and what is typed for each."""

import re
from collections import Counter
from collections.abc import Sequence

from bot.library.upkeep import copy_key
from core.domain.documents import PUBLIC, Document
from core.domain.ids import DocumentId

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


def with_copies(documents: Sequence[Document]) -> dict[DocumentId, str]:
    """The collections of each document; a copy is no document of its own but one more of the original's."""
    copies = {document.key: document.collection for document in documents}
    originals = {copy_key(document) for document in documents}
    return {
        each.id: ", ".join(filter(None, (each.collection, copies.get(copy_key(each)))))
        for each in documents
        if each.key not in originals
    }
