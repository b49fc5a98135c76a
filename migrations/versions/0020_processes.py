"""Several processes on one server: who has claimed what, who is at work, and what they share

Revision: 0020, after 0019.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("process", sa.Text(), nullable=True))
    op.add_column("inbox", sa.Column("stopped", sa.Text(), nullable=True))
    op.add_column("outbox", sa.Column("process", sa.Text(), nullable=True))
    op.create_table(
        "processes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_processes")),
    )
    op.create_table(
        "admissions",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("chat", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_admissions")),
    )
    op.create_index(op.f("ix_admissions_at"), "admissions", ["at"])
    op.create_index(op.f("ix_admissions_chat_at"), "admissions", ["chat", "at"])
    op.create_index(op.f("ix_admissions_person_at"), "admissions", ["person", "at"])
    op.create_table(
        "model_spending",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("usd", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_model_spending")),
    )
    op.create_table(
        "platform_calls",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("asker", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_platform_calls")),
    )
    op.create_index(op.f("ix_platform_calls_platform_done"), "platform_calls", ["platform", "done"])
