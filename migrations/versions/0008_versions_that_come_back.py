"""Corrections: a quote is held against a version each time that becomes the active one

Revision: 0008, after 0007.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

KEY = "pk_corrections"
SINCE = "(SELECT versions.indexed_at FROM versions WHERE versions.id = corrections.version)"


def upgrade() -> None:
    op.add_column("corrections", sa.Column("since", sa.DateTime(timezone=True), nullable=True))
    op.execute(f"UPDATE corrections SET since = coalesce({SINCE}, at)")  # noqa: S608 - constants only
    with op.batch_alter_table("corrections") as table:
        table.alter_column("since", nullable=False, existing_type=sa.DateTime(timezone=True))
        table.drop_constraint(op.f(KEY), type_="primary")
        table.create_primary_key(op.f(KEY), ["trace", "label", "version", "since"])


def downgrade() -> None:
    """Of several rows on a version the last stays."""
    op.execute(
        "DELETE FROM corrections WHERE EXISTS (SELECT 1 FROM corrections AS other WHERE"
        " other.trace = corrections.trace AND other.label = corrections.label"
        " AND other.version = corrections.version AND other.since > corrections.since)"
    )
    with op.batch_alter_table("corrections") as table:
        table.drop_constraint(op.f(KEY), type_="primary")
        table.drop_column("since")
        table.create_primary_key(op.f(KEY), ["trace", "label", "version"])
