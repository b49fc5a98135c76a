import pytest

from core.domain.scope import Scope
from core.registry.detection import Detector
from core.search.unmentioned import unknown_abbreviations
from tests.support.search_world import EDITIONS, REGISTRY, TODAY, passage, world

NAMES = Detector(REGISTRY, [edition.document for edition in EDITIONS])
PUBLIC = Scope(collections=("public",))
SPD = next(item for item in EDITIONS if item.document.file == "SPD-2025-de")
TEXTS = ("Das UFG regelt Fähren.", "Wir fördern Kähne.")


@pytest.mark.parametrize(
    ("content", "texts", "expected"),
    [
        ("Was steht im XQG?", TEXTS, ["XQG"]),
        ("XQG?", TEXTS, ["XQG"]),
        ("Do XQVs pay?", TEXTS, ["XQV"]),
        ("Was steht in XqVO und XQG?", TEXTS, ["XqVO", "XQG"]),
        ("Was steht im UFG?", TEXTS, []),
        ("Was steht im UFG?", ("Die UFG-Reform kommt.",), []),
        ("What about XQT?", ("The Xylophone and Quay Tax is due.",), []),
        ("Was kostet ein LKW?", TEXTS, []),
        ("Was ist mit dem ÖPNV?", TEXTS, []),
        ("WAS WILL DIE XQG BEI FÄHREN?", TEXTS, []),
        ("Was ist mit der AfD?", TEXTS, []),
        ("Was ist mit Fähren?", TEXTS, []),
    ],
)
def test_abbreviations_that_nothing_knows(content: str, texts: tuple[str, ...], expected: list[str]) -> None:
    assert unknown_abbreviations(content, "de", texts, NAMES) == expected


@pytest.mark.parametrize(("word", "expected"), [("XQG", ("XQG",)), ("UFG", ())])
async def test_what_no_passage_in_scope_has_is_never_mentioned(word: str, expected: tuple[str, ...]) -> None:
    """However many passages come nearer to the question than the one that has the word."""
    texts = [*(f"Im Gesetz steht viel von Fährmann {n}." for n in range(40)), TEXTS[0]]
    searcher, _, _ = await world({SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(texts)]})
    found = await searcher.search(f"Was steht im Gesetz {word}?", scope=PUBLIC, today=TODAY, k=1)
    assert found.hits
    assert found.unmentioned == expected
