"""Which processes can work with the database, which schema each process knows, and who made the index

Revision: 0023, after 0022.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

compatible_from = "0022"


def upgrade() -> None:
    op.add_column("alembic_version", sa.Column("compatible", sa.Text(), nullable=True))
    op.add_column("processes", sa.Column("schema_known", sa.Text(), nullable=True))
    op.create_table(
        "index_generations",
        sa.Column("encoders", sa.Text(), nullable=False),
        sa.Column("setting", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("encoders", name=op.f("pk_index_generations")),
    )
