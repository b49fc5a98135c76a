"""From ranked hits to the listing and the context of an answer. Pure; the searcher fetches passages."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.domain.ids import PassageId
from core.domain.passages import Passage
from core.domain.search import Hit
from core.evidence.figures import figures
from core.evidence.guards import word_lists
from core.evidence.quantities import number_word
from core.evidence.skeleton import skeleton

GAP = "---"
"""Separates passages that are not consecutive."""
_LONGEST_OVERLAP = 80
_RUN = 4
"""Length in words of the runs compared."""

_COPIED = 0.8
"""Share of a passage's runs contained in a better one from which it adds nothing."""
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W\d_]+\d\w*")
"""Matches names with digits that are not figures: "CO2", "A4"."""


def without_copies(hits: Iterable[Hit]) -> list[Hit]:
    """`hits` without those almost entirely contained in a better one of the same jurisdiction and parties,
    judging by shared runs of words (shingles; Broder 1997): copies, parts, and large overlaps. A passage with
    a different figure or section is a different provision, however similar it reads."""
    better: dict[tuple[str | None, tuple[str, ...]], list[_Read]] = defaultdict(list)
    kept: list[Hit] = []
    for hit in hits:
        fields, read = hit.edition.document.fields, _Read.of(hit.passage)
        known = better[fields.jurisdiction, fields.parties]
        if not any(read.is_copy_of(other) for other in known):
            known.append(read)
            kept.append(hit)
    return kept


@dataclass(frozen=True, slots=True)
class _Read:
    """The compared features of a passage: its runs of words, its numbers in order, and its section."""

    runs: frozenset[int]
    figures: tuple[str, ...]
    numerals: tuple[str, ...]
    section: str | None

    @classmethod
    def of(cls, passage: Passage) -> "_Read":
        text, section = passage.text, passage.section.id if passage.section else None
        numerals = tuple(filter(_is_number, map(skeleton, _WORD.findall(text))))
        return cls(_runs(text), figures(_NAME.sub(" ", text)), numerals, section)

    def is_copy_of(self, other: "_Read") -> bool:
        """Whether `other` contains nearly all of it."""
        enough = _COPIED * len(self.runs)
        if len(other.runs) < enough or len(self.runs & other.runs) < enough:
            return False
        if self.section and other.section and self.section != other.section:
            return False
        return _stands_in(self.figures, other.figures) and _stands_in(self.numerals, other.numerals)


@lru_cache(maxsize=65536)
def _is_number(word: str) -> bool:
    lists = word_lists()
    return word in lists.scales or number_word(word, lists) is not None


def _stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether `part` is contiguous in `whole`."""
    room = len(whole) - len(part)
    return any(tuple(whole[at : at + len(part)]) == tuple(part) for at in range(room + 1))


def _runs(text: str) -> frozenset[int]:
    """Every run of words, as a number."""
    words = _WORD.findall(text.casefold())
    return frozenset(
        hash(tuple(words[start : start + _RUN])) for start in range(max(1, len(words) - _RUN + 1))
    )


def spread_over_pages(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """At most `limit` hits; those without a new page come last, so that overlapping passages of one page do
    not crowd out others."""
    shown: set[tuple[str, int]] = set()
    first: list[Hit] = []
    rest: list[Hit] = []
    for hit in hits:
        pages = {(hit.passage.version, page) for page in hit.passage.pages}
        (rest if pages <= shown else first).append(hit)
        shown |= pages
    return (first + rest)[:limit]


def interleaved(groups: Sequence[Sequence[Hit]], limit: int) -> list[Hit]:
    """The best hit of every group, then the second best of every group, and so on; at most `limit`."""
    longest = max(map(len, groups), default=0)
    turns = (group[rank] for rank in range(longest) for group in groups if rank < len(group))
    unique: dict[PassageId, Hit] = {}
    for hit in turns:
        unique.setdefault(hit.passage.id, hit)
    return list(unique.values())[:limit]


def within_budget(hits: Sequence[Hit], tokens: Sequence[int], budget: int) -> list[Hit]:
    """The longest prefix of `hits` of at most `budget` tokens in total; always at least the first hit."""
    kept: list[Hit] = []
    total = 0
    for hit, size in zip(hits, tokens, strict=True):
        total += size
        if kept and total > budget:
            break
        kept.append(hit)
    return kept


def document_order(hits: Sequence[Hit]) -> list[Hit]:
    """`hits` sorted by document (the one with the best hit first), then by place in it."""
    order = {version: n for n, version in enumerate(dict.fromkeys(hit.passage.version for hit in hits))}
    return sorted(hits, key=lambda hit: (order[hit.passage.version], hit.passage.ordinal))


def joined_text(hits: Sequence[Hit]) -> str:
    """The texts of `hits` (in document order): neighbours are joined without repetition, `---` marks
    omissions."""
    parts: list[str] = []
    previous: Hit | None = None
    for hit in hits:
        if previous is None:
            parts.append(hit.passage.text)
        elif follows(previous, hit):
            parts.append("\n" + without_overlap(previous.passage.text, hit.passage.text))
        else:
            parts.append(f"\n{GAP}\n{hit.passage.text}")
        previous = hit
    return "".join(parts)


def follows(first: Hit, second: Hit) -> bool:
    """Whether `second` is the passage directly after `first`."""
    return (
        first.passage.version == second.passage.version
        and second.passage.ordinal == first.passage.ordinal + 1
    )


def without_overlap(first: str, second: str) -> str:
    """`second` without the leading words that already end `first`."""
    ending = first.split()[-_LONGEST_OVERLAP:]
    words = list(re.finditer(r"\S+", second))
    for length in range(min(len(ending), len(words)), 0, -1):
        if ending[-length:] == [word[0] for word in words[:length]]:
            return second[words[length - 1].end() :].lstrip()
    return second
