"""From pages to passages: the one entry point."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.documents import DocumentType
from core.domain.pages import Page
from core.domain.passages import PassageDraft
from core.evidence.text import Vocabulary
from core.library.chunking.contents import without_contents
from core.library.chunking.layout import metrics, paragraphs
from core.library.chunking.notes import in_readable_script, split_footnotes
from core.library.chunking.packing import CountTokens, drafts, join_fragments
from core.library.chunking.prose import pack_prose
from core.library.lines import page_lines, upright_size


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkResult:
    """Passages in document order; `warnings` are message keys."""

    passages: tuple[PassageDraft, ...]
    warnings: tuple[str, ...] = ()


def chunk(
    pages: Sequence[Page],
    *,
    doc_type: DocumentType,
    language: str,
    title: str,
    count_tokens: CountTokens,
    max_tokens: int = 480,
) -> ChunkResult:
    warnings = []
    lines = [line for page in pages for line in page_lines(page)]
    readable = [line for line in lines if in_readable_script(line)]
    lines = without_contents(readable, len(pages))
    usual = metrics(lines)
    text, notes = split_footnotes(lines, usual, [upright_size(page)[1] for page in pages])
    vocabulary = Vocabulary.of(pages)
    packed = pack_prose(paragraphs(text, usual, vocabulary), title, language)
    packed += pack_prose(paragraphs(notes, usual, vocabulary), title, language)
    return ChunkResult(
        passages=tuple(drafts(join_fragments(packed), count_tokens, max_tokens)), warnings=tuple(warnings)
    )
