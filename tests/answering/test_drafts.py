import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.generated.drafts import MAX_CLAIMS, DraftClaim, read_draft

QUOTE = "Der Mindestlohn steigt auf 15 Taler."
CLAIM = DraftClaim(text="Es sind 15 Taler.", label="S1", quotes=(QUOTE,))
ROW = {"text": "Es sind 15 Taler.", "label": "S1", "quote": QUOTE}
WHOLE = json.dumps({"claims": [ROW], "answerable": True})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Gern:\n{WHOLE}\nBitte sehr.",
        json.dumps(
            {"claims": [{"text": ROW["text"], "labels": ["S1"], "quotes": [QUOTE]}], "answerable": True}
        ),
    ],
)
def test_json_in_any_dress(text: str) -> None:
    draft = read_draft(text)
    assert (draft.claims, draft.answerable) == ((CLAIM,), True)


def test_half_a_stream_keeps_whole_claims() -> None:
    text = json.dumps({"claims": [ROW, ROW | {"text": "Zweitens."}], "answerable": True})
    assert read_draft(text[: text.index("Zweitens")]).claims == (CLAIM,)


@pytest.mark.parametrize("marks", ['""', "„“", "“”", "«»"])
def test_lines(marks: str) -> None:
    (claim,) = read_draft(f"- Es sind 15 Taler. {marks[0]}{QUOTE}{marks[1]} [S1]").claims
    assert claim == DraftClaim(text="Es sind 15 Taler.", label="[S1]", quotes=(QUOTE,))


def test_abstention() -> None:
    assert read_draft('{"claims": [], "answerable": false}').abstains
    assert not read_draft("").abstains
    assert not read_draft(WHOLE).abstains


def test_wrong_types_are_left_out() -> None:
    text = '{"claims": [1, null, {"text": 5, "quote": {}}, {"text": " "}], "answerable": "yes"}'
    assert read_draft(text).claims == ()
    assert read_draft(text).answerable is None


def test_claims_are_limited() -> None:
    assert len(read_draft(json.dumps({"claims": [ROW] * 100})).claims) == MAX_CLAIMS


@pytest.mark.parametrize("text", ["{" * 50_000, "[" * 50_000, '{"a":' * 20_000, "{}" * 30_000, "\x00{"])
def test_bombs_are_nothing(text: str) -> None:
    assert read_draft(text).claims == ()


@given(
    st.text()
    | st.integers(0, len(WHOLE)).map(lambda n: WHOLE[:n])
    | st.integers(0, len(WHOLE)).map(lambda n: WHOLE[n:])
)
def test_never_raises(text: str) -> None:
    assert len(read_draft(text).claims) <= MAX_CLAIMS
