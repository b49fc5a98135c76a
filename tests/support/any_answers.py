"""Hypothesis strategies for everything that can be shown: any outcome, notice, verdict and language, around
any text that a document, a model or a person may have written."""

from datetime import date

from hypothesis import strategies as st

from bot.presentation.i18n import catalogue, languages, placeholders
from core.answering.quote_check import QuoteCheck
from core.answering.reports.comparisons import Comparison, ComparisonRow
from core.answering.reports.demands import Demand
from core.answering.reports.motions import MotionReport, MotionRow
from core.answering.reports.sides import RowStatus, Side
from core.domain.answers import (
    Answer,
    Citation,
    Claim,
    Difference,
    LeftOut,
    Notice,
    Outcome,
    Quote,
    Reading,
    Rejected,
    Setting,
    Verdict,
)
from core.domain.documents import Edition
from core.domain.ids import TraceId
from core.domain.pages import TextSource
from core.domain.passages import PassageKind, Section, Span
from core.domain.scope import Missing, Scope
from core.domain.search import QuestionKind
from tests.support.library_examples import document, version

ODD = st.sampled_from("{}%<>@#/[]()`*_\\|&\"'\0\x1b\u202e\u2028\u2060\ud800\udfff\u0301\U0001f600\n\t")
ANY_TEXT = st.text(st.characters(exclude_categories=()) | ODD, max_size=60)
TEXT = ANY_TEXT.filter(str.strip)
SPOKEN = st.sampled_from([*languages(), "", "xx"])
DAYS = st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1))
PLACES = st.sampled_from(["xv", "xv-ho", "zz"])
NOTICES = sorted(key for key in catalogue("en") if key.startswith("notice."))
INFOS = sorted(
    key
    for key, text in catalogue("en").items()
    if key.startswith("info.") and placeholders(text) <= {"questions"}
)
"""Keys of the texts for outcomes other than an answer."""


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    found = document(
        title=draw(TEXT),
        jurisdiction=draw(st.none() | PLACES),
        valid_from=draw(DAYS),
        source_uri=draw(st.none() | st.just("https://example.org/a.pdf")),
    )
    return Edition(document=found, version=version(found))


@st.composite
def citations(draw: st.DrawFn, label: str = "S1") -> Citation:
    pages = draw(st.lists(st.integers(1, 400), min_size=1, max_size=3, unique=True))
    return Citation(
        label=label,
        edition=draw(editions()),
        passage=None,
        section=draw(st.none() | st.builds(Section, id=TEXT, title=ANY_TEXT)),
        quote=Quote(spans=tuple(Span(page, 0, 9) for page in pages), text=draw(TEXT)),
        verdict=draw(st.sampled_from(Verdict)),
        text_source=draw(st.sampled_from(TextSource)),
        printed_labels=tuple(draw(st.none() | TEXT) for _ in pages),
        kind=draw(st.sampled_from(PassageKind)),
    )


@st.composite
def notices(draw: st.DrawFn, keys: list[str] = NOTICES) -> Notice:
    key = draw(st.sampled_from(keys))
    names = sorted(placeholders(catalogue("en")[key]))
    return Notice(key=key, values={name: draw(TEXT) for name in names}, labels=("S1",))


def missing() -> st.SearchStrategy[Missing]:
    return st.builds(Missing, kind=st.sampled_from(["party", "jurisdiction", "edition"]), name=TEXT)


def scopes() -> st.SearchStrategy[Scope]:
    return st.builds(
        Scope,
        collections=st.just(("public",)),
        jurisdictions=st.lists(PLACES, max_size=2).map(tuple),
        parties=st.lists(TEXT, max_size=2).map(tuple),
        editions=st.lists(st.integers(1900, 2100), max_size=2).map(tuple),
        as_of=DAYS,
    )


@st.composite
def several_citations(draw: st.DrawFn, most: int = 3) -> tuple[Citation, ...]:
    return tuple(draw(citations(f"S{n + 1}")) for n in range(draw(st.integers(1, most))))


@st.composite
def answers(draw: st.DrawFn, outcome: Outcome) -> Answer:
    """Answers of one outcome as the asker makes them."""
    info, grounded = outcome is Outcome.INFO, outcome is Outcome.GROUNDED
    cited = draw(several_citations()) if grounded else ()
    claims = [
        Claim(text=draw(st.sampled_from([item.quote.text, draw(TEXT)])), labels=(item.label,))
        for item in cited
    ]
    said = notices(INFOS) if info else notices()
    return Answer(
        question=draw(TEXT),
        language=draw(SPOKEN),
        kind=draw(st.sampled_from(QuestionKind)),
        outcome=outcome,
        claims=tuple(claims),
        citations=cited,
        scope=draw(scopes()),
        missing=tuple(draw(st.lists(missing(), max_size=2))),
        confidence=draw(st.floats(0, 1)),
        notices=tuple(draw(st.lists(said, max_size=2))),
        rejected=(Rejected(what="claim", text=draw(ANY_TEXT), why=draw(ANY_TEXT)),),
        answerer=draw(st.sampled_from(["extractive", "llm:a/b"])),
        trace=TraceId("t1"),
        seconds={"total": 0.1},
        documents=tuple(item.document for item in draw(st.lists(editions(), max_size=2))) if info else (),
        nearest=tuple(
            Reading(edition=item, page=3, begins="Hier beginnt eine Stelle …")
            for item in draw(st.lists(editions(), max_size=2))
        ),
        queries=(draw(TEXT),),
    )


@st.composite
def checks(draw: st.DrawFn) -> QuoteCheck:
    differences = st.builds(Difference, claimed=ANY_TEXT, source=ANY_TEXT)
    matches = draw(st.just(()) | several_citations(2))
    return QuoteCheck(
        verdict=draw(st.sampled_from(Verdict)),
        matches=matches,
        differences=tuple(draw(st.lists(differences, max_size=2))),
        settings=tuple(draw(st.none() | sentences_cut()) for _ in matches),
    )


@st.composite
def sentences_cut(draw: st.DrawFn) -> Setting:
    text = draw(ANY_TEXT)
    at = st.integers(0, len(text))
    edges = sorted(draw(st.sets(at, max_size=4)))
    ranges = tuple(zip(edges[::2], edges[1::2], strict=False))
    return Setting(text=text, left_out=ranges, why=draw(st.none() | st.sampled_from(LeftOut)))


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    by_place = draw(st.booleans())
    sides = [
        Side(jurisdiction=draw(PLACES)) if by_place else Side(party=draw(TEXT))
        for _ in range(draw(st.integers(1, 3)))
    ]
    return Comparison(
        question=draw(TEXT),
        topic=draw(TEXT),
        again=draw(TEXT),
        language=draw(SPOKEN),
        scope=draw(scopes()),
        rows=tuple(
            ComparisonRow(side=side, status=status, citations=cited)
            for side in sides
            for status, cited in [draw(_row())]
        ),
        seconds={"total": 0.1},
    )


@st.composite
def _row(draw: st.DrawFn) -> tuple[RowStatus, tuple[Citation, ...]]:
    status = draw(st.sampled_from(RowStatus))
    return status, draw(several_citations(2)) if status is RowStatus.QUOTED else ()


@st.composite
def motions(draw: st.DrawFn) -> MotionReport:
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        status, cited = draw(_row())
        rows.append(
            MotionRow(
                party=draw(TEXT),
                mover=draw(st.booleans()),
                governing=draw(st.booleans()),
                status=status,
                citations=cited,
                demands=tuple(1 for _ in cited),
                relatedness=draw(st.none() | st.floats(0, 1)),
            )
        )
    return MotionReport(
        language=draw(SPOKEN),
        jurisdiction=draw(PLACES),
        demands=(Demand(number=1, text=draw(TEXT)),),
        omitted=draw(st.integers(0, 3)),
        government=None,
        rows=tuple(rows),
        seconds={"total": 0.1},
    )
