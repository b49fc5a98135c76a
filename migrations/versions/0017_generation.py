"""The library's generation: a number that every change of what can be asked raises

Revision: 0017, after 0016.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("library_id", sa.Column("generation", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("library_id", "generation")
