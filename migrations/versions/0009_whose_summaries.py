"""Summaries: whose they are, as a pseudonym, so that who wrote a topic can have it forgotten

Revision: 0009, after 0008.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("summaries", sa.Column("person", sa.Text(), nullable=True))
    op.create_index("ix_summaries_person", "summaries", ["person"])


def downgrade() -> None:
    op.drop_index("ix_summaries_person", table_name="summaries")
    op.drop_column("summaries", "person")
