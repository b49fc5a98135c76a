"""Number and title of a provision in the list of sources: the title does not say the number again."""

import pytest

from bot.presentation.phrases import provision_label
from core.domain.passages import Section


@pytest.mark.parametrize(
    ("section", "title", "label"),
    [
        ("section:19", "Rights of allottees", "Section 19 · Rights of allottees"),
        ("question:27", "27. When may it begin?", "Question 27 · When may it begin?"),
        ("annex:a", "ANNEXURE ‘A’", "Annex A"),
        ("annex:a", "Annexure A: Form of the agreement", "Annex A · Annexure A: Form of the agreement"),
        ("section:20", "20 per cent", "Section 20 · 20 per cent"),
        ("section:4", "", "Section 4"),
    ],
)
def test_a_title_adds_to_the_number(section: str, title: str | None, label: str) -> None:
    assert provision_label(Section(id=section, title=title), "en") == label
