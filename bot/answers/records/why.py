"""How an answer came about, from its record: in words, and as citations to show again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from bot.presentation import Texts
from bot.presentation.wording import in_marks
from core.answering.generated.repairs import reasons
from core.domain.answers import Citation, Quote
from core.domain.documents import Edition, VersionStatus
from core.domain.ids import VersionId
from core.domain.records import AnswerRecord, CitationRecord, HitRecord, ModelRecord, RecordTexts
from core.ports.library import Library

HITS = 10
"""Passages shown to people at most; JSON has all of them."""

Statuses = Mapping[VersionId, VersionStatus | None]
"""What has become of the versions cited; None: they are gone."""


def record_text(
    record: AnswerRecord, texts: Texts, statuses: Statuses, *, with_texts: bool = True
) -> list[str]:
    """A record in words, in pieces that may be sent apart. Without `with_texts` the question and what a
    model made of it are not repeated: what goes to a chat is kept for its own term."""
    said = record.texts if with_texts else None
    blocks = [_head(record, texts), _question(said, texts) if with_texts else "", _search(record, texts)]
    blocks += [_sources(record, texts, statuses), _hits(record.hits, texts), _rejected(record, said, texts)]
    return [block for block in (*blocks, _seconds(record, texts)) if block]


def _head(record: AnswerRecord, texts: Texts) -> str:
    lines = [
        texts("why.head", trace=record.trace, time=record.at),
        texts(
            "why.outcome",
            kind=texts(f"why.kind_{record.kind}"),
            outcome=texts(f"why.outcome_{record.outcome}"),
            confidence=f"{record.confidence:.2f}",
            answerer=record.answerer,
        ),
    ]
    return "\n".join([*lines, *([_model(record.model, texts)] if record.model else [])])


def _model(model: ModelRecord, texts: Texts) -> str:
    cost = texts("why.cost", cost=f"{model.cost_usd:.4f}") if model.cost_usd is not None else ""
    return texts(
        "why.model",
        model=model.model,
        prompt=model.prompt,
        read=model.prompt_tokens,
        written=model.completion_tokens,
        cost=cost,
    )


def _question(said: RecordTexts | None, texts: Texts) -> str:
    if said is None:
        return texts("why.question_gone")
    lines = [texts("why.question", question=said.question)]
    others = [query for query in said.queries if query != said.question]
    return "\n".join([*lines, *(texts("why.query", query=query) for query in others)])


def _search(record: AnswerRecord, texts: Texts) -> str:
    scope, plan = record.scope, record.plan
    years = [str(year) for year in scope.editions]
    named = [*scope.jurisdictions, *scope.parties, *scope.doc_types, *years]
    reach = ", ".join(scope.collections) + (f": {', '.join(named)}" if named else "")
    kind = texts("why.plan", kind=plan.kind.value, groups=plan.groups) if plan else ""
    return texts("why.scope", reach=reach) + (f"\n{kind}" if kind else "")


def _sources(record: AnswerRecord, texts: Texts, statuses: Statuses) -> str:
    claims = [
        texts("why.claim", text=in_marks(claim.text, texts), labels=", ".join(claim.labels))
        for claim in record.claims
    ]
    sources = [_source(citation, texts, statuses) for citation in record.citations]
    return "\n".join([texts("why.sources"), *claims, *sources]) if sources else ""


def _source(citation: CitationRecord, texts: Texts, statuses: Statuses) -> str:
    line = texts(
        "why.source",
        label=citation.label,
        title=citation.title,
        pages=page_numbers(citation.pages),
        verdict=citation.verdict.value,
        version=citation.version[:8],
        quote=in_marks(citation.quote, texts),
    )
    if citation.version not in statuses:
        return line
    status = statuses[citation.version]
    key = f"why.version_{status.value}" if status else "why.version_gone"
    return f"{line}\n    {texts(key)}"


def _hits(hits: Sequence[HitRecord], texts: Texts) -> str:
    if not hits:
        return ""
    lines = [
        texts(
            "why.hit",
            rank=rank,
            title=hit.title,
            pages=page_numbers(hit.pages),
            score=f"{hit.score:.2f}",
            found=", ".join(hit.found_by),
            trail=f" ({' -> '.join(hit.trail)})" if hit.trail else "",
        )
        for rank, hit in enumerate(hits[:HITS], start=1)
    ]
    return "\n".join([texts("why.hits", count=len(hits)), *lines])


def _rejected(record: AnswerRecord, said: RecordTexts | None, texts: Texts) -> str:
    if not record.rejected:
        return ""
    items = said.rejected if said else ()
    lines = [texts("why.rejected_item", what=item.what, why=item.why, text=item.text) for item in items]
    counted = Counter(reasons(items)).most_common()
    summed = texts("why.rejected_reasons", reasons=", ".join(f"{why} {count}" for why, count in counted))
    return "\n".join([texts("why.rejected", count=record.rejected), *([summed] if items else []), *lines])


def _seconds(record: AnswerRecord, texts: Texts) -> str:
    steps = ", ".join(f"{name} {seconds:.2f}" for name, seconds in record.seconds.items())
    return texts("why.seconds", steps=steps) if steps else ""


def page_numbers(pages: Sequence[int]) -> str:
    """Page numbers, runs of them as one."""
    runs = [
        [page for _, page in run]
        for _, run in groupby(enumerate(sorted(pages)), key=lambda item: item[1] - item[0])
    ]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


async def recorded_citations(record: AnswerRecord, library: Library) -> list[Citation]:
    """The citations of a record whose documents are still there, as they were shown."""
    found = [await _citation(item, library) for item in record.citations]
    return [citation for citation in found if citation is not None]


async def _citation(item: CitationRecord, library: Library) -> Citation | None:
    document, version = await library.document(item.document), await library.version(item.version)
    if document is None or version is None:
        return None
    edition = Edition(document=document, version=version)
    if not edition.can_be_shown:
        return None
    return Citation(
        label=item.label,
        edition=edition,
        passage=item.passage,
        section=item.section,
        quote=Quote(spans=item.spans, text=item.quote),
        verdict=item.verdict,
        text_source=item.text_source,
        printed_labels=item.printed_labels,
        kind=item.passage_kind,
        carrying=item.carrying,
        key_words=item.key_words,
    )
