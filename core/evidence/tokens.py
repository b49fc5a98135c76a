"""Words of a sentence, and which of them a quote has."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.evidence.skeleton import skeleton

CLOSING = "\"'”“»«’‘)]"
"""May stand behind the last letter or stop of a sentence."""


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
    """Tokens of (text, kept, rest of the word before) in order; a word cut at a line's end is one."""
    found: list[Token] = []
    for text, kept, rest in words:
        if rest and found:
            whole = found[-1].text.rstrip("-\u00ad\u2010\u2011") + text
            found[-1] = Token(whole, skeleton(whole), found[-1].kept or kept)
        else:
            found.append(Token(text, skeleton(text), kept))
    return found
