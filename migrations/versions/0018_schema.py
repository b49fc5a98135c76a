"""The whole schema as it was when steps began to be kept; those before it were of unreleased versions

Revision: 0018, the first.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("question", sa.Text(), nullable=True),
        sa.Column("texts", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("reported", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("trace", name=op.f("pk_answers")),
    )
    op.create_index(op.f("ix_answers_at"), "answers", ["at"])
    op.create_index(op.f("ix_answers_person"), "answers", ["person"])
    op.create_table(
        "audit",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_at"), "audit", ["at"])
    op.create_table(
        "chat_states",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=True),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("corrections", sa.Boolean(), nullable=False),
        sa.Column("files", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "chat", name=op.f("pk_chat_states")),
    )
    op.create_table(
        "derivations",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("source_section", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_derivations")),
    )
    op.create_table(
        "documents",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=True),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("doc_type", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=True),
        sa.Column("valid_to", sa.Date(), nullable=True),
        sa.Column("series", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("aliases", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("max_pages", sa.Integer(), nullable=True),
        sa.Column("derived_from", sa.Text(), nullable=True),
        sa.Column("amends", sa.Text(), nullable=True),
        sa.Column("source_uri", sa.Text(), nullable=True),
        sa.Column("mirrors", sa.JSON(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    op.create_index(
        "uq_documents_collection_key_active",
        "documents",
        ["collection", "key"],
        unique=True,
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    )
    op.create_table(
        "feedback",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_feedback")),
        sa.UniqueConstraint("trace", "person", name=op.f("uq_feedback_trace_person")),
    )
    op.create_index(op.f("ix_feedback_at"), "feedback", ["at"])
    op.create_index(op.f("ix_feedback_person"), "feedback", ["person"])
    op.create_table(
        "governments",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_governments")),
    )
    op.create_table(
        "inbox",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claims", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_inbox")),
        sa.UniqueConstraint("platform", "workspace", "event", name=op.f("uq_inbox_platform_workspace_event")),
    )
    op.create_index(op.f("ix_inbox_person"), "inbox", ["person"])
    op.create_index(
        op.f("ix_inbox_platform_workspace_chat_turn"), "inbox", ["platform", "workspace", "chat", "turn"]
    )
    op.create_index(op.f("ix_inbox_state_changed_at"), "inbox", ["state", "changed_at"])
    op.create_index(op.f("ix_inbox_turn"), "inbox", ["turn"])
    op.create_index(
        "uq_inbox_working",
        "inbox",
        ["platform", "workspace", "chat"],
        unique=True,
        sqlite_where=sa.text("state = 'working'"),
        postgresql_where=sa.text("state = 'working'"),
    )
    op.create_table(
        "jurisdictions",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_jurisdictions")),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "library_id",
        sa.Column("row", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("generation", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_library_id")),
    )
    op.create_table(
        "manifests",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("collections", sa.JSON(), nullable=False),
        sa.Column("stated", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_manifests")),
    )
    op.create_table(
        "outbox",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("trace", sa.Text(), nullable=True),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claims", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("message_ids", sa.JSON(), nullable=False),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    op.create_index(op.f("ix_outbox_person"), "outbox", ["person"])
    op.create_index(op.f("ix_outbox_platform_state_workspace"), "outbox", ["platform", "state", "workspace"])
    op.create_index(op.f("ix_outbox_reply"), "outbox", ["reply"])
    op.create_index(op.f("ix_outbox_state_changed_at"), "outbox", ["state", "changed_at"])
    op.create_table(
        "parties",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("jurisdictions", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_parties")),
    )
    op.create_table(
        "platform_cursors",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("cursor", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", name=op.f("pk_platform_cursors")),
    )
    op.create_table(
        "posted",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("posted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_posted")),
    )
    op.create_index(
        op.f("ix_posted_platform_workspace_chat_message"),
        "posted",
        ["platform", "workspace", "chat", "message"],
    )
    op.create_index(op.f("ix_posted_posted_at"), "posted", ["posted_at"])
    op.create_index(op.f("ix_posted_trace"), "posted", ["trace"])
    op.create_table(
        "privacy_notices",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_privacy_notices")),
    )
    op.create_table(
        "pseudonym_keys",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_pseudonym_keys")),
    )
    op.create_table(
        "registered_documents",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=True),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("doc_type", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=True),
        sa.Column("valid_to", sa.Date(), nullable=True),
        sa.Column("series", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("aliases", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("max_pages", sa.Integer(), nullable=True),
        sa.Column("derived_from", sa.Text(), nullable=True),
        sa.Column("amends", sa.Text(), nullable=True),
        sa.Column("source_uri", sa.Text(), nullable=True),
        sa.Column("mirrors", sa.JSON(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_registered_documents")),
        sa.UniqueConstraint("collection", "key", name=op.f("uq_registered_documents_collection_key")),
    )
    op.create_table(
        "sources",
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("next_run", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_reason", sa.Text(), nullable=True),
        sa.Column("held_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_sha256", sa.Text(), nullable=True),
        sa.Column("held_original", sa.Text(), nullable=True),
        sa.Column("held_values", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("approved", sa.Boolean(), nullable=False),
        sa.Column("dismissed", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("document", name=op.f("pk_sources")),
    )
    op.create_table(
        "summary_topics",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scope", sa.JSON(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_summary_topics")),
        sa.UniqueConstraint("key", name=op.f("uq_summary_topics_key")),
    )
    op.create_table(
        "thread_contexts",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "platform", "workspace", "chat", "thread", "scope", name=op.f("pk_thread_contexts")
        ),
    )
    op.create_index(op.f("ix_thread_contexts_expires_at"), "thread_contexts", ["expires_at"])
    op.create_index(op.f("ix_thread_contexts_person"), "thread_contexts", ["person"])
    op.create_table(
        "upkeep",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("job", name=op.f("pk_upkeep")),
    )
    op.create_table(
        "watched_files",
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("folder", "path", name=op.f("pk_watched_files")),
    )
    op.create_table(
        "answer_versions",
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace"], ["answers.trace"], name=op.f("fk_answer_versions_trace"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace", "version", name=op.f("pk_answer_versions")),
    )
    op.create_index(op.f("ix_answer_versions_version"), "answer_versions", ["version"])
    op.create_table(
        "corrections",
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["trace"], ["answers.trace"], name=op.f("fk_corrections_trace"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace", "label", "version", "since", name=op.f("pk_corrections")),
    )
    op.create_index(op.f("ix_corrections_chat_at"), "corrections", ["chat", "at"])
    op.create_table(
        "summaries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("topic_row", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("scope", sa.JSON(), nullable=False),
        sa.Column("claims", sa.JSON(), nullable=False),
        sa.Column("missing", sa.JSON(), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.Column("rejected", sa.JSON(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("answerer", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["topic_row"], ["summary_topics.row"], name=op.f("fk_summaries_topic_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_summaries")),
        sa.UniqueConstraint("topic_row", "number", name=op.f("uq_summaries_topic_row_number")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_summaries_person"), "summaries", ["person"])
    op.create_table(
        "summary_topic_collections",
        sa.Column("topic_row", sa.Integer(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["topic_row"],
            ["summary_topics.row"],
            name=op.f("fk_summary_topic_collections_topic_row"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("topic_row", "collection", name=op.f("pk_summary_topic_collections")),
    )
    op.create_table(
        "versions",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("pipeline", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("seen_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("indexed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("original", sa.Text(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("pages_without_text", sa.Integer(), nullable=False),
        sa.Column("pages_ocr", sa.Integer(), nullable=False),
        sa.Column("hidden_characters", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name=op.f("fk_versions_document_id")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_versions")),
        sa.UniqueConstraint("id", name=op.f("uq_versions_id")),
    )
    op.create_index(op.f("ix_versions_document_id"), "versions", ["document_id"])
    op.create_index(op.f("ix_versions_sha256"), "versions", ["sha256"])
    op.create_index(
        "uq_versions_document_id_active",
        "versions",
        ["document_id"],
        unique=True,
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    )
    op.create_table(
        "cross_references",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=True),
        sa.Column("path", sa.JSON(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("instrument", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("target_path", sa.JSON(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_row"],
            ["versions.row"],
            name=op.f("fk_cross_references_version_row"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("version_row", "position", name=op.f("pk_cross_references")),
    )
    op.create_index(
        op.f("ix_cross_references_target_version_row"), "cross_references", ["target", "version_row"]
    )
    op.create_index(
        op.f("ix_cross_references_version_row_section"), "cross_references", ["version_row", "section"]
    )
    op.create_table(
        "pages",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("width", sa.Double(), nullable=False),
        sa.Column("height", sa.Double(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("text_source", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_row"], ["versions.row"], name=op.f("fk_pages_version_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version_row", "number", name=op.f("pk_pages")),
    )
    op.create_table(
        "passages",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("windows", sa.JSON(), nullable=False),
        sa.Column("section_id", sa.Text(), nullable=True),
        sa.Column("section_title", sa.Text(), nullable=True),
        sa.Column("section_path", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("section_hierarchy", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("picture", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("others", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["version_row"], ["versions.row"], name=op.f("fk_passages_version_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version_row", "ordinal", name=op.f("pk_passages")),
        sa.UniqueConstraint("id", name=op.f("uq_passages_id")),
    )
    op.create_index(op.f("ix_passages_version_row_section_id"), "passages", ["version_row", "section_id"])
    op.create_table(
        "recognised",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("recogniser", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_row"], ["versions.row"], name=op.f("fk_recognised_version_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version_row", name=op.f("pk_recognised")),
    )
    op.create_table(
        "summary_citations",
        sa.Column("summary_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Text(), nullable=False),
        sa.Column("passage_id", sa.Text(), nullable=True),
        sa.Column("passage_kind", sa.Text(), nullable=True),
        sa.Column("section", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("text_source", sa.Text(), nullable=False),
        sa.Column("printed_labels", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["summary_id"], ["summaries.id"], name=op.f("fk_summary_citations_summary_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["versions.id"],
            name=op.f("fk_summary_citations_version_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("summary_id", "position", name=op.f("pk_summary_citations")),
    )
    op.create_index(op.f("ix_summary_citations_version_id"), "summary_citations", ["version_id"])
