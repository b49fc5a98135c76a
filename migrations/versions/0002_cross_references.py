"""Cross-references between provisions

Revision: 0002, after 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cross_references",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=True),
        sa.Column("path", sa.JSON(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("instrument", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("target_path", sa.JSON(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_row"],
            ["versions.row"],
            name=op.f("fk_cross_references_version_row"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("version_row", "position", name=op.f("pk_cross_references")),
    )
    op.create_index(
        op.f("ix_cross_references_target_version_row"), "cross_references", ["target", "version_row"]
    )
    op.create_index(
        op.f("ix_cross_references_version_row_section"), "cross_references", ["version_row", "section"]
    )
    op.create_table(
        "recognised",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("recogniser", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_row"], ["versions.row"], name=op.f("fk_recognised_version_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version_row", name=op.f("pk_recognised")),
    )


def downgrade() -> None:
    op.drop_table("recognised")
    op.drop_index(op.f("ix_cross_references_version_row_section"), table_name="cross_references")
    op.drop_index(op.f("ix_cross_references_target_version_row"), table_name="cross_references")

    op.drop_table("cross_references")
