"""Which files a chat wants with an answer

Revision: 0012, after 0011.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chat_states", sa.Column("files", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("chat_states", "files")
