"""All tables of the product in one place, for migrations: importing their modules enters them here."""

from adapters.database import jobs_tables as jobs_tables
from adapters.database import journal_tables as journal_tables
from adapters.database import summary_tables as summary_tables
from adapters.database.tables import metadata as metadata
