"""How an answer came about, from its record: in words, and as citations to show again."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks, page_names
from bot.presentation.presenter import Presenter
from core.answering.extractive.confidence import level
from core.answering.generated.verification import reasons
from core.domain.answers import Citation, Outcome
from core.domain.documents import Edition, VersionStatus
from core.domain.ids import VersionId
from core.domain.records import AnswerRecord, CitationRecord, HitRecord, ModelRecord, RecordTexts
from core.domain.rich_text import Block, bold, joined, quotation, small
from core.domain.search import Space
from core.library.printed_pages import Printed, labels_of, page_ranges
from core.message_keys import NoticeKey
from core.ports.library import Library

HITS = 10
"""Maximum passages shown to people; JSON has all of them."""

Statuses = Mapping[VersionId, VersionStatus | None]
"""The status of the versions cited; None: gone."""


def record_text(
    record: AnswerRecord, texts: Texts, statuses: Statuses, *, with_texts: bool = True
) -> list[str]:
    """A record in words, in pieces that may be sent separately. Without `with_texts` the question and a
    model's output are not repeated: messages to a chat have their own retention period."""
    record_texts = record.texts if with_texts else None
    blocks = [
        _head(record, texts),
        _question(record_texts, texts) if with_texts else "",
        _search(record, texts),
    ]
    blocks += [
        _sources(record, texts, statuses),
        _hits(record.hits, texts),
        _rejected(record, record_texts, texts),
    ]
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
        pages=page_ranges(citation.pages),
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
            pages=page_ranges(hit.pages),
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


async def recorded_citations(record: AnswerRecord, library: Library) -> list[Citation]:
    """The citations of a record whose documents still exist, as shown."""
    found = [await _citation(item, library) for item in record.citations]
    return [citation for citation in found if citation is not None]


async def _citation(item: CitationRecord, library: Library) -> Citation | None:
    document, version = await library.document(item.document), await library.version(item.version)
    if document is None or version is None:
        return None
    edition = Edition(document=document, version=version)
    return item.shown(edition) if edition.can_be_shown else None


# Why an answer is as it is, in words for people: what was searched and found, why these quotes and not
# others, or why nothing was said. Numbers and ids are in the record itself (`why`).

LEFT_OUT = 3
"""Maximum number of places named that were found but not shown."""

UNREADABLE: NoticeKey = "notice.pages.unreadable"

WORDS = 12
"""Number of words that identify a quote."""

_BY_MEANING = frozenset({Space.PRIMARY.value, Space.SECONDARY.value, Space.WINDOWS.value})


def reasons_told(
    record: AnswerRecord,
    presenter: Presenter,
    texts: Texts,
    statuses: Statuses,
    printed: Printed = MappingProxyType({}),
) -> list[Block]:
    """The reasons in pieces that may be sent separately; `printed` are the printed page numbers."""
    presenter = presenter.within(record.scope.collections)
    titles = {each.document: each.title for each in record.citations}
    searched = texts("answer.scope", scope=presenter.scope(record.scope, texts, titles))
    opening = [bold(texts("reasons.head")), f"{searched}.", _found(record, texts)]
    blocks: list[Block] = [joined(line for line in opening if line)]
    if record.citations:
        blocks += _quotes(record, texts, statuses, printed)
        blocks += [text for text in (_left_out(record, texts, printed), _made(record, texts)) if text]
    elif record.outcome is Outcome.INFO:
        blocks.append(texts("reasons.info"))
    else:
        blocks.append(_silence(record, presenter, texts, printed))
    return blocks


def _found(record: AnswerRecord, texts: Texts) -> str:
    """How much was found, and in how many documents."""
    if not record.hits:
        return ""
    documents = len({hit.version for hit in record.hits})
    return texts("reasons.found", count=len(record.hits), documents=documents)


def _quotes(record: AnswerRecord, texts: Texts, statuses: Statuses, printed: Printed) -> Iterator[Block]:
    """Each quote with the reason why it is shown, grouped by reason."""
    said = [(_pages(each, texts, printed), _why(each, record.hits, texts), each) for each in record.citations]
    before: VersionId | None = None
    for reason, group in groupby(said, key=itemgetter(1)):
        lines: list[Block] = []
        for (pages, version), same in groupby(group, key=lambda each: (each[0], each[2].version)):
            quoted = [each for _, _, each in same]
            lines += [quotation(_beginning(each.quote, texts)) for each in quoted]
            title = texts("cite.same") if version == before else defused(quoted[0].title)
            where, before = f"{title}, {pages}", version
            status = statuses.get(version, VersionStatus.ACTIVE)
            key = f"why.version_{status.value}" if status else "why.version_gone"
            lines.append(where if status is VersionStatus.ACTIVE else f"{where}. {texts(key)}")
        yield joined([*lines, small(reason)])


def _beginning(quote: str, texts: Texts) -> str:
    """Its first words between quotation marks."""
    words = quote.split()
    return in_marks(" ".join(words[:WORDS]) + (" …" if len(words) > WORDS else ""), texts)


def _pages(place: CitationRecord | HitRecord, texts: Texts, printed: Printed) -> str:
    known = place.printed_labels if isinstance(place, CitationRecord) else ()
    return page_names(place.pages, known or labels_of(place.version, place.pages, printed), texts)


def _why(citation: CitationRecord, hits: Sequence[HitRecord], texts: Texts) -> str:
    """How well its passage matched, and how it was found."""
    rank, hit = next(
        ((rank, hit) for rank, hit in enumerate(hits) if _holds(hit, citation)), (len(hits), None)
    )
    if hit is None:
        return texts("reasons.beside")
    how = texts(f"reasons.by_{_way(hit)}")
    return texts("reasons.best", how=how) if rank == 0 else texts("reasons.one_of", how=how)


def _holds(hit: HitRecord, citation: CitationRecord) -> bool:
    if citation.passage is not None and hit.passage == citation.passage:
        return True
    return hit.version == citation.version and bool(set(hit.pages) & set(citation.pages))


def _way(hit: HitRecord) -> str:
    """What led to a passage: its words, its meaning, a reference, its name, or a neighbouring passage."""
    found = frozenset(hit.found_by)
    if hit.trail or "reference" in found:
        return "reference"
    if "pinned" in found:
        return "name"
    words, meaning = Space.LEXICAL.value in found, bool(found & _BY_MEANING)
    if words and meaning:
        return "both"
    return "words" if words else "meaning" if meaning else "neighbour"


def _left_out(record: AnswerRecord, texts: Texts, printed: Printed) -> str:
    """What was found but not shown, and why."""
    others = [hit for hit in record.hits if not any(_holds(hit, each) for each in record.citations)]
    places = _places(others, texts, printed)
    lines = [texts("reasons.others", count=len(others), places=places)] if others else []
    lines += [texts("reasons.rejected", count=record.rejected)] if record.rejected else []
    lines += [texts(UNREADABLE)] if UNREADABLE in record.notices else []
    return "\n".join(lines)


def _places(hits: Sequence[HitRecord], texts: Texts, printed: Printed) -> str:
    """The first of them, grouped by document."""
    pages: dict[tuple[VersionId, str], list[str]] = {}
    for hit in hits[:LEFT_OUT]:
        pages.setdefault((hit.version, hit.title), []).append(_pages(hit, texts, printed))
    named = [", ".join([defused(title), *dict.fromkeys(own)]) for (_, title), own in pages.items()]
    return "; ".join(named)


def _made(record: AnswerRecord, texts: Texts) -> str:
    """Who wrote it, and the confidence."""
    by = texts("reasons.by_quotes" if record.model is None else "reasons.by_model")
    return f"{by} {texts(f'answer.sure_{level(record.confidence)}')}."


def _silence(record: AnswerRecord, presenter: Presenter, texts: Texts, printed: Printed) -> str:
    """Why nothing was quoted."""
    if record.outcome is Outcome.REFUSED:
        return texts("reasons.refused")
    lines = [presenter.missing(record.missing, texts, record.scope.jurisdictions)] if record.missing else []
    if UNREADABLE in record.notices:
        lines.append(texts(UNREADABLE))
    elif not record.hits:
        lines.append(texts("reasons.nothing_found"))
    elif "notice.model_abstained" in record.notices:
        lines.append(texts("notice.model_abstained"))
    else:
        lines.append(texts("reasons.not_sure", places=_places(record.hits, texts, printed)))
    return "\n".join(line for line in lines if line)
