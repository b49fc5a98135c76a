"""Results as they are printed in JSON: a view for each kind, and the one encoder."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.presentation.views.answers import AnswerView, CheckView, SearchView
    from bot.presentation.views.documents import (
        CollectedView,
        FullDocumentView,
        PageTextView,
        PageView,
        RebuiltView,
        ReceiptView,
        RemovedDocumentView,
        RemovedView,
        ShownDocumentView,
        VersionDiffView,
    )
    from bot.presentation.views.encoding import (
        Figure,
        Joined,
        Json,
        Share,
        Text,
        View,
        encoded,
        lies_at,
        rounded,
    )
    from bot.presentation.views.problems import Failures, FailureView, problem
    from bot.presentation.views.records import (
        AuditEntryView,
        BackupView,
        CheckedBackupView,
        CheckedView,
        CorrectionRoundView,
        DeadLetterView,
        ErasureView,
        JobView,
        JudgedView,
        KeptView,
        PersonFileView,
        RecordView,
        ReferencesView,
        RegistryCheckView,
        RestoredBackupView,
    )
    from bot.presentation.views.reports import ListedSummaryView
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "AnswerView",
    "AuditEntryView",
    "BackupView",
    "CheckView",
    "CheckedBackupView",
    "CheckedView",
    "CollectedView",
    "CorrectionRoundView",
    "DeadLetterView",
    "ErasureView",
    "FailureView",
    "Failures",
    "Figure",
    "FullDocumentView",
    "JobView",
    "Joined",
    "Json",
    "JudgedView",
    "KeptView",
    "ListedSummaryView",
    "PageTextView",
    "PageView",
    "PersonFileView",
    "RebuiltView",
    "ReceiptView",
    "RecordView",
    "ReferencesView",
    "RegistryCheckView",
    "RemovedDocumentView",
    "RemovedView",
    "RestoredBackupView",
    "SearchView",
    "Share",
    "ShownDocumentView",
    "Text",
    "VersionDiffView",
    "View",
    "encoded",
    "lies_at",
    "problem",
    "rounded",
]
