"""What a document is called beside its title

Revision: 0011, after 0010.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TABLES = ("documents", "registered_documents")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("aliases", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "aliases")
