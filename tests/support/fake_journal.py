"""An in-memory `Journal`, held to the same contract suite as the SQL one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from core.domain.answers import Outcome
from core.domain.ids import TraceId, VersionId
from core.domain.journal import (
    LONGEST_CONTEXT,
    AuditEntry,
    ChatKey,
    ChatState,
    Feedback,
    FeedbackVerdict,
    Pseudonym,
    Pseudonyms,
    Purged,
    Retention,
    ThreadKey,
    chat_key,
)
from core.domain.records import AnswerRecord, KeptThread, PersonFile
from core.domain.scope import ThreadContext
from core.domain.subscriptions import Subscription
from core.ports.clock import is_within, lies_ahead
from tests.support.fake_boxes import FakeBoxes
from tests.support.letters import kept, pick

KEY = b"a key for tests, and for nothing else"
Remembered = tuple[ThreadContext, Pseudonym | None, datetime]


class FakeJournal(FakeBoxes):
    """Keeps everything in dictionaries."""

    def __init__(self, pseudonyms: Pseudonyms | None = None) -> None:
        super().__init__(pseudonyms or Pseudonyms(KEY))
        self._answers: dict[TraceId, AnswerRecord] = {}
        self._feedback: list[Feedback] = []
        self._states: dict[ChatKey, ChatState] = {}
        self._contexts: dict[ThreadKey, Remembered] = {}
        self._audit: list[AuditEntry] = []
        self._notices: dict[Pseudonym, datetime] = {}
        self.subscriptions: dict[int, Subscription] = {}

    async def close(self) -> None:
        pass

    # answers

    async def record(self, record: AnswerRecord) -> None:
        self._answers[record.trace] = record

    async def answer(self, trace: TraceId) -> AnswerRecord | None:
        return self._answers.get(trace)

    async def unanswered(self, *, since: datetime, limit: int = 50) -> list[AnswerRecord]:
        found = [
            record
            for record in self._answers.values()
            if record.outcome is Outcome.NO_EVIDENCE and record.at >= since
        ]
        found.sort(key=lambda record: record.trace)
        return sorted(found, key=lambda record: record.at, reverse=True)[:limit]

    async def citing(self, versions: Sequence[VersionId]) -> list[TraceId]:
        found = [record for record in self._answers.values() if set(record.versions) & set(versions)]
        return [record.trace for record in sorted(found, key=lambda record: (record.at, record.trace))]

    async def give_feedback(self, feedback: Feedback) -> bool:
        record = self._answers.get(feedback.trace)
        if record is None:
            return False
        mine = (feedback.trace, feedback.person)
        self._feedback = [item for item in self._feedback if (item.trace, item.person) != mine] + [feedback]
        if feedback.verdict is not FeedbackVerdict.USEFUL:
            self._answers[record.trace] = replace(record, reported=True)
        return True

    async def feedback(self) -> list[Feedback]:
        return sorted(self._feedback, key=lambda item: item.at)

    # chats

    async def chat_state(self, chat: ChatKey) -> ChatState | None:
        return self._states.get(chat)

    async def save_chat_state(self, chat: ChatKey, state: ChatState, *, at: datetime) -> None:
        self._states[chat] = state

    async def drop_chat(self, chat: ChatKey) -> None:
        self._states.pop(chat, None)
        self._end_subscriptions(lambda each: each.chat == chat)
        self._keep_contexts(lambda key, _: key.chat != chat)

    def _keep_contexts(self, keep: Callable[[ThreadKey, Remembered], bool]) -> int:
        before = len(self._contexts)
        self._contexts = {key: value for key, value in self._contexts.items() if keep(key, value)}
        return before - len(self._contexts)

    async def context(self, thread: ThreadKey, *, at: datetime) -> ThreadContext | None:
        content, _, expires_at = self._contexts.get(ordered(thread), (None, None, at))
        return content if lies_ahead(expires_at, at, LONGEST_CONTEXT) else None

    async def save_context(
        self, thread: ThreadKey, context: ThreadContext, *, person: Pseudonym | None, expires_at: datetime
    ) -> None:
        self._contexts[ordered(thread)] = (context, person, expires_at)

    async def drop_context(self, chat: ChatKey, thread: str) -> None:
        self._keep_contexts(lambda key, _: (key.chat, key.thread) != (chat, thread))

    async def audit(self, entry: AuditEntry) -> None:
        self._audit.insert(0, entry)

    async def audit_entries(self, *, since: datetime | None = None, limit: int = 100) -> list[AuditEntry]:
        found = [entry for entry in self._audit if since is None or entry.at >= since]
        return sorted(found, key=lambda entry: entry.at, reverse=True)[:limit]

    async def first_notice(self, person: Pseudonym, *, at: datetime) -> bool:
        first = person not in self._notices
        self._notices.setdefault(person, at)
        return first

    async def person_file(self, person: Pseudonym, *, private_chat: ChatKey | None) -> PersonFile:
        chat = self.pseudonyms.chat(private_chat) if private_chat else None
        inbox, outbox = (
            [item for item in box.values() if item.person == person or (chat and item.chat == private_chat)]
            for box in (self._inbox, self._outbox)
        )
        answers = [
            record
            for record in self._answers.values()
            if record.person == person or (chat is not None and record.chat == chat)
        ]
        return PersonFile(
            messages=tuple(kept(item) for item in inbox),
            replies=tuple(kept(item) for item in outbox),
            answers=tuple(sorted(answers, key=lambda record: record.at)),
            feedback=tuple(item for item in self._feedback if item.person == person),
            threads=tuple(
                KeptThread(until=until, questions=context.questions)
                for key, (context, whose, until) in self._contexts.items()
                if whose == person or key.chat == private_chat
            ),
            summaries=(),
            subscriptions=(),
            actions=tuple(entry for entry in self._audit if entry.actor == person),
            told_at=self._notices.get(person),
            state=self._states.get(private_chat) if private_chat else None,
        )

    def _end_subscriptions(self, ended: Callable[[Subscription], bool]) -> int:
        over = [number for number, each in self.subscriptions.items() if ended(each)]
        for number in over:
            del self.subscriptions[number]
        return len(over)

    async def forget(self, person: Pseudonym, *, private_chat: ChatKey | None, at: datetime) -> int:
        rows = self._end_subscriptions(lambda each: each.person == person or each.chat == private_chat)
        rows += self._erase_person(person)
        if private_chat is not None:
            rows += self._erase_chat(private_chat)
        return rows

    def _erase_person(self, person: Pseudonym | None) -> int:
        if person is None:
            return 0
        rows = super()._erase_person(person)
        for record in [record for record in self._answers.values() if record.person == person]:
            self._answers[record.trace] = replace(record, person=None, texts=None)
            rows += 1
        rows += sum(item.person == person for item in self._feedback)
        self._feedback = [
            replace(item, person=None) if item.person == person else item for item in self._feedback
        ]
        rows += self._keep_contexts(lambda _, value: value[1] != person)
        return rows + (self._notices.pop(person, None) is not None)

    def _erase_chat(self, chat: ChatKey) -> int:
        rows = sum(letter.forget() for letter in pick(self._letters(), chat=chat))
        before = len(self._posted)
        self._posted = [item for item in self._posted if chat_key(item.ref) != chat]
        rows += before - len(self._posted)
        rows += self._states.pop(chat, None) is not None
        rows += self._keep_contexts(lambda key, _: key.chat != chat)
        pseudonym = self.pseudonyms.chat(chat)
        for record in [record for record in self._answers.values() if record.chat == pseudonym]:
            self._answers[record.trace] = replace(record, chat=None, person=None, texts=None)
            rows += 1
        return rows

    async def purge(self, retention: Retention, *, at: datetime) -> Purged:
        self._purged_at = at
        contents = [
            letter
            for letter in pick(self._letters(), over=True)
            if letter.content is not None and self._over(letter.at, retention.delivery)
        ]
        for letter in contents:
            letter.empty()
        return Purged(
            contents=len(contents),
            dead_letters=self._drop_letters(retention.dead_letters),
            texts=self._drop_texts(retention.texts),
            answers=self._drop_answers(retention.answers),
            feedback=self._drop_feedback(retention.feedback),
            audit=self._drop_audit(retention.audit),
            contexts=self._keep_contexts(lambda _, value: lies_ahead(value[2], at, LONGEST_CONTEXT)),
        )

    def _over(self, stamp: datetime, term: timedelta) -> bool:
        now = self._purged_at or stamp
        return not is_within(stamp, now, term)

    def _drop_letters(self, term: timedelta) -> int:
        size = len(self._letters())
        self._inbox = {
            k: item for k, item in self._inbox.items() if not (item.over and self._over(item.at, term))
        }
        self._outbox = {
            k: item for k, item in self._outbox.items() if not (item.over and self._over(item.at, term))
        }
        return size - len(self._letters())

    def _drop_texts(self, term: timedelta) -> int:
        old = [
            record
            for record in self._answers.values()
            if self._over(record.at, term) and not record.reported and record.texts is not None
        ]
        self._answers.update({record.trace: replace(record, texts=None) for record in old})
        return len(old)

    def _drop_answers(self, term: timedelta) -> int:
        size = len(self._answers) + len(self._posted)
        self._answers = {
            trace: record for trace, record in self._answers.items() if not self._over(record.at, term)
        }
        self._posted = [item for item in self._posted if not self._over(item.at, term)]
        return size - len(self._answers) - len(self._posted)

    def _drop_feedback(self, term: timedelta) -> int:
        size = len(self._feedback)
        self._feedback = [item for item in self._feedback if not self._over(item.at, term)]
        return size - len(self._feedback)

    def _drop_audit(self, term: timedelta) -> int:
        size = len(self._audit) + len(self._notices)
        self._audit = [entry for entry in self._audit if not self._over(entry.at, term)]
        self._notices = {person: told for person, told in self._notices.items() if not self._over(told, term)}
        return size - len(self._audit) - len(self._notices)


def ordered(thread: ThreadKey) -> ThreadKey:
    return replace(thread, collections=tuple(sorted(thread.collections)))
