"""The id of the library, which its indexes carry

Revision: 0009, after 0008. The row is made when the library is first opened.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "library_id",
        sa.Column("row", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_library_id")),
    )


def downgrade() -> None:
    op.drop_table("library_id")
