"""How often a message or a part of a reply was claimed: who ends it must have been the last to claim it

Revision: 0018, after 0017.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for box in ("inbox", "outbox"):
        op.add_column(box, sa.Column("claims", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for box in ("inbox", "outbox"):
        op.drop_column(box, "claims")
