"""Fixtures that several areas share."""

from collections.abc import Iterator

import pytest

from tests.support.databases import postgresql_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """URL of a PostgreSQL server that lives as long as the test run."""
    with postgresql_server() as server:
        yield server
