"""Whose words a passage says

Revision: 0016, after 0015.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("passages", sa.Column("others", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("passages", "others")
