"""The source's own words as a line of text: single spaces, line-end hyphens resolved."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.evidence.skeleton import BULLETS, skeleton, with_marks, without_private, written_skeleton

_SOFT_HYPHEN = "\u00ad"
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_LETTER = r"[^\W\d_¹²³⁰-₉]"
_INSIDE = re.compile(rf"(?<={_LETTER}){_SOFT_HYPHEN}+(?={_LETTER})")
"""Soft hyphens between letters; before raised digits they would turn an exponent into a footnote."""
_HYPHENS = ("-", "\u2010", "\u2011", _SOFT_HYPHEN)
_GERMAN_CONJUNCTIONS = (
    "und",
    "oder",
    "bzw",
    "beziehungsweise",
    "sowie",
    "als",
    "wie",
    "bis",
    "noch",
    "aber",
    "statt",
)
_ENGLISH_CONJUNCTIONS = ("and", "or", "nor", "to", "but", "versus")
_SUSPENDED_BEFORE = frozenset((*_GERMAN_CONJUNCTIONS, *_ENGLISH_CONJUNCTIONS))
"""What follows a suspended hyphen ("Miet- und Eigentumswohnungen"): Duden, rule 31 on the hyphen."""


_LED_ROW = re.compile(
    r"\W{0,3}\w[^…]*?(?:"
    r"(?:(?:\.\s?){4,}|(?:…\s?){2,}|(?:·\s?){4,})(?=\S{0,12}\d)(?:(?!\.{3}|…).){1,60}"
    r"|(?:(?:\.\s?){6,}|(?:…\s?){3,})\w\S*(?: [^\s.…]+){0,3})"
)
_LONGEST_ROW = 300


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of a document, to tell a line-end hyphen from a real one.

    `plain` holds the skeletons of its words without an inner hyphen, `hyphenated` the others, case folded.
    """

    plain: frozenset[str]
    hyphenated: frozenset[str]

    @classmethod
    def of(cls, pages: Iterable[Page]) -> "Vocabulary":
        """All words of `pages`; words split at a line end count as two separate parts."""
        texts = {word.text for page in pages for word in page.words}
        inner = {text for text in texts if "-" in text[1:-1]}
        return cls(frozenset(map(written_skeleton, texts - inner)), frozenset(map(_bare, inner)))


NO_VOCABULARY = Vocabulary(frozenset(), frozenset())


def is_led_row(text: str) -> bool:
    """Whether `text` is a row whose amount, or few words, stand behind a line of dots."""
    return len(text) <= _LONGEST_ROW and _LED_ROW.fullmatch(text) is not None


def word_text(word: Word) -> str:
    """The word as it looks: footnote digits as Unicode superscripts, never as part of a number, and without
    symbol-font glyphs."""
    return without_private(with_marks(word.text, word.note_chars))


def legible(text: str) -> str:
    """`text` for display: ligatures (U+FB00 to U+FB06) resolved into letters, no soft hyphens inside words.
    Its skeleton stays the same."""
    return text if text.isascii() else _INSIDE.sub("", text.translate(_LIGATURES))


def words_under(page: Page, span: Span) -> list[Word]:
    """Words of `page` that `span` touches, without furniture and list signs unless there is nothing else.
    Spans include struck-out words only if just these are meant."""
    return shown([word for word in page.words if span.start < word.end and word.start < span.end])


def shown(words: Sequence[Word]) -> list[Word]:
    """Those of `words` that are neither furniture nor list signs; all of them if none is."""
    found = [word for word in words if word.is_text or word.struck]
    first, end = 0, len(found)
    while first < end and _is_sign(found[first]):
        first += 1
    while first < end and _is_sign(found[end - 1]):
        end -= 1
    return found[first:end] or list(words)


def _is_sign(word: Word) -> bool:
    return not word.text.isascii() and BULLETS.issuperset(word.text)


def joined_words(words: Sequence[Word], vocabulary: Vocabulary = NO_VOCABULARY) -> str:
    """`words` in reading order joined by single spaces, with words split at a line end rejoined."""
    pieces: list[str] = []
    for i, word in enumerate(words):
        text = word_text(word)
        if i + 1 < len(words):
            glued = glue(word, words[i + 1], vocabulary)
            pieces.append(text + " " if glued is None else glued)
        else:
            pieces.append(text)
    return "".join(pieces)


def continues(left: Word, right: Word) -> bool:
    """Whether `right` is the rest of a word that `left` begins at a line end."""
    return left.text.endswith(_HYPHENS) and glue(left, right, NO_VOCABULARY) is not None


def glue(left: Word, right: Word, vocabulary: Vocabulary) -> str | None:
    """`left` as written when `right` follows without a space, or None if a space belongs in between.

    A line-end hyphen is removed if the rest is in lower case, unless the document hyphenates the word
    elsewhere; it stays in names ("Nordrhein-Westfalen") and after digits ("10-jährig").
    """
    return None if _same_line(left, right) else _glued(word_text(left), right.text, vocabulary)


def put_together(words: Iterable[str]) -> list[str]:
    """Written words, with those hyphenated at a line end ("Mei- nung", as copied) rejoined."""
    whole: list[str] = []
    for word in words:
        stem = _glued(whole[-1], word, NO_VOCABULARY) if whole else None
        if stem is None:
            whole.append(word)
        else:
            whole[-1] = stem + word
    return whole


def _glued(text: str, rest: str, vocabulary: Vocabulary) -> str | None:
    if not text.endswith(_HYPHENS) or len(text) < 2:
        return None
    if text.endswith(_SOFT_HYPHEN):
        return text[:-1]
    if not text[-2].isalnum() or not rest[:1].isalnum() or skeleton(rest) in _SUSPENDED_BEFORE:
        return None
    return text if _real_hyphen(text[:-1], rest, vocabulary) else text[:-1]


def _same_line(left: Word, right: Word) -> bool:
    same = (left.block, left.line) == (right.block, right.line)
    return same and left.end <= right.start and left.box.x0 <= right.box.x0


def _real_hyphen(stem: str, rest: str, vocabulary: Vocabulary) -> bool:
    if stem[-1:].isdigit() or rest[:1].isdigit() or len(_bare(stem)) < 2:
        return True
    joined_known = skeleton(stem + rest) in vocabulary.plain
    if rest[:1].isupper():
        return not (joined_known and stem.isupper() and rest[1:2].isupper())
    return not joined_known and _bare(f"{stem}-{rest}") in vocabulary.hyphenated


def _bare(text: str) -> str:
    return text.casefold().strip(".,;:!?()[]{}\"'„“”‚‘’«»")


# The words of a sentence, and which of them a quote has.


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
