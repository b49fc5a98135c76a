"""How much exact words count for a question.

BM25 hurts citizens' questions, which avoid the documents' words, and is noise across languages; it is
indispensable for section numbers, quoted phrases, numbers and names.
"""

import re
from collections.abc import Sequence

from core.domain.documents import STATUTORY_TYPES, DocumentType, Edition
from core.domain.search import SparseVector
from core.language.patterns import pattern
from core.search.settings import SearchSettings

_LEGAL = STATUTORY_TYPES | {DocumentType.GUIDANCE}
_QUOTED = re.compile(r"[\"„“”«»‚‘]\s*\w[^\"„“”«»‚‘]{2,}[\"“”«»‘’]")
_SECTION = pattern(r"§|\b(?:{provisions.cited_exactly}) ?['\"‘]?(?:\d|[A-Z]\b)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?![\w])")
_ABBREVIATION = re.compile(r"\b(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])[A-Za-zÄÖÜäöü]{2,8}\b")


def lexical_weight(question: str, editions: Sequence[Edition], settings: SearchSettings) -> float:
    """Weight of BM25 for `question` (names of parties and places already taken out) in `editions`."""
    exact = _QUOTED.search(question) or _SECTION().search(question) or _NUMBER.search(question)
    if exact or _ABBREVIATION.search(question):
        return settings.lexical_exact
    legal = sum(edition.document.fields.doc_type in _LEGAL for edition in editions)
    return settings.lexical_statutes if 2 * legal > len(editions) else settings.lexical


def covered(question: SparseVector, passage: SparseVector) -> float:
    """Which part of a question's terms a passage has, 0 to 1."""
    return len(set(question.indices) & set(passage.indices)) / max(1, len(question.indices))
