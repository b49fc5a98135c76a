"""One pair of worker processes for all tests of the PDF adapter."""

import asyncio
from collections.abc import Iterator

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit


@pytest.fixture(scope="session")
def toolkit() -> Iterator[PyMuPdfToolkit]:
    kit = PyMuPdfToolkit()
    yield kit
    asyncio.run(kit.close())
