"""All services, as `bot.wiring.services` builds them."""

from dataclasses import dataclass

from bot.answers.comparisons import Comparisons
from bot.answers.questions import Questions
from bot.answers.records import Recorder
from bot.answers.references import References
from bot.answers.summaries import Summarising
from bot.answers.version_diff import VersionDiffs
from bot.library.audit import AuditTrail
from bot.library.documents import Documents
from bot.library.index_upkeep import IndexUpkeep
from bot.library.intake import Intake
from bot.library.lifecycle import DocumentLifecycle
from bot.library.publishing import Publishing
from bot.library.refreshing import Refresher
from bot.library.reindexing import Reindexing
from bot.library.scoping import Scoping
from bot.periodic import Supervisor
from bot.presentation.attachments import Attacher
from bot.presentation.presenter import Presenter
from bot.settings.tree import Settings
from core.answering.asker import Asker
from core.library.completeness import Completeness
from core.library.ingestion import Ingester
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.lifecycle import CorrectionLog, LifecycleLibrary
from core.search.searcher import Searcher


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that is wired; see `bot.wiring.services`."""

    settings: Settings
    library: LifecycleLibrary
    intake: Intake
    ingester: Ingester
    completeness: Completeness
    searcher: Searcher
    asker: Asker
    attacher: Attacher
    audit: AuditTrail
    questions: Questions
    documents: Documents
    references: References
    version_diffs: VersionDiffs
    comparisons: Comparisons
    summaries: Summarising
    scoping: Scoping
    presenter: Presenter
    publishing: Publishing
    sources: Refresher
    document_lifecycle: DocumentLifecycle
    corrections: CorrectionLog
    clock: Clock
    journal: Journal
    recorder: Recorder
    reindexing: Reindexing
    upkeep: IndexUpkeep
    supervisor: Supervisor
