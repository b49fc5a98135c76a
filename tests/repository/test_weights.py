"""Trained weights and their revisions: what was made from old weights is kept by its revision alone."""

from hashlib import sha256

import pytest

from adapters.embedding import questions, reader, talk_reader
from tests.support.repository import ROOT

DATA = ROOT / "adapters" / "embedding" / "data"


@pytest.mark.parametrize(
    ("file", "revision", "known", "digest"),
    [
        ("reader.npz", reader.REVISION, 10, "6cd734a88c77517e"),
        ("questions.npz", questions.REVISION, 4, "860c2d0b90d1db45"),
        ("talk.npz", talk_reader.REVISION, 1, "ab3d0e28213828b0"),
    ],
)
def test_new_weights_have_a_new_revision(file: str, revision: int, known: int, digest: str) -> None:
    """Whoever changes a file of weights raises its REVISION and writes both down here."""
    assert (revision, sha256((DATA / file).read_bytes()).hexdigest()[:16]) == (known, digest)
