"""Which key the pseudonyms are made with

Revision: 0014, after 0013. A key is known by a fingerprint; the first process that has one enters it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pseudonym_keys",
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_pseudonym_keys")),
    )


def downgrade() -> None:
    op.drop_table("pseudonym_keys")
