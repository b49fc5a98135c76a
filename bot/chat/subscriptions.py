"""The commands for making, listing and ending subscriptions."""

from dataclasses import dataclass, replace

from bot.answers.subscriptions import Watching, quotes_of
from bot.chat.command_table import Command, handles
from bot.chat.request import RecentAnswers, Request, said
from bot.library.scoping import Scoping, find_document
from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts, typed
from bot.presentation.presenter import Presenter
from core.answering.personal_data import Privacy
from core.domain.answers import Outcome
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.messages import Button, Reply
from core.domain.records import AnswerRecord
from core.domain.rich_text import small
from core.domain.subscriptions import EVERY, Rhythm, Seen, SubjectKind, Subscription, SubscriptionDraft
from core.errors import Refused
from core.one_line import one_line, shortened
from core.ports.journal import Journal, Subscriptions
from core.ports.library import Library

USUAL = Rhythm.DAILY
"""How often a chat is told unless it says otherwise."""

NAMED = 60
"""Maximum characters of a topic in a list; on a button `_ON_A_BUTTON`."""

_ON_A_BUTTON = 24

_RHYTHM_WORDS = 4
"""Maximum words of a rhythm ("einmal in der Woche")."""

_TOO_LONG = 10
"""Number of digits that no subscription's number reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCommands:
    """A chat's subscriptions. They belong to the chat: everybody there may end them."""

    kept: Subscriptions
    watching: Watching
    library: Library
    scoping: Scoping
    journal: Journal
    recent: RecentAnswers
    presenter: Presenter
    privacy: Privacy
    per_chat: int
    per_person: int

    @handles("subscribe")
    async def _subscribe(self, request: Request, command: Command) -> Reply:
        """Subscribe to the named subject, or to the topic of the answer replied to."""
        rhythm, wanted = _with_rhythm(command.rest)
        record = await self._record(request, wanted)
        if record is not None:
            wanted = record.texts.question if record.texts else ""
            if not wanted:
                return said(request.hint("subscription.words_gone"))
        if not wanted:
            return said(request.hint("subscription.usage"))
        draft = await self._draft(request, wanted, rhythm)
        if draft is None:
            return said(request.hint("subscription.usage"))
        await self._check_room(request, draft)
        made = await self.kept.add(await self.watching.first(draft))
        return self._confirmation(request, made)

    @handles("subscriptions")
    async def _subscriptions(self, request: Request, command: Command) -> Reply:
        """The chat's subscriptions, each with a button that ends it; or the result of ending one or changing
        its rhythm."""
        first, _, rest = command.rest.lower().partition(" ")
        if first in typed("end"):
            done = await self.kept.end(_number(rest), request.key)
            return said(request.texts("subscription.ended" if done else "subscription.unknown"))
        rhythm = _rhythm_of(rest)
        if first.isdecimal() and rhythm is not None:
            due = request.now + EVERY[rhythm] if rhythm is not Rhythm.AT_ONCE else request.now
            done = await self.kept.set_rhythm(_number(first), request.key, rhythm, due_at=due)
            key = "subscription.rhythm_set" if done else "subscription.unknown"
            return said(request.texts(key, rhythm=request.texts(f"subscription.{rhythm.value}")))
        return await self._listed(request, await self.kept.of_chat(request.key))

    async def _listed(self, request: Request, known: list[Subscription]) -> Reply:
        """With names that the chat may read now: it may see less than when they were made."""
        if not known:
            return said(request.hint("subscription.list_none"))
        texts, within = request.texts, request.chat.collections
        found = [
            each
            if await self.watching.may_name(each, within)
            else replace(each, name=texts("subscription.unseen"))
            for each in known
        ]
        lines = [
            texts(
                "subscription.line",
                id=each.id,
                name=each.name,
                rhythm=texts(f"subscription.{each.rhythm.value}"),
            )
            for each in found
        ]
        buttons = tuple((end_button(each, texts),) for each in found) if _taps(request) else ()
        by_line = () if buttons else (small(request.hint("subscription.end_by")),)
        return Reply(blocks=("\n".join((texts("subscription.list"), *lines)), *by_line), buttons=buttons)

    def _confirmation(self, request: Request, made: Subscription) -> Reply:
        request = replace(request, texts=self.presenter.texts(made.language))
        texts = request.texts
        keys = {
            SubjectKind.DOCUMENT: "subscription.made_document",
            SubjectKind.PARTY: "subscription.made_party",
            SubjectKind.TOPIC: "subscription.made" if made.seen.quotes else "subscription.made_silent",
        }
        text = texts(keys[made.kind], name=made.name, rhythm=texts(f"subscription.{made.rhythm.value}"))
        others = tuple(
            Button(
                label=texts(f"subscription.{each.value}"), command=f"/subscriptions {made.id} {each.value}"
            )
            for each in Rhythm
            if each is not made.rhythm
        )
        buttons = (others, (end_button(made, texts),)) if _taps(request) else ()
        blocks = (text, small(request.hint("subscription.manage")))
        return Reply(blocks=blocks, buttons=buttons, language=texts.language)

    async def _check_room(self, request: Request, draft: SubscriptionDraft) -> None:
        """Raises Refused("limit.own_subscriptions" or "limit.subscriptions") if the person or the chat has
        reached the limit and `draft` is not already among theirs."""
        found = await self.kept.of_chat(request.key)
        if any(_subject(each) == _subject(draft) for each in found):
            return
        own = sum(each.person == request.person for each in found)
        if own >= self.per_person:
            detail = f"the person has {own} subscriptions"
            raise Refused("limit.own_subscriptions", detail, limit=self.per_person)
        if len(found) >= self.per_chat:
            detail = f"there are {len(found)} subscriptions"
            raise Refused("limit.subscriptions", detail, limit=self.per_chat)

    async def _draft(self, request: Request, wanted: str, rhythm: Rhythm) -> SubscriptionDraft | None:
        """A subscription to the document or party that `wanted` names, else to `wanted` as a topic; None if
        it is neither."""
        chat, now = request.chat, request.now
        draft = SubscriptionDraft(
            chat=request.key,
            thread=request.message.ref.thread,
            person=request.person,
            kind=SubjectKind.TOPIC,
            subject=wanted,
            name=wanted,
            collections=chat.collections,
            jurisdiction=request.state.jurisdiction,
            language=request.state.language or request.texts.language,
            rhythm=rhythm,
            created_at=now,
            due_at=now if rhythm is Rhythm.AT_ONCE else now + EVERY[rhythm],
            seen=Seen(at=now),
        )
        party = self.scoping.within(chat.collections).own_party(wanted)
        if party is not None:
            return replace(draft, kind=SubjectKind.PARTY, subject=party, name=party)
        document = await self._document(request, wanted)
        if document is not None:
            title = one_line(document.fields.title)
            return replace(draft, kind=SubjectKind.DOCUMENT, subject=document.id, name=title)
        return await self._topic(draft, request)

    async def _topic(self, draft: SubscriptionDraft, request: Request) -> SubscriptionDraft | None:
        words = self.privacy.for_records(draft.subject)
        answer = await self.watching.answer(words, draft.collections, draft.jurisdiction)
        if answer.outcome is Outcome.INFO:
            return None
        name = one_line(words)
        return replace(
            draft,
            subject=words,
            name=shortened(name, NAMED),
            language=request.state.language or answer.language,
            seen=replace(draft.seen, quotes=quotes_of(answer.citations)),
        )

    async def _document(self, request: Request, name: str) -> Document | None:
        try:
            return find_document(name, await self.library.documents(request.chat.collections))
        except Refused:
            return None

    async def _record(self, request: Request, wanted: str) -> AnswerRecord | None:
        """The answer in question, if it is from this chat: named by a button, or replied to."""
        trace: TraceId | None = None
        if wanted and " " not in wanted:
            trace = TraceId(wanted)
        elif not wanted and request.message.reply_to is not None:
            trace = await self.journal.trace_of(
                replace(request.message.ref, message=request.message.reply_to)
            )
        elif not wanted:
            trace = self.recent.last(request)
        record = await self.journal.answer(trace) if trace else None
        same_chat = record is not None and record.chat == self.journal.pseudonyms.chat(request.key)
        return record if same_chat else None


def _subject(subscription: SubscriptionDraft) -> tuple[str | None, SubjectKind, str]:
    """The key by which a chat has at most one subscription."""
    return subscription.thread, subscription.kind, subscription.subject


def _taps(request: Request) -> bool:
    return request.stage.capabilities.buttons


def end_button(subscription: Subscription, texts: Texts) -> Button:
    """The button that ends a subscription."""
    label = texts("button.end_subscription", name=defused(shortened(subscription.name, _ON_A_BUTTON)))
    return Button(label=label, command=f"/subscriptions end {subscription.id}")


def _number(typed_in: str) -> int:
    """The number of a subscription; 0, which none has, for anything that cannot be one: databases refuse long
    numbers."""
    return int(typed_in) if typed_in.isdecimal() and len(typed_in) < _TOO_LONG else 0


def _rhythm_of(words: str) -> Rhythm | None:
    """The rhythm for words typed in any language; they may be joined by hyphens."""
    typed_words = "-".join(words.lower().split())
    return next(
        (each for each in Rhythm if typed_words == each.value or typed_words in typed(each.value)), None
    )


def _with_rhythm(rest: str) -> tuple[Rhythm, str]:
    """The rhythm, and the rest of the text."""
    words = rest.split()
    for number in range(min(len(words), _RHYTHM_WORDS), 0, -1):
        if (rhythm := _rhythm_of(" ".join(words[:number]).rstrip(",:"))) is not None:
            return rhythm, rest.strip().split(maxsplit=number)[number] if words[number:] else ""
    return USUAL, rest.strip()
