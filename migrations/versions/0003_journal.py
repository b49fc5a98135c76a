"""The journal: inbox, outbox, answers, chats' settings, feedback, audit

Revision: 0003, after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
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
        sa.Column("texts", sa.JSON(), nullable=True),
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
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "chat", name=op.f("pk_chat_states")),
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
        "inbox",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
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
    op.create_index(
        "uq_inbox_working",
        "inbox",
        ["platform", "workspace", "chat"],
        unique=True,
        sqlite_where=sa.text("state = 'working'"),
        postgresql_where=sa.text("state = 'working'"),
    )
    op.create_table(
        "outbox",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("trace", sa.Text(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("message_ids", sa.JSON(), nullable=False),
        sa.Column("forgotten", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    op.create_index(op.f("ix_outbox_person"), "outbox", ["person"])
    op.create_index(op.f("ix_outbox_platform_workspace_state"), "outbox", ["platform", "workspace", "state"])
    op.create_index(op.f("ix_outbox_reply"), "outbox", ["reply"])
    op.create_index(op.f("ix_outbox_state_changed_at"), "outbox", ["state", "changed_at"])
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
        "answer_versions",
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace"], ["answers.trace"], name=op.f("fk_answer_versions_trace"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace", "version", name=op.f("pk_answer_versions")),
    )
    op.create_index(op.f("ix_answer_versions_version"), "answer_versions", ["version"])


def downgrade() -> None:
    op.drop_index(op.f("ix_answer_versions_version"), table_name="answer_versions")
    op.drop_table("answer_versions")
    op.drop_table("upkeep")
    op.drop_index(op.f("ix_thread_contexts_person"), table_name="thread_contexts")
    op.drop_index(op.f("ix_thread_contexts_expires_at"), table_name="thread_contexts")
    op.drop_table("thread_contexts")
    op.drop_table("privacy_notices")
    op.drop_index(op.f("ix_posted_trace"), table_name="posted")
    op.drop_index(op.f("ix_posted_posted_at"), table_name="posted")
    op.drop_index(op.f("ix_posted_platform_workspace_chat_message"), table_name="posted")
    op.drop_table("posted")
    op.drop_table("platform_cursors")
    op.drop_index(op.f("ix_outbox_state_changed_at"), table_name="outbox")
    op.drop_index(op.f("ix_outbox_reply"), table_name="outbox")
    op.drop_index(op.f("ix_outbox_platform_workspace_state"), table_name="outbox")
    op.drop_index(op.f("ix_outbox_person"), table_name="outbox")
    op.drop_table("outbox")
    op.drop_index("uq_inbox_working", table_name="inbox")
    op.drop_index(op.f("ix_inbox_state_changed_at"), table_name="inbox")
    op.drop_index(op.f("ix_inbox_platform_workspace_chat_turn"), table_name="inbox")
    op.drop_index(op.f("ix_inbox_person"), table_name="inbox")
    op.drop_table("inbox")
    op.drop_index(op.f("ix_feedback_person"), table_name="feedback")
    op.drop_index(op.f("ix_feedback_at"), table_name="feedback")
    op.drop_table("feedback")
    op.drop_table("chat_states")
    op.drop_index(op.f("ix_audit_at"), table_name="audit")
    op.drop_table("audit")
    op.drop_index(op.f("ix_answers_person"), table_name="answers")
    op.drop_index(op.f("ix_answers_at"), table_name="answers")
    op.drop_table("answers")
