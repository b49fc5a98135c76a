"""Messages, replies and records to put into a journal."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from core.domain.answers import Claim, Outcome, Rejected, Verdict
from core.domain.documents import DocumentType
from core.domain.ids import DocumentId, PassageId, TraceId, VersionId
from core.domain.journal import ChatKey, OutgoingReply, Pseudonym
from core.domain.messages import Attachment, IncomingMessage, MessageRef, Outgoing
from core.domain.pages import TextSource
from core.domain.passages import Section, Span
from core.domain.records import (
    AnswerRecord,
    CitationRecord,
    HitRecord,
    ModelRecord,
    PlanRecord,
    RecordKind,
    RecordTexts,
)
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import QuestionKind, Space

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def at(minutes: float = 0, *, hours: float = 0, days: float = 0) -> datetime:
    """A moment after START."""
    return START + timedelta(minutes=minutes, hours=hours, days=days)


def ref(chat: str = "c1", message: str = "m1", **fields: object) -> MessageRef:
    base = MessageRef(platform="matrix", workspace="w", chat=chat, thread=None, message=message)
    return replace(base, **fields)  # type: ignore[arg-type]


def key(chat: str = "c1") -> ChatKey:
    return ChatKey(platform="matrix", workspace="w", chat=chat)


def message(event: str, chat: str = "c1", **fields: object) -> IncomingMessage:
    base = IncomingMessage(
        ref=ref(chat, f"m-{event}"),
        sender="@anna:example.org",
        text=f"question {event}",
        addressed=True,
        received_at=START,
        event=event,
    )
    return replace(base, **fields)  # type: ignore[arg-type]


def part(key: str, chat: str = "c1", **fields: object) -> Outgoing:
    return replace(Outgoing(key=key, to=ref(chat), text=f"text of {key}"), **fields)  # type: ignore[arg-type]


def reply(*keys: str, chat: str = "c1", **fields: object) -> OutgoingReply:
    base = OutgoingReply(parts=tuple(part(name, chat) for name in keys))
    return replace(base, **fields)  # type: ignore[arg-type]


FULL_MESSAGE = message(
    "full",
    ref=ref(thread="t1"),
    text="Größe? \N{GRINNING FACE} 'quoted'",
    received_at=at(3),
    direct=True,
    reply_to="m0",
    attachments=(Attachment(id="mxc://a", name="plan.pdf", size=3),),
)


def record(trace: str = "t1", **fields: object) -> AnswerRecord:
    """A record with every field filled."""
    base = AnswerRecord(
        trace=TraceId(trace),
        at=START,
        kind=RecordKind.ANSWER,
        person=Pseudonym("p1"),
        chat=Pseudonym("chat1"),
        texts=RecordTexts(
            question="Was sagt § 4?",
            queries=("§ 4", "Paragraph 4"),
            outputs=("{}", "[S1] Ja."),
            rejected=(Rejected(what="claim", text="Nein.", why="numbers"),),
        ),
        language="de",
        outcome=Outcome.GROUNDED,
        scope=Scope(
            collections=("public", "internal"),
            jurisdictions=("xv",),
            doc_types=(DocumentType.RULES,),
            documents=(DocumentId("d1"),),
            editions=(2025,),
            as_of=date(2025, 1, 1),
        ),
        plan=PlanRecord(
            kind=QuestionKind.FACT, groups=1, quota=0, detected=Detected(parties=("A",), years=(2025,))
        ),
        missing=(Missing(kind="party", name="B"),),
        hits=(
            HitRecord(
                passage=PassageId("x1"),
                version=VersionId("v1"),
                title="Satzung",
                pages=(3, 4),
                score=2.5,
                scores={Space.PRIMARY: 0.9, Space.LEXICAL: 7.0},
                found_by=("dense", "pinned"),
                trail=("§ 3", "§ 4"),
                in_context=True,
            ),
        ),
        claims=(Claim(text="Ja.", labels=("S1",)),),
        citations=(
            CitationRecord(
                label="S1",
                document=DocumentId("d1"),
                title="Satzung",
                version=VersionId("v1"),
                effective=date(2024, 5, 1),
                passage=PassageId("x1"),
                section=Section(id="par:4", title="Bäume", path=("1",), hierarchy=("Teil 1",)),
                spans=(Span(3, 10, 20), Span(4, 0, 5)),
                quote="Ja, so ist es.",
                verdict=Verdict.VERBATIM,
                text_source=TextSource.NATIVE,
                printed_labels=("iii", None),
            ),
        ),
        notices=("notice.doubtful",),
        rejected=1,
        answerer="llm",
        model=ModelRecord(model="m", prompt="answer@1", prompt_tokens=10, completion_tokens=5, cost_usd=None),
        confidence=0.75,
        seconds={"search": 0.1, "total": 0.2},
    )
    return replace(base, **fields)  # type: ignore[arg-type]


def cited(trace: str, *versions: str, **fields: object) -> AnswerRecord:
    """A record that cites these versions."""
    (one,) = record().citations
    citations = tuple(replace(one, version=VersionId(version)) for version in versions)
    return record(trace, citations=citations, **fields)
