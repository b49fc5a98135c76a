"""Who said what of places and parties

Revision: 0013, after 0012. Until now the rows of all manifests were merged. Where they named one collection,
all rows are that one's; where they named several nobody can tell any more whose an alias is, and none is
taken for public: documents keep their parties and places by their bare names, and manifests that are watched
are read again.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

PUBLIC = "public"
WATCHED = "watched_files"

Rows = dict[str, list[dict[str, Any]]]

MANIFESTS = sa.table(
    "manifests",
    sa.column("position", sa.Integer()),
    sa.column("name", sa.Text()),
    sa.column("collections", sa.JSON()),
    sa.column("stated", sa.JSON()),
)
TABLES = {
    "jurisdictions": ("code", "name", "aliases", "parent"),
    "parties": ("name", "aliases", "members", "jurisdictions"),
    "governments": ("jurisdiction", "parties", "since", "until"),
    "derivations": ("document", "section", "source", "source_section"),
}
LISTS = {"aliases", "members", "jurisdictions", "parties"}
NAMED = ("collection", "jurisdiction", "parties")


def upgrade() -> None:
    op.create_table(
        "manifests",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("collections", sa.JSON(), nullable=False),
        sa.Column("stated", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_manifests")),
    )
    rows = {name: _read(name, columns, by="position") for name, columns in TABLES.items()}
    if not any(rows.values()):
        return
    listed = _read("registered_documents", NAMED, by="position")
    named = [*listed, *_read("documents", NAMED, by="id")]
    found = _manifests(rows, sorted({row["collection"] for row in listed}), named)
    if found:
        op.bulk_insert(MANIFESTS, [{"position": at, **row} for at, row in enumerate(found)])
    if len({row["collection"] for row in listed}) > 1:
        watched = sa.table(WATCHED, sa.column("path", sa.Text()))
        op.execute(watched.delete().where(watched.c.path.like("%.toml")))


def downgrade() -> None:
    op.drop_table("manifests")


def _manifests(rows: Rows, collections: list[str], named: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `manifests`: all rows for the one collection that can have said them, and bare names for the
    others' documents."""
    said: dict[str, list[dict[str, Any]]] = {}
    for row in named:
        said.setdefault(row["collection"], []).append(row)
    inner = [name for name in collections if name != PUBLIC]
    whole = collections if len(collections) == 1 else inner if len(inner) == 1 else []
    elsewhere = {
        party for name in said if name not in whole for row in said[name] for party in row["parties"]
    }
    of_whole = {party for name in whole for row in said.get(name, []) for party in row["parties"]}
    kept = [
        row  # a party without anything but its name that only others' documents name, a command has made
        for row in rows["parties"]
        if row["aliases"] or row["members"] or row["name"] in of_whole or row["name"] not in elsewhere
    ]
    found = []
    if whole:
        found.append({"name": "", "collections": whole, "stated": rows | {"parties": kept}})
    seen_there = {row["name"] for row in kept} if whole == [PUBLIC] else set()
    places_there = {row["code"] for row in rows["jurisdictions"]} if whole == [PUBLIC] else set()
    for name, documents in said.items():
        if name in whole:
            continue
        parties = {party for row in documents for party in row["parties"]} - seen_there
        places = {row["jurisdiction"] for row in documents} - places_there
        bare: Rows = {
            "jurisdictions": [
                row | {"aliases": []} for row in rows["jurisdictions"] if row["code"] in places
            ],
            "parties": [
                {"name": row["name"], "aliases": [], "members": [], "jurisdictions": []}
                for row in rows["parties"]
                if row["name"] in parties
            ],
        }
        if any(bare.values()):
            found.append({"name": f"[{name}]", "collections": [name], "stated": bare})
    return found


def _read(name: str, columns: tuple[str, ...], *, by: str) -> list[dict[str, Any]]:
    dated = {"since", "until"}
    table = sa.table(
        name,
        sa.column(by),
        *(
            sa.column(each, sa.JSON() if each in LISTS else sa.Date() if each in dated else sa.Text())
            for each in columns
        ),
    )
    query = sa.select(*(table.c[column] for column in columns)).order_by(table.c[by])
    return [
        {column: value.isoformat() if hasattr(value, "isoformat") else value for column, value in row.items()}
        for row in op.get_bind().execute(query).mappings()
    ]
