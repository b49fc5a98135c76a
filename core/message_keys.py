"""The keys of messages to people: errors and notices.

The type checker finds keys missing here; `tests/bot/test_texts.py` compares the keys with the texts of every
language. A new key takes an entry here and a text in `bot/presentation/locales/`.
"""

from typing import Literal

# fmt: off
ToldKey = Literal[
    "chat.cannot_delete", "chat.forbidden", "chat.gone", "chat.unknown", "database.full", "database.older",
    "disk.full", "disk.unwritable", "document.ambiguous", "document.unknown", "file.bomb", "file.broken",
    "file.empty", "file.infected", "file.needs_office", "file.not_scanned", "file.too_large",
    "file.too_slow", "guard.audience", "guard.chat", "guard.exposure", "guard.role",
    "info.empty", "info.too_long", "ingest.failed", "job.no_schedule", "job.nothing_held",
    "limit.chat_minute", "limit.day", "limit.subscriptions", "limit.own_subscriptions",
    "limit.user_day", "limit.user_minute", "motion.file", "motion.no_demands", "motion.no_place",
    "page.unknown", "pages.unreadable", "pdf.broken", "pdf.encrypted", "pdf.no_text", "pdf.not_a_pdf",
    "pdf.too_large", "pdf.too_slow", "platform.busy", "platform.unreachable", "publish.already",
    "publish.none", "references.no_section", "restore.over", "scope.compare_both", "scope.compare_few",
    "scope.compare_topic", "scope.motion_nobody", "scope.unknown_collection", "scope.unknown_jurisdiction",
    "scope.unknown_party",
    "scope.unknown_type", "staff.which", "summary.ambiguous", "summary.unknown", "text.too_large",
    "text.too_slow", "upload.date", "upload.elsewhere", "upload.field", "upload.gone", "upload.no_number",
    "upload.nowhere", "upload.refused", "upload.too_large", "verify.too_long", "verify.too_many_parts",
    "verify.too_slow", "why.unknown",
]
# fmt: on
"""Keys of errors that are shown to the person asking in their language."""

# fmt: off
DetailKey = Literal[
    "answerer.no_model", "backup.damaged", "backup.exists", "backup.missing", "backup.newer",
    "backup.not_empty", "backup.unfinished", "backup.unreadable", "batch.bad_line", "batch.bad_value",
    "batch.missing_key", "batch.unreadable", "call.invalid",
    "chat.left", "chat.moved", "chat.rejected", "chat.too_large", "chat.topic_gone", "clock.wrong",
    "database.busy", "database.cannot_open", "database.conflict", "database.corrupt", "database.disk",
    "database.failed", "database.half_moved", "database.lost", "database.moved", "database.newer",
    "database.no_migrations", "database.other_library",
    "database.refused", "database.too_old", "database.unavailable", "database.url", "delivery.chat_open",
    "delivery.interrupted", "delivery.not_entitled", "delivery.unknown", "demo.missing",
    "document.no_version", "document.outdated", "embedding.failed", "embedding.model_missing",
    "embedding.model_unreadable", "embedding.models_folder", "file.lost", "file.missing", "file.not_text",
    "file.unreadable", "file.unseen", "file.unsupported", "files.denied", "files.failed", "files.moved",
    "files.no_bucket", "files.other_library", "files.transfer", "files.unreachable", "files.url",
    "index.busy", "index.ca_file", "index.closed",
    "index.damaged", "index.denied", "index.dimension", "index.failed", "index.in_use",
    "index.moved", "index.optimise", "index.storage", "index.unreachable", "index.version",
    "key.damaged", "key.missing", "key.open", "key.other", "key.unusable",
    "letters.unknown", "library.closed", "library.in_a_loop", "library.none", "library.page_lost",
    "library.version_unknown", "link.limit", "link.unknown", "manifest.invalid", "manifest.missing",
    "model.broken_off", "model.budget", "model.budget_busy", "model.budget_file", "model.busy",
    "model.declined", "model.empty", "model.failed", "model.key", "model.missing", "model.none",
    "model.not_approved", "model.package", "model.price_unknown", "model.request", "model.timeout",
    "model.too_long", "model.unpaid", "model.unreachable", "model.unusable", "move.differs",
    "move.left", "move.not_empty", "move.nothing", "move.other", "move.same", "move.under_way",
    "ocr.failed", "ocr.language_missing", "ocr.missing", "ocr.too_slow",
    "out.unwritable", "pdf.empty", "pdf.no_reader", "pdf.no_such_page", "pdf.portfolio", "pdf.xfa",
    "person.id", "platform.conflict",
    "platform.failed", "platform.not_configured", "platform.outdated", "platform.permission",
    "platform.starting", "platform.store", "platform.token", "platform.uncertain", "platform.unexpected",
    "plugin.missing", "plugin.unusable",
    "publish.failed", "questions.invalid", "registry.contradiction",
    "rerank.timeout",
    "scanner.down", "schedule.invalid", "serve.already", "serve.no_platform",
    "serve.other_settings", "serve.port", "serve.role", "serve.taken_over", "settings.data",
    "settings.exists", "settings.invalid", "settings.missing", "settings.unreadable",
    "source.held", "source.refused", "source.unexpected", "text.no_cutter",
    "request.busy", "request.source",
    "token.collection", "token.guessing", "token.invalid", "token.limit", "token.missing", "token.name",
    "token.role", "token.unknown",
    "url.address",
    "url.certificate", "url.credentials", "url.encoding", "url.invalid", "url.name_service", "url.port",
    "url.redirects", "url.robots", "url.robots_unknown", "url.scheme", "url.server", "url.status",
    "url.timeout", "url.too_large", "url.unknown_host", "url.unreachable", "variant.invalid",
    "watch.missing", "watch.unreadable",
]
# fmt: on
"""Keys of errors that are shown by their English detail: those for operators, and those only a terminal can
cause."""

ErrorKey = ToldKey | DetailKey

# fmt: off
NoticeKey = Literal[
    "info.bye", "info.distress.emergency", "info.distress.suicide", "info.distress.violence",
    "info.errand", "info.examples", "info.greeting", "info.help", "info.insult", "info.thanks",
    "info.voting_advice",
    "notice.amended", "notice.amended_provision", "notice.claimed_similar", "notice.claimed_unknown",
    "notice.compared_elsewhere", "notice.compared_newest", "notice.compared_no_year", "notice.compared_older",
    "notice.compared_without_older", "notice.compared_without_year",
    "notice.compare_picture", "notice.cross_reference", "notice.filtered", "notice.group_silent",
    "notice.from_above", "notice.only_from_above",
    "notice.low_confidence", "notice.model_abstained", "notice.model_budget", "notice.model_not_approved",
    "notice.model_unavailable", "notice.model_unverified", "notice.named_elsewhere",
    "notice.no_longer_in_force",
    "notice.no_place_asked", "notice.not_in_force_yet", "notice.ocr_source", "notice.of_alliance",
    "notice.members_unquoted", "notice.of_members", "notice.of_places", "notice.one_side_only",
    "notice.others_too", "notice.outside_filter",
    "notice.pages.cut_off", "notice.pages.unreadable",
    "notice.personal_data", "notice.personal_data.models", "notice.personal_data.records",
    "notice.only_marked", "notice.provision_goes_on", "notice.quoted_alone", "notice.rebuilding",
    "notice.replaced_edition",
    "notice.several_places",
    "notice.side_by_side",
    "notice.stance.asked", "notice.stance.nobody", "notice.stance.opposite", "notice.stance.silent",
    "notice.stance.unknown", "notice.stance.untold",
    "notice.superseded_edition", "notice.text_changed", "notice.translated", "notice.unconfirmed",
    "notice.understood_as", "notice.unproven", "notice.words_elsewhere",
]
# fmt: on
"""Keys of notices shown with an answer or instead of one."""
