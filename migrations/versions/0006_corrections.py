"""Corrections of posted answers, and documents that are withdrawn before they are deleted

Revision: 0006, after 0005.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "corrections",
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["trace"], ["answers.trace"], name=op.f("fk_corrections_trace"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace", "label", "version", name=op.f("pk_corrections")),
    )
    op.create_index(op.f("ix_corrections_chat_at"), "corrections", ["chat", "at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_corrections_chat_at"), table_name="corrections")
    op.drop_table("corrections")
    op.drop_column("documents", "withdrawn_at")
