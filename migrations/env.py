"""Run by Alembic with the connection that `adapters.database.migrate` hands over."""

from typing import Any, Literal

from alembic import context
from sqlalchemy.types import TypeDecorator

from adapters.database.tables import metadata


def render_item(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """Scripts show the plain type below a type of ours, so that they outlive it."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
