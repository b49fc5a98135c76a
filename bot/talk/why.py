"""How an answer came about, in the words of a chat."""

from bot.i18n import Texts
from bot.recording import Explained
from core.domain.answers import Citation, Quote
from core.domain.documents import Edition, VersionStatus
from core.domain.records import AnswerRecord, CitationRecord
from core.ports import Library

HITS = 5
"""Passages listed at most."""


def why_blocks(explained: Explained, texts: Texts) -> list[str]:
    """A record, readable; the question itself is not repeated to the chat."""
    record = explained.record
    head = [
        texts("why.head", trace=record.trace, at=record.at.strftime("%Y-%m-%d %H:%M UTC")),
        texts("why.how", kind=record.plan.kind.value if record.plan else "-", answerer=record.answerer),
        texts("why.sure", confidence=f"{record.confidence:.2f}", rejected=record.rejected),
    ]
    if record.model:
        head.append(texts("why.model", model=record.model.model, prompt=record.model.prompt))
    blocks = ["\n".join(head)]
    if record.hits:
        blocks.append("\n".join([texts("why.hits", count=len(record.hits)), *_hits(record, texts)]))
    if record.citations:
        blocks.append("\n".join([texts("why.cited"), *_cited(explained, texts)]))
    return blocks


def _hits(record: AnswerRecord, texts: Texts) -> list[str]:
    best = sorted(record.hits, key=lambda hit: -hit.score)[:HITS]
    return [
        texts(
            "why.hit",
            title=hit.title,
            page=hit.pages[0] if hit.pages else "-",
            score=f"{hit.score:.2f}",
            ways=", ".join(hit.found_by),
        )
        for hit in best
    ]


def _cited(explained: Explained, texts: Texts) -> list[str]:
    return [
        texts(
            "why.citation",
            label=item.label,
            title=item.title,
            page=item.pages[0] if item.pages else "-",
            state=texts(_state(explained.standing.get(item.version))),
        )
        for item in explained.record.citations
    ]


def _state(status: VersionStatus | None) -> str:
    return f"why.{status.value}" if status else "why.gone"


async def recorded_citations(record: AnswerRecord, library: Library) -> list[Citation]:
    """The citations of a record whose documents are still there."""
    found = [await _citation(item, library) for item in record.citations]
    return [item for item in found if item is not None]


async def _citation(item: CitationRecord, library: Library) -> Citation | None:
    document, version = await library.document(item.document), await library.version(item.version)
    if document is None or version is None or version.status is VersionStatus.DELETED:
        return None
    return Citation(
        label=item.label,
        edition=Edition(document=document, version=version),
        passage=item.passage,
        section=item.section,
        quote=Quote(spans=item.spans, text=item.quote),
        verdict=item.verdict,
        text_source=item.text_source,
        printed_labels=item.printed_labels,
    )
