"""Our Unigram tokenizer gives the ids of the `tokenizers` library, which has the same pieces as trees."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.offline_model import OfflineEmbedder
from adapters.embedding.unigram import FILE, UnigramTokenizer
from adapters.embedding.use import UseEmbedder
from core import kept
from tests.support.encoders import models_dir
from tests.support.sample_texts import TEXTS


def reference(folder: Path) -> Tokenizer:
    """The library's tokenizer. It is given the scores itself: its reader of JSON rounds the last bit of some,
    so that of two ways that are as likely it may take the other."""
    described = json.loads((folder / FILE).read_text("utf-8"))["model"]
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder / FILE))
    pieces = [(piece, score) for piece, score in described["vocab"]]
    tokenizer.model = models.Unigram(pieces, unk_id=described["unk_id"], byte_fallback=False)
    return tokenizer


def both(encoder: OfflineEmbedder) -> tuple[UnigramTokenizer, Tokenizer]:
    mine = encoder.tokenizer()  # makes the files
    return mine, reference(models_dir() / encoder.name.replace("/", "-"))


E5 = both(E5Embedder(models_dir(), threads=1))
USE = both(UseEmbedder(models_dir(), threads=1))
BOTH = pytest.mark.parametrize(("mine", "library"), [E5, USE], ids=["e5", "use"])

AWKWARD = st.text(alphabet=".,-_ \n<>/unks\u2581\u200b\ufeff\u0308aeé½ﬁ住\U0001f9ff\U0001f600", max_size=80)
PIECES = st.lists(st.sampled_from([*E5[0]._ids, *USE[0]._ids]), max_size=12).map("".join)


@BOTH
@given(text=st.one_of(st.text(), AWKWARD, PIECES, st.sampled_from(TEXTS)))
def test_the_ids_are_those_of_the_library(mine: UnigramTokenizer, library: Tokenizer, text: str) -> None:
    assert mine.encode(text) == library.encode(text).ids


@BOTH
@given(letter=st.characters(codec="utf-8"), times=st.integers(1, 400))
def test_long_runs_too(mine: UnigramTokenizer, library: Tokenizer, letter: str, times: int) -> None:
    assert mine.encode(letter * times) == library.encode(letter * times).ids


@pytest.mark.parametrize("kind", [E5Embedder, UseEmbedder])
def test_kept_pieces_are_the_same(
    kind: type[E5Embedder] | type[UseEmbedder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = kind(models_dir(), threads=1)
    mine = encoder.tokenizer()
    monkeypatch.setattr(kept, "_FOLDERS", [tmp_path])
    for _ in range(2):
        again = UnigramTokenizer(models_dir() / encoder.name.replace("/", "-"))
        assert (again._ids, again._scores) == (mine._ids, mine._scores)
        assert all(again.encode(text) == mine.encode(text) for text in TEXTS)
    assert len(list(tmp_path.iterdir())) == 1


@BOTH
@given(text=st.text(max_size=200), most=st.integers(3, 40))
def test_what_is_over_is_cut_off_before_the_last(
    mine: UnigramTokenizer, library: Tokenizer, text: str, most: int
) -> None:
    whole = library.encode(text).ids
    assert mine.encode(text, most) == [*whole[:-1][: most - 1], whole[-1]]
