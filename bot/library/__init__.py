"""Use cases of documents: intake, publishing, lifecycle, sources, watched folders, the audit trail.

What people name, from places to documents, becomes a scope here or is refused with suggestions.
"""

from bot.library import audit, scoping, sources, upkeep
from bot.library.documents import Documents
from bot.library.intake import IngestOptions, Intake
from bot.library.lifecycle import DocumentLifecycle

__all__ = [
    "DocumentLifecycle",
    "Documents",
    "IngestOptions",
    "Intake",
    "audit",
    "scoping",
    "sources",
    "upkeep",
]
