"""${message}

Revision: ${up_revision}, after: ${down_revision | comma,n}
"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None

compatible_from = ${repr(up_revision)}
# the oldest schema whose processes keep working: CONTRIBUTING.md, Migrations


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
