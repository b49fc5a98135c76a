"""What a receipt says of pages that were recognised, or could not be."""

import pytest

from core.domain.ingestion import IngestReceipt, IngestStatus


def worth_saying(*warnings: str) -> list[str]:
    return IngestReceipt(file="a.pdf", status=IngestStatus.INDEXED, warnings=warnings).notable_warnings


@pytest.mark.parametrize("told", ["ocr.unsure:2", "ocr.failed:2", "ocr.missing:2", "ocr.language_missing:2"])
def test_pages_that_recognition_was_tried_on_are_told_once(told: str) -> None:
    assert worth_saying(told, "pages.scan:2", "pages.cut_off:1") == [told, "pages.cut_off:1"]


def test_pages_that_nobody_tried_are_told() -> None:
    found = ("ocr.read:3", "pages.garbled:1")
    assert worth_saying(*found) == list(found)
