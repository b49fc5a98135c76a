"""What a person may write for a document in a command."""

import pytest

from bot.library.scoping import find_document
from core.domain.documents import DocumentType
from core.errors import Refused
from tests.support.library_examples import document

ACT = document("gg.pdf", title="Grundgesetz (Stand 2002)", doc_type=DocumentType.ACT, aliases=("Verfassung",))
RULES = document("gr.pdf", title="Gujarat Real Estate (General) Rules 2017", doc_type=DocumentType.RULES)
OTHER = document("ar.pdf", title="Gujarat Real Estate (Agreement) Rules 2017", doc_type=DocumentType.RULES)
DOCUMENTS = (ACT, RULES, OTHER)


@pytest.mark.parametrize("name", [ACT.id, "gg.pdf", "grundgesetz (stand 2002)", "GG", "gg", "Verfassung"])
def test_a_document_is_found_by_what_it_is_called(name: str) -> None:
    assert find_document(name, DOCUMENTS) is ACT


def test_what_several_are_called_means_none_of_them() -> None:
    with pytest.raises(Refused, match="there is no document Gujarat Real Estate Rules"):
        find_document("Gujarat Real Estate Rules", DOCUMENTS)


def test_a_title_of_one_is_no_alias_of_another() -> None:
    named = document("named.pdf", title="Verfassung")
    assert find_document("Verfassung", (*DOCUMENTS, named)) is named
