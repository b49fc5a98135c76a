"""Texts to the ids of SentencePiece Unigram pieces, the very ids that the `tokenizers` library gives.

That library keeps 250,000 pieces as a tree of hash maps, 280 MB of memory; a dictionary takes a sixth of it.
Its normaliser and its way to tell words apart are used as they are: only a word's likeliest pieces are found
here.
"""

import json
import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from core.kept import kept

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FILE = "tokenizer.json"

_REMEMBERED = 1 << 15
"""Number of words whose pieces are cached: most words of a text also occurred in the previous one."""

_PENALTY = 10.0
"""How much less likely than the rarest piece an unknown character is (kUnkPenalty in SentencePiece)."""


def write_unigram(tokenizer: "Tokenizer", pieces: Sequence[tuple[str, float]], folder: Path) -> None:
    """Write tokenizer.json: `tokenizer`, whose model knows no more than the unknown piece, with `pieces`
    (text, log probability) in place of that."""
    described = json.loads(tokenizer.to_str())
    unknown = described["model"]["vocab"][0][0]
    described["model"] |= {"vocab": pieces, "unk_id": [piece for piece, _ in pieces].index(unknown)}
    (folder / FILE).write_text(json.dumps(described, ensure_ascii=False, separators=(",", ":")), "utf-8")


class UnigramTokenizer:
    """What `folder`/tokenizer.json says. Its model is a Unigram without byte fallback; its template puts one
    token before a text and one behind it. May be used by several threads."""

    def __init__(self, folder: Path) -> None:
        file = folder / FILE
        now = file.stat()
        self._ids: dict[str, int]
        self._unknown: int
        self._ids, scores, self._unknown, frame = kept(
            f"pieces-{folder.name}", f"{now.st_size} {now.st_mtime_ns}", partial(_described, file)
        )
        self._scores = array("d", scores)
        self._longest = max(map(len, self._ids))
        self._unknown_score = min(self._scores) - _PENALTY
        self._frame = _frame_of(frame)
        self._first, self._last = self._frame.encode("").ids
        self._word = lru_cache(_REMEMBERED)(self._pieces)

    def encode(self, text: str, most: int = sys.maxsize) -> list[int]:
        """Ids with the first and the last token, at most `most` in total; the rest is truncated."""
        words = self._frame.pre_tokenizer.pre_tokenize_str(self._frame.normalizer.normalize_str(text))
        found = [piece for word, _ in words for piece in self._word(word)]
        return [self._first, *found[: most - 2], self._last]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Ids of the likeliest pieces of a word; unknown characters side by side are one."""
        found: list[int] = []
        end = run = len(word)
        starts = self._starts(word)
        while end:
            start, known = starts[end]
            if known:
                found += [self._id(word[end:run])] if end < run else []
                found.append(self._ids[word[start:end]])
                run = start
            end = start
        found += [self._id(word[:run])] if run else []
        return tuple(reversed(found))

    def _id(self, unknown: str) -> int:
        """Of characters that are no pieces each, though together they may be one."""
        return self._ids.get(unknown, self._unknown)

    def _starts(self, word: str) -> list[tuple[int, bool]]:
        """For each end in a word where the last piece of the likeliest way there starts, and whether it is
        known. Of ways that are as likely the one found first stays: that with the longest last piece."""
        ids, scores, longest = self._ids, self._scores, self._longest
        likely = [0.0] + [-inf] * len(word)
        starts = [(0, False)] * (len(word) + 1)
        for start in range(len(word)):
            score = likely[start]
            for end in range(start + 1, min(start + longest, len(word)) + 1):
                piece = ids.get(word[start:end])
                if piece is not None and score + scores[piece] > likely[end]:
                    likely[end], starts[end] = score + scores[piece], (start, piece != self._unknown)
            if word[start] not in ids and score + self._unknown_score > likely[start + 1]:
                likely[start + 1], starts[start + 1] = score + self._unknown_score, (start, False)
        return starts


def _described(file: Path) -> tuple[dict[str, int], bytes, int, str]:
    """What the file says: the pieces with their ids, their scores, the id of the unknown one, and the
    tokenizer with no piece but that: its normaliser, its words, its template."""
    described = json.loads(file.read_text("utf-8"))
    model = described["model"]
    pieces, unknown = model["vocab"], model["unk_id"]
    frame = json.dumps(described | {"model": model | {"vocab": [pieces[unknown]], "unk_id": 0}})
    ids = {piece: number for number, (piece, _) in enumerate(pieces)}
    return ids, array("d", (score for _, score in pieces)).tobytes(), unknown, frame


def _frame_of(described: str) -> "Tokenizer":
    from tokenizers import Tokenizer

    return Tokenizer.from_str(described)
