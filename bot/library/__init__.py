"""Use cases of documents: intake, publishing, lifecycle, sources, watched folders, the audit trail.

What people name, from places to documents, becomes a scope here or is refused with suggestions.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.library import audit, scoping, sources, upkeep
    from bot.library.documents import Documents
    from bot.library.intake import IngestOptions, Intake
    from bot.library.lifecycle import DocumentLifecycle
else:
    __getattr__ = late(__name__, __file__)

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
