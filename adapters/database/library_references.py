"""References between sections, as the recogniser found them in each version."""

from collections.abc import Sequence

import sqlalchemy as sa

from adapters.database import mapping
from adapters.database.database import Database
from adapters.database.queries import (
    AT_ONCE,
    RECOGNISED,
    REFERENCES,
    VERSIONS,
    beside,
    insert_all,
    recognised_by,
    references_with_version,
)
from core.domain.documents import VersionStatus
from core.domain.ids import VersionId
from core.domain.references import Reference


class SqlLibraryReferences:
    """Keeps references and finds them from either end."""

    _database: Database

    async def save_references(
        self, version: VersionId, references: Sequence[Reference], *, recogniser: int
    ) -> None:
        """Replace the references of a version; nothing happens if it is not there or was deleted."""
        async with self._database.write() as connection:
            known = VERSIONS.c.id == version, VERSIONS.c.status != VersionStatus.DELETED
            row = (await connection.execute(sa.select(VERSIONS.c.row).where(*known))).scalar_one_or_none()
            if row is None:
                return
            for table in (REFERENCES, RECOGNISED):
                await connection.execute(table.delete().where(table.c.version_row == row))
            rows = [
                {"version_row": row, "position": position, **mapping.reference_values(reference)}
                for position, reference in enumerate(references)
            ]
            await insert_all(connection, REFERENCES, rows)
            await insert_all(connection, RECOGNISED, [{"version_row": row, "recogniser": recogniser}])

    async def unrecognised(self, versions: Sequence[VersionId], *, recogniser: int) -> list[VersionId]:
        """Those of `versions` whose references `recogniser` has not looked for yet."""
        done: set[str] = set()
        async with self._database.read() as connection:
            for start in range(0, len(versions), AT_ONCE):
                some = versions[start : start + AT_ONCE]
                query = recognised_by(recogniser).where(VERSIONS.c.id.in_(some))
                done.update((await connection.execute(query)).scalars())
        return [version for version in versions if version not in done]

    async def references_from(
        self, versions: Sequence[VersionId], section: str | None = None
    ) -> list[Reference]:
        """References that stand in `versions`, or only in their section with that id."""
        condition = sa.true() if section is None else REFERENCES.c.section == section
        return await self._references(versions, condition)

    async def references_to(self, versions: Sequence[VersionId], sections: Sequence[str]) -> list[Reference]:
        """References in `versions` that name one of `sections`, of whichever document."""
        return await self._references(versions, REFERENCES.c.target.in_(sections))

    async def _references(
        self, versions: Sequence[VersionId], condition: sa.ColumnElement[bool]
    ) -> list[Reference]:
        found: list[Reference] = []
        async with self._database.read() as connection:
            for start in range(0, len(versions), AT_ONCE):
                some = versions[start : start + AT_ONCE]
                query = references_with_version().where(VERSIONS.c.id.in_(some), condition)
                rows = (await connection.execute(query)).all()
                found += await beside(rows, mapping.to_reference)
        order = {version: number for number, version in enumerate(versions)}
        return sorted(found, key=lambda reference: order[reference.version])
