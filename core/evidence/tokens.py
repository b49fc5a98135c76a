"""The words of a sentence, and which of them a quote has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.evidence.skeleton import skeleton

CLOSING = "\"'”“»«’‘)]"
"""Marks that may follow the last letter or full stop of a sentence."""
OPENING = tuple('„“”"»«‟')
_CLOSED = ".,;:!?)…"


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the sentence: as written, its skeleton, and whether the quote has it."""

    text: str
    skeleton: str
    kept: bool

    @property
    def ends(self) -> str:
        """Its last character, closing marks aside."""
        return self.text.rstrip(CLOSING)[-1:]


def tokens_of(words: Iterator[tuple[str, bool, bool]]) -> list[Token]:
    """Tokens from (text, kept, is rest of the previous word) in order; a word split at a line end is one
    token."""
    found: list[Token] = []
    for text, kept, rest in words:
        if rest and found:
            whole = found[-1].text.rstrip("-\u00ad\u2010\u2011") + text
            found[-1] = Token(whole, skeleton(whole), found[-1].kept or kept)
        else:
            found.append(Token(text, skeleton(text), kept))
    return found


def in_quotation_marks(tokens: Sequence[Token]) -> bool:
    """Whether the kept words are enclosed in one pair of quotation marks, and words outside are omitted."""
    kept = [i for i, token in enumerate(tokens) if token.kept]
    if not kept:
        return False
    first, last = kept[0], kept[-1]
    start = next((i for i in range(first, -1, -1) if _opens(tokens[i])), None)
    if start is None or any(_closes(token) for token in tokens[start:last]):
        return False
    end = next((i for i in range(last, len(tokens)) if _closes(tokens[i])), None)
    return end is not None and not all(token.kept for token in (*tokens[:start], *tokens[end + 1 :]))


def _opens(token: Token) -> bool:
    return token.text.lstrip("([").startswith(OPENING)


def _closes(token: Token) -> bool:
    return token.text.rstrip(_CLOSED).endswith(OPENING)
