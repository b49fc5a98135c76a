"""Requests that people make by letter: disclosure and erasure of what is stored about them."""

from dataclasses import dataclass

from bot.library.audit import AuditTrail
from core.domain.journal import AuditAction, ChatKey
from core.domain.person_files import Person, PersonFile
from core.errors import Refused

OF_THE_PERSON = "telegram"
"""Platforms on which a private chat has the id of its person."""


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
