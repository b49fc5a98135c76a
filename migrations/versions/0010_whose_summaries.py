"""Summaries: whose they are, as a pseudonym, so that who wrote a topic can have it forgotten

Revision: 0010, after 0009.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("summaries", sa.Column("person", sa.Text(), nullable=True))
    op.create_index("ix_summaries_person", "summaries", ["person"])


def downgrade() -> None:
    op.drop_index("ix_summaries_person", table_name="summaries")
    op.drop_column("summaries", "person")
