"""Trained weights and their revisions: what was made from old weights is kept by its revision alone."""

from hashlib import sha256

import pytest

from adapters.embedding import e5, reader
from tests.support.repository import ROOT

DATA = ROOT / "adapters" / "embedding" / "data"


@pytest.mark.parametrize(
    ("file", "revision", "known", "digest"),
    [
        ("reader.npz", reader.REVISION, 12, "d7a0d7f1f7ec5150"),
        ("questions.npz", e5.QUESTIONS_REVISION, 5, "6e467c39f351d24a"),
        ("talk.npz", reader.TALK_REVISION, 2, "8a1fdcb8d244bc41"),
    ],
)
def test_new_weights_have_a_new_revision(file: str, revision: int, known: int, digest: str) -> None:
    """Whoever changes a file of weights raises its REVISION and writes both down here."""
    assert (revision, sha256((DATA / file).read_bytes()).hexdigest()[:16]) == (known, digest)
