"""What a receipt says: of pages that were recognised or could not be, of a document's names."""

from dataclasses import replace

import pytest

from bot.chat.receipts import Receipts, called, field_words
from bot.presentation.escaping import WORD_JOINER
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from core.domain.documents import Document, DocumentFields, DocumentType
from core.domain.ids import DocumentId
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.registry import Registry


def worth_saying(*warnings: str) -> list[str]:
    return IngestReceipt(file="a.pdf", status=IngestStatus.INDEXED, warnings=warnings).notable_warnings


@pytest.mark.parametrize("told", ["ocr.unsure:2", "ocr.failed:2", "ocr.missing:2", "ocr.language_missing:2"])
def test_pages_that_recognition_was_tried_on_are_told_once(told: str) -> None:
    assert worth_saying(told, "pages.scan:2", "pages.cut_off:1") == [told, "pages.cut_off:1"]


def test_pages_that_nobody_tried_are_told() -> None:
    found = ("ocr.read:3", "pages.garbled:1")
    assert worth_saying(*found) == list(found)


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_a_language_without_a_name_is_not_told(language: str) -> None:
    texts, presenter = Texts(language), Presenter(Registry())
    fields = DocumentFields(title="Notes", language="lb")
    assert field_words(fields, texts, presenter) == ""
    assert (
        field_words(replace(fields, language="fr"), texts, presenter).lower() == texts("language.fr").lower()
    )
    assert field_words(fields, texts, presenter, only=("language",)) == "Lb"


@pytest.mark.parametrize(
    ("title", "kind", "aliases", "names"),
    [
        ("Water Transport (Licensing and Safety) Act 2021", DocumentType.ACT, ("Ferry Law",), "Ferry Law"),
        ("Water Transport (Licensing and Safety) Act 2021", DocumentType.ACT, (), "WTLA"),
    ],
)
def test_a_receipt_shows_the_short_names_of_a_statute(
    title: str, kind: DocumentType, aliases: tuple[str, ...], names: str
) -> None:
    fields = DocumentFields(title=title, language="en", doc_type=kind, aliases=aliases)
    document = Document(id=DocumentId("d"), collection="public", key="a", file="a.pdf", fields=fields)
    assert names in called(document)
    programme = replace(document, fields=replace(fields, doc_type=DocumentType.MANIFESTO))
    assert called(programme) == aliases


@pytest.mark.parametrize("language", ["de", "en", "fr"])
@pytest.mark.parametrize("key", ["public_older", "public_same", "public_other"])
def test_no_answer_is_not_counted(language: str, key: str) -> None:
    texts = Texts(language)
    assert "0" not in texts(f"upload.{key}", title="Plan", date="-", count=0)
    assert "2" in texts(f"upload.{key}", title="Plan", date="-", count=2)


def test_a_reason_that_names_the_file_names_it_once() -> None:
    texts = Texts("de")
    receipts = object.__new__(Receipts)
    why = texts("upload.gone", name="nope.pdf")
    assert str(receipts.not_fetched("nope.pdf", why, texts).whole) == why
    assert "nope.pdf" in str(
        receipts.not_fetched("nope.pdf", texts("upload.same_name"), texts).whole
    ).replace(WORD_JOINER, "")
