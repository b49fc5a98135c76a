"""Summaries of topics

Revision: 0004, after 0003.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
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
        sa.ForeignKeyConstraint(
            ["topic_row"],
            ["summary_topics.row"],
            name=op.f("fk_summaries_topic_row"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_summaries")),
        sa.UniqueConstraint("topic_row", "number", name=op.f("uq_summaries_topic_row_number")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "summary_citations",
        sa.Column("summary_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Text(), nullable=False),
        sa.Column("passage_id", sa.Text(), nullable=True),
        sa.Column("section", sa.JSON(), nullable=True),
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
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.PrimaryKeyConstraint("summary_id", "position", name=op.f("pk_summary_citations")),
    )
    op.create_index(op.f("ix_summary_citations_version_id"), "summary_citations", ["version_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_summary_citations_version_id"), table_name="summary_citations")
    op.drop_table("summary_citations")
    op.drop_table("summaries")
    op.drop_table("summary_topic_collections")
    op.drop_table("summary_topics")
