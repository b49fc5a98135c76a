"""`fundstelle person`: people's requests by letter, disclosure and erasure of what is stored about them;
`fundstelle token`: who may ask over HTTP and MCP."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

import typer

from bot.cli.frame import DONE, CollectionOption, CommandContext, command
from bot.cli.output import listing, print_json, say
from bot.cli.terminal import told
from bot.library.audit import AuditTrail
from bot.library.scoping import DEFAULT_COLLECTIONS
from bot.presentation.views.encoding import encoded
from bot.presentation.views.records import ErasureView, KeptView, NewTokenView, PersonFileView, TokenView
from bot.settings.tree import Settings
from bot.wiring.services import records, token_office, with_new_key
from core.domain.access import TokenRole
from core.domain.journal import AuditAction, ChatKey
from core.domain.records import KeptText, Person, PersonFile
from core.errors import Refused

OF_THE_PERSON = "telegram"
"""Platforms on which a private chat has the same id as its person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The result of an erasure: how much there was, how much was affected, and what remains."""

    before: PersonFile
    rows: int
    after: PersonFile


def named_person(trail: AuditTrail, name: str, chat: str = "") -> Person:
    """The person that PLATFORM:USER means, as the settings name people ("slack:TEAM/USER"); `chat` is their
    private chat. Raises Refused("person.id")."""
    platform, _, user = name.partition(":")
    team, _, member = user.rpartition("/") if platform == "slack" else ("", "", user)
    if not platform or not member or (platform == "slack") != bool(team):
        detail = f"{name} is no id: write PLATFORM:USER, as telegram:4711, slack:T012/U345, matrix:@anna:host"
        raise Refused("person.id", detail, name=name)
    private = chat.rpartition("/")[2] or (member if platform == OF_THE_PERSON else "")
    return Person(
        platform=platform,
        workspace=team,
        user=member,
        pseudonym=trail.journal.pseudonyms.person(platform, team, member),
        private_chat=ChatKey(platform=platform, workspace=team, chat=private) if private else None,
    )


async def exported(trail: AuditTrail, person: Person) -> PersonFile:
    """Everything stored about a person; the request itself is recorded, but not whose it was."""
    found = await trail.journal.person_file(person.pseudonym, private_chat=person.private_chat)
    await trail.noted_request(AuditAction.EXPORT, person, found.rows)
    return found


async def erased(trail: AuditTrail, person: Person) -> Erasure:
    """Erase a person as `/forget` does."""
    journal, chat = trail.journal, person.private_chat
    before = await journal.person_file(person.pseudonym, private_chat=chat)
    rows = await journal.forget(person.pseudonym, private_chat=chat, at=trail.clock.now())
    after = await journal.person_file(person.pseudonym, private_chat=chat)
    await trail.noted_request(AuditAction.ERASE, person, rows)
    return Erasure(before=before, rows=rows, after=after)


IdArgument = Annotated[str, typer.Argument(metavar="ID")]
ChatOption = Annotated[str, typer.Option("--chat", metavar="CHAT")]

WHY: Mapping[str, str] = {
    "under_way": "cli.kept_under_way",
    "answers": "cli.kept_answers",
    "feedback": "cli.kept_feedback",
    "actions": "cli.kept_actions",
    "roles": "cli.kept_roles",
    "events": "cli.kept_events",
    "private_chat": "cli.kept_private_chat",
    "backups": "cli.kept_backups",
    "earlier_key": "cli.kept_earlier_key",
    "platform": "cli.kept_platform",
    "request": "cli.kept_request",
}
"""Reasons why something remains after an erasure."""


@command("export")
async def export(context: CommandContext, person: IdArgument, *, chat: ChatOption = "") -> int:
    """Print everything that is kept about a person."""
    settings = await context.library_settings()
    async with records(settings) as trail:
        whose = named_person(trail, person, chat)
        found = await exported(trail, whose)
    if context.json:
        view = PersonFileView.showing(found, person=person, pseudonym=whose.pseudonym)
        earlier = {"key_since": trail.key_since.isoformat()} if trail.key_since else {}
        print_json({**json.loads(encoded(view)), **earlier} if earlier else view)
        return DONE
    for line in _lines(found):
        say(line)
    say(told("cli.person_kept", person=person, count=found.rows))
    if trail.key_since is not None:
        say(f"- {told('cli.kept_earlier_key', **terms(settings), **since(trail))}")
    return DONE


@command("erase")
async def erase(context: CommandContext, person: IdArgument, *, chat: ChatOption = "") -> int:
    """Erase what is kept about a person, and say what remains, and why."""
    settings = await context.library_settings()
    async with records(settings) as trail:
        whose = named_person(trail, person, chat)
        done = await erased(trail, whose)
    kept = [
        KeptView.showing(what=what, count=count, why=told(WHY[what], **terms(settings), **since(trail)))
        for what, count in still_kept(done, whose, settings, trail.key_since)
    ]
    if context.json:
        print_json(ErasureView.showing(person=person, erased=done.rows, kept=kept))
        return DONE
    say(told("cli.person_erased", person=person, count=done.rows))
    for each in kept:
        say(f"- {each.why}" if each.count is None else f"- {each.count}: {each.why}")
    return DONE


def still_kept(
    done: Erasure, person: Person, settings: Settings, key_since: datetime | None = None
) -> Iterator[tuple[str, int | None]]:
    """What remains after an erasure, with counts."""
    under_way = sum(item.text is not None for item in (*done.after.messages, *done.after.replies))
    roles = [row for row in settings.role if row.platform == person.platform]
    named = sum(row.user.rpartition("/")[2] == person.user for row in roles)
    counts = {
        "under_way": under_way,
        "answers": len(done.before.answers),
        "feedback": len(done.before.feedback),
        "actions": len(done.after.actions),
        "roles": named,
    }
    yield from ((what, count) for what, count in counts.items() if count)
    if done.before.messages:
        yield "events", None
    if person.private_chat is None:
        yield "private_chat", None
    if key_since is not None:
        yield "earlier_key", None
    yield from (("backups", None), ("platform", None), ("request", None))


def since(trail: AuditTrail) -> dict[str, date]:
    """Since when people are known by the current key, if another was used before."""
    return {"since": trail.key_since.date()} if trail.key_since else {}


def terms(settings: Settings) -> dict[str, int]:
    """The retention periods mentioned in texts, in days."""
    kept = settings.retention.terms
    return {
        "answers": kept.answers.days,
        "feedback": kept.feedback.days,
        "audit": kept.audit.days,
        "events": kept.dead_letters.days,
    }


def _lines(found: PersonFile) -> Iterator[str]:
    """What is stored, one line each, by kind."""
    placeholder = told("cli.text_gone")
    for name, items in (("cli.person_messages", found.messages), ("cli.person_replies", found.replies)):
        for item in items:
            yield f"{told(name)}  {item.at:%Y-%m-%d %H:%M}  {_said(item)}"
    for record in found.answers:
        question = record.texts.question if record.texts else placeholder
        yield f"{told('cli.person_answers')}  {record.at:%Y-%m-%d %H:%M}  {record.trace}  {question}"
    for word in found.feedback:
        yield f"{told('cli.person_feedback')}  {word.at:%Y-%m-%d %H:%M}  {word.trace}  {word.verdict.value}"
    for thread in found.threads:
        yield f"{told('cli.person_threads')}  {thread.until:%Y-%m-%d %H:%M}  {' / '.join(thread.questions)}"
    topics = {"cli.person_summaries": found.summaries, "cli.person_subscriptions": found.subscriptions}
    for name, topic in ((name, each) for name, listed in topics.items() for each in listed):
        yield f"{told(name)}  {topic.at:%Y-%m-%d %H:%M}  {topic.topic}"
    for entry in found.actions:
        did = f"{entry.action.value}  {entry.subject}"
        yield f"{told('cli.person_actions')}  {entry.at:%Y-%m-%d %H:%M}  {did}"
    if found.told_at is not None:
        yield f"{told('cli.person_told')}  {found.told_at:%Y-%m-%d %H:%M}"
    if found.state is not None:
        set_to = (found.state.jurisdiction or "-", ", ".join(found.state.parties) or "-")
        yield f"{told('cli.person_settings')}  {'  '.join(set_to)}  {found.state.language or '-'}"


def _said(item: KeptText) -> str:
    """A message or reply in a line. One that never had text (a file, somebody joining) is not shown as
    expired."""
    if item.text is None:
        return told("cli.content_gone")
    files = f"[{', '.join(item.files)}]" if item.files else ""
    return "  ".join(part for part in (item.text, files) if part) or told("cli.no_text")


@command("new-key", alone=True)
async def new_key(context: CommandContext) -> int:
    """Use the key in the key file, made if there is none, for this library from now on, when the previous one
    is lost. What is kept under that can no longer be linked to anybody, and will expire."""
    file = await with_new_key(await context.library_settings())
    if context.json:
        print_json({"key_file": str(file)})
    else:
        say(told("cli.new_key", file=file))
    return DONE


COMMANDS = (export, erase, new_key)


NameArgument = Annotated[str, typer.Argument(metavar="NAME")]


@command("new")
async def new(
    context: CommandContext,
    name: NameArgument,
    *,
    role: Annotated[TokenRole, typer.Option("--role")] = TokenRole.READER,
    collection: CollectionOption = None,
    rate: Annotated[int, typer.Option("--rate", min=1, max=100_000)] = 30,
    days: Annotated[int, typer.Option("--days", min=0, max=36_500)] = 365,
) -> int:
    """Make a token and print it, once."""
    async with token_office(await context.library_settings()) as office:
        collections = collection or DEFAULT_COLLECTIONS
        token, secret = await office.issue(
            name, role=role, collections=collections, per_minute=rate, days=days or None
        )
    if context.json:
        print_json(NewTokenView.showing(token, token=secret))
        return DONE
    say(secret)
    say(told("cli.token_once"))
    return DONE


@command("list")
async def list_tokens(context: CommandContext) -> int:
    """List the tokens, without their secrets."""
    async with token_office(await context.library_settings()) as office:
        found, now = await office.listed(), office.audit.clock.now()
    if context.json:
        print_json({"tokens": [TokenView.showing(token) for token in found]})
        return DONE
    rows = []
    for token in found:
        until = "" if token.expires_at is None else f"{token.expires_at:%Y-%m-%d}"
        expired = "" if token.holds(now) else told("cli.token_over")
        rate = told("cli.token_rate", count=token.per_minute)
        rows.append([token.name, token.role.value, ", ".join(token.collections), rate, until, expired])
    listing(told("cli.tokens", count=len(found)), rows)
    return DONE


@command("revoke")
async def revoke(context: CommandContext, name: NameArgument) -> int:
    """Revoke a token at once."""
    async with token_office(await context.library_settings()) as office:
        await office.revoke(name)
    print_json({"revoked": name}) if context.json else say(told("cli.token_revoked", name=name))
    return DONE


TOKEN_COMMANDS = (new, list_tokens, revoke)
