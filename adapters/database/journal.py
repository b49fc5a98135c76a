"""The `Journal` port on SQL, in the library's database. One method, one transaction."""

from adapters.database.database import Database
from adapters.database.journal_answers import SqlAnswers
from adapters.database.journal_chats import SqlChats
from adapters.database.journal_inbox import SqlInbox
from adapters.database.journal_outbox import SqlOutbox
from adapters.database.journal_people import SqlPeople
from core.domain.journal import Pseudonyms


class SqlJournal(SqlInbox, SqlOutbox, SqlAnswers, SqlChats, SqlPeople):
    """Inbox, outbox, records of answers and chats in an open database."""

    def __init__(self, database: Database, pseudonyms: Pseudonyms) -> None:
        self._database = database
        self._pseudonyms = pseudonyms

    async def close(self) -> None:
        """Release the connections; may be called twice."""
        await self._database.close()
