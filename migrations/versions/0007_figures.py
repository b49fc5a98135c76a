"""The picture that a passage names, and what a summary's quotes stand in

Revision: 0007, after 0006.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("passages", sa.Column("picture", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("summary_citations", sa.Column("passage_kind", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("summary_citations", "passage_kind")
    op.drop_column("passages", "picture")
