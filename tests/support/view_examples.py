"""A result of every kind with all values distinct, as its view."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from bot.answers.evaluation.report import RowView
from bot.answers.records.recorder import Judged
from bot.answers.references import Listed, Referenced
from bot.answers.version_diff import Compared, Spread
from bot.library.audit import entry_view
from bot.library.sources.jobs import Checked, Job
from bot.presentation.attachments import Attached
from bot.presentation.presenter import Presenter
from bot.presentation.results import DraftItem, DraftReport, PageResult, Tabled
from bot.presentation.views import documents as document_views
from bot.presentation.views import records as record_views
from bot.presentation.views import reports as report_views
from bot.presentation.views.answers import (
    DraftView,
    QuotationView,
    answer_view,
    check_view,
    draft_view,
    search_view,
)
from bot.presentation.views.encoding import View
from bot.presentation.views.problems import FailureView, problem
from bot.presentation.views.records import ErasureView, KeptView, PersonFileView
from bot.presentation.wording.comparisons import comparison_view, motion_view
from bot.presentation.wording.summaries import ListedSummary, ShownSummary, summary_view
from bot.service.checks import Check
from bot.service.corrections import Correction, CorrectionRound, Told
from core.answering.quote_check import Filtered, QuoteCheck
from core.answering.quote_places import Claimed
from core.answering.reports.comparisons import Comparison, ComparisonRow
from core.answering.reports.demands import Demand
from core.answering.reports.motions import MotionReport, MotionRow, Reason
from core.answering.reports.sides import RowStatus, Side
from core.domain.access import AccessToken, TokenRole
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
from core.domain.backups import BackupEntry, BackupManifest, DatabaseCopy
from core.domain.documents import Edition, VersionStatus
from core.domain.ids import TraceId
from core.domain.ingestion import CheckResult, Hold, HoldReason, IngestReceipt, IngestStatus, SourceState
from core.domain.journal import (
    AuditAction,
    AuditEntry,
    ChatState,
    DeadLetter,
    Feedback,
    FeedbackVerdict,
    Mailbox,
    Pseudonym,
)
from core.domain.pages import Doubt, TextSource
from core.domain.passages import PassageKind, Provision, Reference, ReferenceKind, Section, Span, Unresolved
from core.domain.records import KeptText, KeptThread, KeptTopic, PersonFile, Recheck, Rechecked
from core.domain.registry import Government, Registry
from core.domain.rich_text import Table
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import Hit, QuestionKind, Reranking
from core.domain.summaries import SourceChange, SourceChangeKind, Summary, SummaryEntry, Topic
from core.errors import Refused
from core.evaluation import Gold, Observed, SetQuestion
from core.library.completeness import Rebuilt
from core.library.cutting import draft_of
from core.library.differences import Differences, TextChange, TextChangeKind, counted
from core.library.lifecycle import Collected
from core.library.sources import ScheduledSource
from core.question.parsed import nameless
from core.question.subject import Subject
from core.registry.quotations import Quotation
from core.search.plan import SearchPlan, SearchResult
from tests.support.journal_examples import record
from tests.support.library_examples import day, full_document, page, passage, version

DOCUMENT = full_document()
VERSION = replace(version(DOCUMENT), status=VersionStatus.ACTIVE, seen_to=day(3))
EDITION = Edition(document=DOCUMENT, version=VERSION)
SECTION = Section(id="par:4", title="Schutz", path=("1",), hierarchy=("Teil 1",))
SCOPE = Scope(
    collections=("public",),
    jurisdictions=("xv",),
    parties=("Alpha",),
    doc_types=(DOCUMENT.fields.doc_type,),
    documents=(DOCUMENT.id,),
    editions=(2025,),
    as_of=date(2025, 1, 1),
)
CITATION = Citation(
    label="S1",
    edition=EDITION,
    passage=passage(VERSION).id,
    section=SECTION,
    quote=Quote(
        spans=(Span(3, 10, 20), Span(3, 25, 31), Span(4, 0, 5)), text="Bäume [...] sind zu schützen."
    ),
    verdict=Verdict.TYPO,
    text_source=TextSource.OCR,
    printed_labels=("iii", "iv"),
    kind=PassageKind.SECTION,
)
BARE = replace(CITATION, label="S2", passage=None, section=None, printed_labels=(None, None))
ATTACHED = {
    "S1": Attached(
        pages=(Path("out/S1-p3.pdf"), Path("out/S1-p4.pdf")),
        preview=Path("out/S1-p3.png"),
        checked=True,
        figure=Path("out/S1-F1.png"),
    )
}
CLAIM = Claim(text="Bäume sind zu schützen.", labels=("S1",))
NOTICE = Notice(key="notice.personal_data", labels=("S1",))
REJECTED = Rejected(what="claim", text="Nein.", why="numbers")
MISSING = (Missing(kind="party", name="Beta"), Missing(kind="edition", name="2019"))
SECONDS = {"search": 0.123456, "total": 1.0}
PRESENTER = Presenter(Registry())
TABLE = Table(title="Bäume", columns=("Alpha",), rows=())
ANSWER = Answer(
    question="Was gilt für Bäume?",
    language="de",
    kind=QuestionKind.FACT,
    outcome=Outcome.GROUNDED,
    claims=(CLAIM,),
    citations=(CITATION, BARE),
    scope=SCOPE,
    missing=MISSING,
    confidence=0.81249,
    notices=(NOTICE,),
    rejected=(REJECTED,),
    answerer="extractive",
    trace=TraceId("t1"),
    seconds=SECONDS,
    queries=("Was gilt für Bäume?", "Bäume"),
    nearest=(Reading(edition=EDITION, page=4, begins="Bäume sind …"),),
    sought=("gilt", "Bäume"),
)
PROVISION = Provision(edition=EDITION, section="par:4", path=("1",))
REFERENCE = Reference(
    version=VERSION.id, ordinal=1, section="par:4", name="Baumgesetz", target="par:9", target_path=("2",)
)
LISTED = Listed(
    end=Provision(edition=EDITION, section="par:7"),
    section=SECTION,
    pages=(7, 8),
    kind=ReferenceKind.DERIVED_FROM,
    trail=("§ 4", "§ 7"),
    text="nach § 7",
)
HIT = Hit(passage=passage(VERSION, section="par:4"), edition=EDITION, score=2.34567, found_by=("dense",))


def kinds(base: type[View] = View) -> set[type[View]]:
    """All views of the product."""
    found = {kind for each in base.__subclasses__() for kind in {each, *kinds(each)}}
    return {kind for kind in found if kind.__module__.startswith("bot.")}


def views() -> Iterator[tuple[str, View]]:
    """Each view by its command."""
    yield from _documents()
    yield from _answers()
    yield from _tables()
    yield from _records()
    yield from _operations()
    yield from _backups()


def _backups() -> Iterator[tuple[str, View]]:
    made = BackupManifest(
        format=1,
        product="1.2.3",
        made_at=day(5),
        database=DatabaseCopy(
            library="ab" * 16,
            revision="0011",
            store="postgresql",
            rows={"pages": 9},
            originals=("a.pdf", "b.pdf", f"{'ef' * 32}.pdf"),
        ),
        points={"public": 40, "staff": 2},
        without_originals=False,
        missing=("b.pdf",),
        secrets=("telegram.token",),
        entries=(
            BackupEntry(name="database.sqlite3", size=4096, sha256="cd" * 32),
            BackupEntry(name="originals/a.pdf", size=1000, sha256="cd" * 32),
            BackupEntry(name=f"originals/{'ef' * 32}.pdf", size=1000, sha256="ef" * 32),
        ),
    )
    shown = record_views.BackupView.showing(made, file=Path("a.zip"), seconds=1.5)
    yield "backup create", shown
    yield (
        "backup check",
        record_views.CheckedBackupView.showing(
            ok=False, backup=shown, problems=("originals/a.pdf is missing",)
        ),
    )
    yield (
        "backup restore",
        record_views.RestoredBackupView.showing(backup=shown, set_aside=("keys.before-restore-1",)),
    )


def _people(did: AuditEntry) -> Iterator[tuple[str, View]]:
    texts = KeptText(at=day(1), state="done", text="Was?", files=("a.pdf",))
    found = PersonFile(
        messages=(texts,),
        replies=(replace(texts, text=None, files=()),),
        answers=(record(),),
        feedback=(
            Feedback(trace=TraceId("t"), person=Pseudonym("p1"), verdict=FeedbackVerdict.WRONG, at=day(2)),
        ),
        threads=(KeptThread(until=day(3), questions=("Was?", "Und wann?")),),
        summaries=(KeptTopic(at=day(4), topic="Bäume"),),
        subscriptions=(KeptTopic(at=day(4), topic="Bäume"),),
        actions=(did,),
        told_at=day(5),
        state=ChatState(jurisdiction="xv", parties=("Uferpartei",), language="de"),
    )
    yield "person export", PersonFileView.showing(found, person="telegram:4711", pseudonym="p1")
    kept = (
        KeptView.showing(what="answers", count=2, why="so"),
        KeptView.showing(what="x", count=None, why="so"),
    )
    yield "person erase", ErasureView.showing(person="telegram:4711", erased=9, kept=kept)


def _documents() -> Iterator[tuple[str, View]]:
    shown = document_views.ShownDocumentView.showing(
        document=DOCUMENT, versions=[VERSION], passages=[passage(VERSION), passage(VERSION, section="par:4")]
    )
    yield "show", shown
    yield "show page", document_views.PageTextView.showing(page())
    yield "documents", document_views.FullDocumentView.showing(DOCUMENT)
    yield "restore", document_views.RemovedDocumentView.showing(DOCUMENT, until=day(9))
    yield "remove", document_views.RemovedView.showing(removed=DOCUMENT, until=day(9))
    found = PageResult(
        document=DOCUMENT, page=3, found_page=4, highlighted=True, coverage=0.987654, pdf=b"", doubt=None
    )
    yield "page", document_views.PageView.showing(found, file=Path("out/page.pdf"))
    hidden = replace(found, found_page=None, highlighted=False, doubt=Doubt.NO_INK)
    yield "page without", document_views.PageView.showing(hidden, file=None)
    receipt = IngestReceipt(
        file="a.pdf",
        status=IngestStatus.UPDATED,
        document=DOCUMENT.id,
        title="Bäume",
        pages=9,
        pages_ocr=2,
        pages_without_text=3,
        passages=40,
        hidden_characters=5,
        warnings=("pages.scan:1",),
        seconds={"total": 1.23456},
    )
    yield "ingest", document_views.ReceiptView.showing(receipt)
    refused = IngestReceipt(
        file="b.pdf", status=IngestStatus.REFUSED, error=("pdf.encrypted", "give a password"), trace="x1"
    )
    yield "ingest refused", document_views.ReceiptView.showing(refused)
    collected = Collected(documents=(DOCUMENT,), superseded=2, unfinished=3, orphans=4)
    yield "collect", document_views.CollectedView.showing(collected, optimised=("public",))
    lost = Rebuilt(document=DOCUMENT, passages=0, seconds=0.5, error=("original.missing", "fetch it"))
    rebuilt = document_views.RebuiltView.showing(documents=1, passages=2, seconds=0.123, failed=[lost])
    yield "reindex --missing", rebuilt
    old, new = Quote(spans=(Span(1, 0, 4),), text="alt"), Quote(spans=(Span(2, 0, 3),), text="neu")
    words = (Difference(claimed="alt", source="neu"),)
    differing = Differences(
        changes=(
            TextChange(kind=TextChangeKind.CHANGED, old=old, new=new, words=words),
            TextChange(kind=TextChangeKind.ADDED, new=new, beside=1),
        ),
        unchanged=17,
    )
    between = Compared(
        old=replace(EDITION, version=version(DOCUMENT, "old")),
        new=replace(EDITION, version=version(DOCUMENT, "new", number=2)),
        found=differing,
    )
    spread = Spread(old_page=None, new_page=2, old=None, new=Path("out/new.pdf"), both=Path("out/both.pdf"))
    yield (
        "diff",
        document_views.VersionDiffView.showing(between, counts=counted(differing), files=[spread]),
    )


def _answers() -> Iterator[tuple[str, View]]:
    plan = SearchPlan(
        question=nameless("Bäume", "de"),
        kind=QuestionKind.FACT,
        scope=SCOPE,
        groups=(SCOPE,),
        detected=Detected(parties=("Alpha",), jurisdictions=("xv",), documents=(DOCUMENT.id,), years=(2025,)),
        missing=MISSING,
    )
    result = SearchResult(
        plan=plan,
        subject=Subject(text="Bäume", written="de", language="de"),
        hits=(HIT, replace(HIT, trail=("§ 3", "§ 4"))),
        context=(HIT,),
        context_text="Bäume sind zu schützen.",
        missing=MISSING,
        seconds=SECONDS,
        reranking=Reranking(by="model", failure="model.unreachable"),
        incomplete=True,
    )
    yield "search", search_view("Was gilt für Bäume?", result, [("iv",), (None,)])
    yield "ask", answer_view(ANSWER, ATTACHED, PRESENTER)
    check = QuoteCheck(
        verdict=Verdict.CUT,
        matches=(CITATION, BARE),
        differences=(Difference(claimed="sind", source="wären"),),
        settings=(Setting(text="Nicht alle Bäume.", left_out=((0, 5), (6, 10)), why=LeftOut.DENIES), None),
        unseen=("no_ink",),
        notices=(NOTICE,),
        claimed=Claimed(
            parties=("Alpha",),
            jurisdictions=("xv",),
            documents=(DOCUMENT.id,),
            page=3,
            unknown="Gamma",
            similar=("Alpha",),
        ),
        filtered=Filtered(within="Alpha", outside=(BARE,)),
    )
    yield "verify", check_view("Bäume", check, ATTACHED)
    checked = QuotationView(start=3, end=10, said="„Bäume“", check=check_view("Bäume", check, {}), error=None)
    failed = QuotationView(
        start=12, end=14, said="x", check=None, error=problem(Refused("verify.too_long", "too long"))
    )
    yield "draft", DraftView(quotations=(checked, failed))
    quotation = Quotation(start=0, end=7, words="Bäume")
    unread = Refused("verify.too_slow", "comparing took too long")
    draft = DraftReport(
        file="rede.docx",
        draft=draft_of(()),
        items=(
            DraftItem(number=1, quotation=quotation, page=2, check=check),
            DraftItem(number=2, quotation=quotation, page=2, check=None, error=unread),
        ),
        omitted=1,
    )
    yield "check", draft_view(draft, Path("/out/rede.docx"))
    topic = Topic(name="Bäume", scope=SCOPE)
    summary = Summary(
        id=12,
        number=2,
        topic=topic,
        language="de",
        made_at=day(1),
        scope=SCOPE,
        claims=(CLAIM,),
        citations=(CITATION,),
        missing=MISSING,
        confidence=0.5,
        notices=(NOTICE,),
        rejected=(REJECTED,),
        answerer="llm:m",
        prompt="summary@1",
    )
    gone = SourceChange(kind=SourceChangeKind.REMOVED, document=DOCUMENT, labels=("S1",))
    shown = ShownSummary(summary=summary, changes=(gone,))
    yield "summary show", summary_view(shown, PRESENTER, ATTACHED)
    entry = SummaryEntry(
        id=12, number=2, topic=topic, scope=SCOPE, made_at=day(1), answerer="llm:m", versions=(VERSION.id,)
    )
    yield "summary list", report_views.ListedSummaryView.showing(ListedSummary(entry=entry, stale=True))


def _tables() -> Iterator[tuple[str, View]]:
    compared = Comparison(
        question="Bäume",
        topic="Bäume",
        again="Bäume",
        language="de",
        scope=SCOPE,
        rows=(
            ComparisonRow(
                side=Side(party="Alpha"), status=RowStatus.QUOTED, citations=(CITATION,), confidence=0.91234
            ),
            ComparisonRow(side=Side(jurisdiction="xv"), status=RowStatus.NO_SOURCE),
        ),
        seconds=SECONDS,
    )
    tabled = Tabled(
        trace=TraceId("t2"),
        report=compared,
        notices=(NOTICE,),
        table=TABLE,
        stem="vergleich-baeume",
    )
    yield "compare", comparison_view(tabled, ATTACHED, Path("out/vergleich-baeume.pdf"))
    row = MotionRow(
        party="Alpha",
        mover=True,
        governing=False,
        status=RowStatus.QUOTED,
        citations=(CITATION, BARE),
        demands=(1, 2),
        relatedness=0.71234,
        reasons=(Reason(demand=1, relatedness=0.81234, overlap=0.51234, confidence=0.91234, label="S1"),),
    )
    moved = MotionReport(
        language="de",
        jurisdiction="xv",
        demands=(Demand(number=1, text="Mehr Bäume."),),
        omitted=3,
        government=Government(jurisdiction="xv", parties=("Beta",), since=date(2024, 1, 2)),
        rows=(row, replace(row, party="Beta", citations=(), demands=(), relatedness=None, reasons=())),
        seconds=SECONDS,
    )
    yield (
        "motion",
        motion_view(
            Tabled(trace=TraceId("t3"), report=moved, notices=(NOTICE,), table=TABLE, stem="antrag"), ATTACHED
        ),
    )


def _records() -> Iterator[tuple[str, View]]:
    kept = record()
    standing = {kept.citations[0].version: VersionStatus.SUPERSEDED}
    yield "why", record_views.RecordView.showing(kept, statuses=standing)
    forgotten = replace(kept, texts=None, plan=None, model=None)
    yield "why, forgotten", record_views.RecordView.showing(forgotten, statuses={})
    word = Feedback(trace=TraceId("t1"), person=None, verdict=FeedbackVerdict.WRONG_PAGE, at=day(2))
    yield "feedback", record_views.JudgedView.showing(Judged(word, kept))
    yield "feedback, forgotten", record_views.JudgedView.showing(Judged(word, None))
    unresolved = Unresolved(edition=EDITION, reference=REFERENCE, why="section")
    referenced = Referenced(
        provision=PROVISION,
        section=SECTION,
        pages=(3,),
        cites=(LISTED,),
        cited_by=(replace(LISTED, kind=ReferenceKind.REFERENCES),),
        implemented_by=(replace(LISTED, section=None),),
        unresolved=(unresolved,),
    )
    yield "references", record_views.ReferencesView.showing(section="§ 4", provisions=[referenced])
    found = Rechecked(
        trace=TraceId("t1"),
        was=kept.citations[0],
        edition=EDITION,
        since=day(1),
        outcome=Recheck.CHANGED,
        now=CITATION,
    )
    corrected = CorrectionRound(
        kept=4,
        corrections=(
            Correction(found=found, told=Told.SENT),
            Correction(found=replace(found, outcome=Recheck.GONE, now=None), told=Told.UNHEARD),
        ),
    )
    yield "corrections", record_views.CorrectionRoundView.showing(corrected)


def _operations() -> Iterator[tuple[str, View]]:
    source = ScheduledSource(
        id=DOCUMENT.id,
        collection="public",
        title="Bäume",
        schedule="every 6h",
        urls=("https://example.org/a.pdf", "https://example.net/a.pdf"),
        document=DOCUMENT,
    )
    hold = Hold(reason=HoldReason.SHRANK, at=day(3), sha256="ab", values={"before": 80, "kind": "pdf"})
    state = SourceState(
        document=DOCUMENT.id,
        checked_at=day(2),
        result=CheckResult.HELD,
        error="fetch.status",
        failures=3,
        hold=hold,
    )
    job = Job(source=source, state=state, next_run=day(4))
    yield "jobs", record_views.JobView.showing(job, due=True)
    new = Job(source=replace(source, document=None), state=SourceState(document=DOCUMENT.id), next_run=None)
    yield "jobs, new", record_views.JobView.showing(new, due=False)
    checked = Checked(documents=5, errors=("wrong",), warnings=("odd",), missing=("b.pdf",), due=(job,))
    yield "registry check", record_views.RegistryCheckView.showing(checked)
    letter = DeadLetter(
        box=Mailbox.OUTBOX,
        id=12,
        platform="matrix",
        workspace="",
        state="failed",
        error="delivery.not_entitled",
        attempts=3,
        at=day(1),
    )
    token = AccessToken(
        name="desk",
        role=TokenRole.READER,
        collections=("public",),
        per_minute=30,
        created_at=day(1),
        expires_at=None,
    )
    yield "token list", record_views.TokenView.showing(token)
    yield "token new", record_views.NewTokenView.showing(token, token="fst_x")
    yield "letters", record_views.DeadLetterView.showing(letter, letter="outbox:12")
    entry = AuditEntry(
        at=day(1),
        actor=Pseudonym("p1"),
        action=AuditAction.PUBLISH,
        subject=DOCUMENT.id,
        values={"x": "d2"},
    )
    yield from _people(entry)
    yield "audit", entry_view(entry, {Pseudonym("p1"): "shell:anna"}, {DOCUMENT.id: "Bäume"})
    yield "audit, unknown", entry_view(entry, {}, {})
    yield "doctor", record_views.CheckedView.showing(Check.of("disk", False, "0 GB free", "make room"))
    yield "error", FailureView(id=7, error=problem(Refused("document.unknown", "there is no document x")))
    asked = SetQuestion(
        id="q1",
        corpus="c",
        language="de",
        jurisdiction=None,
        party=None,
        question="Was?",
        answerable=True,
        gold=(Gold(file="a.pdf", page=3, quote="Bäume sind zu schützen."),),
        all_needed=False,
        kind="fact",
    )
    observed = Observed(
        question=asked,
        hits=((("b.pdf", 1),), (("a.pdf", 3),)),
        citations=((("a.pdf", 3), ("a.pdf", 4)),),
        quotes=("Bäume sind zu schützen.",),
        exact_quotes=1,
        highlights=1,
        claims=1,
        labelled=1,
        outcome="grounded",
        silent=False,
        confidence=0.71239,
        places=frozenset(),
        allowed=None,
        seconds=0.123456,
    )
    yield "evaluate", RowView.showing(observed)
