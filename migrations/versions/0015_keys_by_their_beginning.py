"""Keys of the outbox are found by their beginning, what is open there by its state, the last turn by an index

Revision: 0015, after 0014.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_inbox_turn"), "inbox", ["turn"])
    op.create_index(op.f("ix_outbox_platform_state_workspace"), "outbox", ["platform", "state", "workspace"])
    op.drop_index(op.f("ix_outbox_platform_workspace_state"), table_name="outbox")
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("outbox", "key", type_=sa.Text(collation="C"))


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("outbox", "key", type_=sa.Text(collation="default"))
    op.create_index(op.f("ix_outbox_platform_workspace_state"), "outbox", ["platform", "workspace", "state"])
    op.drop_index(op.f("ix_outbox_platform_state_workspace"), table_name="outbox")
    op.drop_index(op.f("ix_inbox_turn"), table_name="inbox")
