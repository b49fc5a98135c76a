"""Question sets that hold no words of the documents, and what people judged of what a search found."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sealed import SETS, Letters
from core.evidence.skeleton import skeleton
from training.judging import collected, write_sheets
from training.rows import Row, digest_of

PAGE = "Wir wollen den Mindest-\nlohn auf 15 Euro erhöhen.\n12\nDas gilt auch für „Jüngere“."


def test_a_quote_comes_back_from_its_page_and_from_no_other() -> None:
    sealed = Letters(PAGE).seal("den Mindestlohn auf 15 Euro erhöhen")
    assert sealed is not None
    assert Letters(PAGE).opened(**_keys(sealed)) == "den Mindest- lohn auf 15 Euro erhöhen."
    assert Letters(PAGE.replace("15", "16")).opened(**_keys(sealed)) is None


def test_what_does_not_stand_on_the_page_is_not_sealed() -> None:
    assert Letters(PAGE).seal("den Mindestlohn auf 16 Euro erhöhen") is None
    assert Letters(PAGE).seal("...") is None


@given(st.text(alphabet="abcäß 12.-\n", min_size=1, max_size=60), st.data())
def test_whatever_is_sealed_is_opened_with_the_same_letters(page: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(page) - 1))
    quote = page[start : data.draw(st.integers(start + 1, len(page)))]
    sealed = Letters(page).seal(quote)
    if sealed is None:
        assert not skeleton(quote)
        return
    opened = Letters(page).opened(**_keys(sealed))
    assert opened is not None
    assert skeleton(quote) in skeleton(opened)


@pytest.mark.parametrize("file", sorted(SETS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_sets_in_the_repository_hold_no_words_of_documents(file: Path) -> None:
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        assert all(set(gold) == {"file", "page", "letters", "digest"} for gold in row["gold"])
        assert row["answerable"] == bool(row["gold"])


def test_judgements_name_stretches_by_their_digests(tmp_path: Path) -> None:
    rows = [{"id": "q1", "question": "Lohn?", "read": [_read("zwölf"), _read("fünfzehn"), _read("zwölf")]}]
    assert write_sheets(rows, {}, tmp_path, 50) == 1
    sheet = (tmp_path / "00.txt").read_text("utf-8")
    right = next(line for line in sheet.splitlines() if "fünfzehn" in line)
    digits = ["0", "0"]
    digits[int(right[1])] = "4"
    (tmp_path / "00.labels").write_text(f"q1: {' '.join(digits)}\nq2: 0 0\nq1: 4\n", "utf-8")
    assert collected(rows, tmp_path) == [{"id": "q1", "judged": {digest_of("fünfzehn"): 4}}]


def test_what_is_judged_counts_and_what_nobody_judged_is_worth_nothing() -> None:
    read = [
        _read("gold", gold=True),
        _read("auch gut"),
        _read("halb"),
        _read("neu"),
        _read("nichts"),
    ]
    judged = {
        digest_of("gold"): 1,
        digest_of("auch gut"): 3,
        digest_of("halb"): 2,
        digest_of("nichts"): 0,
    }
    row = Row(
        {
            "id": "q",
            "question": "?",
            "answerable": True,
            "gold": [{"file": "a.pdf"}],
            "passages": [],
            "sentences": [],
            "read": read,
        },
        judged,
    )
    assert [(each.text, each.worth) for each in row.read] == [
        ("gold", 0.5),
        ("auch gut", 0.7),
        ("halb", 0.15),
        ("neu", 0.0),
        ("nichts", 0.0),
    ]


def _keys(sealed: dict[str, object]) -> dict[str, object]:
    return {"letters": sealed["letters"], "wanted": sealed["digest"]}


def _read(text: str, *, gold: bool = False) -> dict[str, object]:
    return {"text": text, "gold": gold}
