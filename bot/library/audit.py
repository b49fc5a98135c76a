"""Who did what: entries of those who work in a shell, and all entries for people to read.

Entries refer to people by pseudonym. Their names are worked out for display, from the settings and the
system's users, and stored nowhere.
"""

import getpass
import os
import pwd
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.presentation.views.records import AuditEntryView
from bot.settings.tree import Settings
from core.domain.documents import Document
from core.domain.ids import DocumentId
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.journal import AuditAction, AuditEntry, Pseudonym, Pseudonyms
from core.domain.records import Person
from core.library.sources import ScheduledSource
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.library import Library

CHANGED = (IngestStatus.INDEXED, IngestStatus.UPDATED)
SHELL = "shell"
"""The platform of command-line users; the console chat is separate."""


def shell_user() -> str:
    """The operating system's user name for this process, or the number if there is no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """Records what people do to documents. `key_since`: earlier pseudonyms were made with another key, and
    identify nobody."""

    journal: Journal
    library: Library
    clock: Clock
    key_since: datetime | None = None

    async def noted(
        self,
        action: AuditAction,
        document: Document | ScheduledSource,
        *,
        actor: Pseudonym | None = None,
        **values: str,
    ) -> None:
        """Record that `actor` (None: the user of this shell) did something to a document."""
        await self._note(action, document.id, {"collection": document.collection, **values}, actor)

    async def noted_request(self, action: AuditAction, person: Person, rows: int) -> None:
        """Record that somebody's request was fulfilled, and how much it concerned; not whose it was."""
        await self._note(action, "person", {"platform": person.platform, "rows": str(rows)})

    async def noted_setting(self, subject: str, **values: str) -> None:
        """Record that the user of this shell changed a setting."""
        await self._note(AuditAction.SETTING, subject, values)

    async def _note(
        self, action: AuditAction, subject: str, values: dict[str, str], actor: Pseudonym | None = None
    ) -> None:
        by = actor or self.journal.pseudonyms.person(SHELL, "", shell_user())
        entry = AuditEntry(at=self.clock.now(), actor=by, action=action, subject=subject, values=values)
        await self.journal.audit(entry)

    async def ingested(self, receipt: IngestReceipt, *, actor: Pseudonym | None = None) -> None:
        """Record that a file was ingested; one that changed nothing leaves no entry."""
        document = await self.library.document(receipt.document) if receipt.document else None
        if receipt.status in CHANGED and document is not None:
            await self.noted(AuditAction.INGEST, document, actor=actor, status=receipt.status.value)


def known_people(settings: Settings, pseudonyms: Pseudonyms) -> dict[Pseudonym, str]:
    """The pseudonyms of people with a role in the settings, of the system's users, and of the console."""
    workspaces = {chat.id.partition("/")[0] for chat in settings.chat if chat.platform == "slack"}
    people = {(SHELL, "", name) for name in (*(row.pw_name for row in pwd.getpwall()), shell_user())}
    people.add(("console", "", "console"))
    for row in settings.role:
        workspace, _, user = row.user.rpartition("/") if row.platform == "slack" else ("", "", row.user)
        inside = (workspace,) if workspace or row.platform != "slack" else sorted(workspaces)
        people |= {(row.platform, each, user) for each in inside}
    return {pseudonyms.person(*each): f"{each[0]}:{each[2]}" for each in sorted(people)}


async def titled(entries: list[AuditEntry], library: Library) -> dict[str, str]:
    """Titles of the documents that entries are about, by id."""
    found = [await library.document(DocumentId(name)) for name in {entry.subject for entry in entries}]
    return {document.id: document.fields.title for document in found if document}


def entry_view(
    entry: AuditEntry, people: Mapping[Pseudonym, str], titles: Mapping[str, str]
) -> AuditEntryView:
    """An entry with the names that are known."""
    return AuditEntryView.showing(entry, name=people.get(entry.actor), title=titles.get(entry.subject))
