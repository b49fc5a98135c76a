"""What several processes remember together: of chats, and requests over HTTP

Revision: 0024, after 0023.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

# Replies that wait name their files by keys, which processes of earlier versions cannot send.
compatible_from = "0024"


def upgrade() -> None:
    op.create_table(
        "http_requests",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("whose", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_http_requests")),
    )
    op.create_index(op.f("ix_http_requests_at"), "http_requests", ["at"])
    op.create_index(op.f("ix_http_requests_whose_at"), "http_requests", ["whose", "at"])
    op.create_table(
        "chat_memories",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "platform", "workspace", "chat", "what", "key", name=op.f("pk_chat_memories")
        ),
    )
    op.create_index(op.f("ix_chat_memories_person"), "chat_memories", ["person"])
    op.create_index(op.f("ix_chat_memories_expires_at"), "chat_memories", ["expires_at"])
