"""Public links to cited pages

Revision: 0021, after 0020.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "page_links",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("citation", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_page_links_digest")),
    )
    op.create_index(op.f("ix_page_links_given_at"), "page_links", ["given_at"])
