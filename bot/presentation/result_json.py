"""Results as JSON-ready dictionaries, exactly as the command line contract states."""

from collections.abc import Sequence
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bot.presentation.attachments import Attached
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from bot.presentation.results import PageResult
from core.answering.extractive.confidence import level
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Answer, Citation, Notice, Setting
from core.domain.documents import Document, DocumentVersion
from core.domain.ingestion import IngestReceipt
from core.domain.pages import Page
from core.domain.passages import Passage, Section
from core.domain.scope import Missing, Scope
from core.domain.search import Hit, Reranking, SearchResult
from core.library.completeness import REBUILDING
from core.library.references import provision_name

Json = dict[str, Any]


def document_json(document: Document) -> Json:
    """A document where a result names it."""
    fields = document.fields
    return {
        "id": document.id,
        "title": fields.title,
        "file": document.file,
        "jurisdiction": fields.jurisdiction,
        "parties": list(fields.parties),
        "collection": document.collection,
        "valid_from": day(fields.valid_from),
    }


def full_document_json(document: Document) -> Json:
    """A document with all its fields, as listings show it."""
    fields = document.fields
    return {
        **document_json(document),
        "type": fields.doc_type.value,
        "language": fields.language,
        "valid_to": day(fields.valid_to),
        "series": document.series,
        "reference": fields.reference,
        "tags": list(fields.tags),
        "max_pages": fields.max_pages,
        "url": fields.source_uri,
        "key": document.key,
    }


def version_json(version: DocumentVersion) -> Json:
    """A version of a document."""
    return {
        "id": version.id,
        "number": version.number,
        "status": version.status.value,
        "sha256": version.sha256,
        "pages": version.pages,
        "pages_ocr": version.pages_ocr,
        "pages_empty": version.pages_without_text,
        "passages": version.passages,
        "hidden_characters_dropped": version.hidden_characters,
        "warnings": list(version.warnings),
        "seen_from": version.seen_from.isoformat(),
        "seen_to": version.seen_to.isoformat() if version.seen_to else None,
        "pipeline": version.pipeline,
    }


def section_json(section: Section | None) -> Json | None:
    """A section of a statute, or None."""
    return {"id": section.id, "title": section.title} if section else None


def passage_json(passage: Passage) -> Json:
    """A passage as `show` lists it."""
    return {
        "id": passage.id,
        "pages": list(passage.pages),
        "kind": passage.kind.value,
        "section": section_json(passage.section),
        "heading": passage.heading,
        "text": passage.text,
    }


def page_json(page: Page) -> Json:
    """A page with its text, to which `start` and `end` of citations refer."""
    return {
        "number": page.number,
        "printed": page.label,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "text_source": page.text_source.value,
        "text": page.text,
    }


def scope_json(scope: Scope) -> Json:
    """A scope; documents by id."""
    return {
        "collections": list(scope.collections),
        "jurisdictions": list(scope.jurisdictions),
        "parties": list(scope.parties),
        "types": [kind.value for kind in scope.doc_types],
        "documents": list(scope.documents),
        "editions": list(scope.editions),
        "as_of": day(scope.as_of),
    }


def missing_json(missing: Sequence[Missing]) -> list[Json]:
    """Parties, jurisdictions and editions without a source."""
    return [{item.kind: item.name} for item in missing]


def hit_json(rank: int, hit: Hit) -> Json:
    """A hit of a search."""
    return {
        "rank": rank,
        "score": round(hit.score, 4),
        "found_by": list(hit.found_by),
        "document": document_json(hit.edition.document),
        "passage": hit.passage.id,
        "pages": list(hit.passage.pages),
        "section": section_json(hit.passage.section),
        "text": hit.passage.text,
        "trail": list(hit.trail),
    }


def search_json(question: str, result: SearchResult) -> Json:
    """Result of `search`."""
    plan = result.plan
    detected = plan.detected
    return {
        "question": question,
        "scope": scope_json(plan.scope),
        "plan": {
            "queries": list(plan.queries),
            "kind": plan.kind.value,
            "detected": {
                "parties": list(detected.parties),
                "jurisdictions": list(detected.jurisdictions),
                "documents": list(detected.documents),
                "years": list(detected.years),
            },
        },
        "hits": [hit_json(rank, hit) for rank, hit in enumerate(result.hits, start=1)],
        "missing": missing_json(result.missing),
        "context": result.context_text,
        "notices": own_notices_json((Notice(key=REBUILDING),) if result.incomplete else ()),
        "reranking": reranking_json(result.reranking),
        "seconds": rounded(result.seconds),
    }


def reranking_json(reranking: Reranking | None) -> Json | None:
    """Who has looked at the hits once more, and why in vain; None where nobody has."""
    return {"by": reranking.by, "failure": reranking.failure} if reranking else None


def citation_json(citation: Citation, attached: Attached | None) -> Json:
    """A citation with where its pages lie."""
    edition, quote = citation.edition, citation.quote
    page = quote.pages[0]
    first = [span for span in quote.spans if span.page == page]
    printed = citation.printed_labels[0] if citation.printed_labels else None
    return {
        "label": citation.label,
        "document": {**document_json(edition.document), "version": edition.version.id},
        "passage": citation.passage,
        "kind": citation.kind.value,
        "section": section_json(citation.section),
        "provision": provision_name(citation.section, edition.document.fields.language)
        if citation.section
        else None,
        "page": page,
        "pages": list(quote.pages),
        "printed_page": printed,
        "quote": quote.text,
        "verdict": citation.verdict.value,
        "text_source": citation.text_source.value,
        "start": first[0].start,
        "end": first[-1].end,
        "spans": [{"page": span.page, "start": span.start, "end": span.end} for span in quote.spans],
        **attached_json(attached),
        "url": edition.document.fields.source_uri,
    }


def attached_json(attached: Attached | None) -> Json:
    """Files of a citation; all empty where none were asked for."""
    files = [str(path) for path in attached.pages] if attached else []
    return {
        "attachment": files[0] if files else None,
        "attachments": files,
        "preview": str(attached.preview) if attached and attached.preview else None,
        "figure": str(attached.figure) if attached and attached.figure else None,
        "highlight_checked": bool(attached and attached.checked),
    }


def answer_json(answer: Answer, attached: dict[str, Attached], presenter: Presenter) -> Json:
    """Result of `ask`."""
    texts = presenter.texts(answer.language)
    return {
        "question": answer.question,
        "kind": answer.kind.value,
        "queries": list(answer.queries),
        "scope": scope_json(answer.scope),
        "outcome": answer.outcome.value,
        "text": presenter.answer_text(answer),
        "claims": [{"text": claim.text, "labels": list(claim.labels)} for claim in answer.claims],
        "citations": [citation_json(item, attached.get(item.label)) for item in answer.citations],
        "missing": missing_json(answer.missing),
        "confidence": round(answer.confidence, 3),
        "confidence_level": level(answer.confidence),
        "notices": [
            {"key": notice.key, "text": presenter.notice(notice, texts), "labels": list(notice.labels)}
            for notice in answer.notices
        ],
        "rejected": [{"what": item.what, "text": item.text, "why": item.why} for item in answer.rejected],
        "answerer": answer.answerer,
        "trace": answer.trace,
        "seconds": rounded(answer.seconds),
    }


def check_json(text: str, check: QuoteCheck, attached: dict[str, Attached]) -> Json:
    """Result of `verify`."""
    return {
        "text": text,
        "verdict": check.verdict.value,
        "matches": [
            {**citation_json(item, attached.get(item.label)), "sentence": setting_json(setting)}
            for item, setting in zip_longest(check.matches, check.settings)
        ],
        "differences": [{"claimed": item.claimed, "source": item.source} for item in check.differences],
        "unseen": list(check.unseen),
        "notices": own_notices_json(check.notices),
    }


def own_notices_json(notices: Sequence[Notice]) -> list[Json]:
    """Notices of what has no language of its own, in English."""
    texts = Texts("en")
    return [
        {"key": notice.key, "text": texts(notice.key, **notice.values), "labels": list(notice.labels)}
        for notice in notices
    ]


def setting_json(setting: Setting | None) -> Json | None:
    """The whole sentences of a quote, and what of them it leaves out."""
    if setting is None:
        return None
    return {
        "text": setting.text,
        "left_out": [{"start": start, "end": end} for start, end in setting.left_out],
        "why": setting.why.value if setting.why else None,
    }


def page_result_json(result: PageResult, file: Path | None) -> Json:
    """Result of `page`."""
    return {
        "document": document_json(result.document),
        "page": result.page,
        "found_page": result.found_page,
        "highlighted": result.highlighted,
        "doubt": result.doubt.value if result.doubt else None,
        "coverage": round(result.coverage, 4),
        "file": str(file) if file else None,
    }


def receipt_json(receipt: IngestReceipt) -> Json:
    """What became of an ingested file."""
    code, message = receipt.error or (None, None)
    return {
        "file": receipt.file,
        "id": receipt.document,
        "title": receipt.title,
        "status": receipt.status.value,
        "pages": receipt.pages,
        "pages_ocr": receipt.pages_ocr,
        "pages_empty": receipt.pages_without_text,
        "passages": receipt.passages,
        "hidden_characters_dropped": receipt.hidden_characters,
        "warnings": list(receipt.warnings),
        "error": {"code": code, "message": message} if receipt.error else None,
        "trace": receipt.trace or None,
        "seconds": rounded(receipt.seconds),
    }


def day(value: date | None) -> str | None:
    """ISO date, or None."""
    return value.isoformat() if value else None


def rounded(seconds: dict[str, float]) -> dict[str, float]:
    """Seconds to the tenth of a millisecond."""
    return {name: round(value, 4) for name, value in seconds.items()}
