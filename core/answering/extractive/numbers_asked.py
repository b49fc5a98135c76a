"""Sentences that differ only in what the question names: sentences with other numbers, or rows of other
things, do not answer it."""

import re
from collections import defaultdict
from collections.abc import Sequence

from core.answering.extractive.extracts import Extract
from core.answering.extractive.statements import stands_alone
from core.domain.ids import PassageId, VersionId
from core.domain.passages import PassageKind
from core.language.terms import held, is_function_word, terms

_NUMBER = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d+)?")
_SEPARATOR = re.compile(r"[.,](?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALIKE = 0.75
"""Minimum share of words that two sentences have in common."""


def with_numbers_asked(pool: Sequence[Extract], question: str) -> list[Extract]:
    """`pool` without the sentences that lack a number from the question if another sentence has it, in nearly
    the same words and with no fewer of the question's words."""
    asked, said = _numbers(question), _words(question)
    held = [asked & _numbers(each.text) for each in pool] if asked else []
    holding = [(held[n], _words(each.text)) for n, each in enumerate(pool) if asked and held[n]]
    if not holding:
        return list(pool)

    def outdone(numbers: frozenset[str], words: frozenset[str]) -> bool:
        return any(
            numbers < others
            and 2 * len(words & theirs) >= _ALIKE * (len(words) + len(theirs))
            and len(words & said) <= len(theirs & said)
            for others, theirs in holding
        )

    return [each for n, each in enumerate(pool) if not outdone(held[n], _words(each.text))]


def with_rows_asked(pool: Sequence[Extract], stems: frozenset[str], question: str) -> list[Extract]:
    """`pool` without the rows that lack a word of the `question` (as it stands, or by its `stems`) which
    another row of their table has, with all that they have of it: of what else the table says, but for what
    its headings say of all rows."""
    asked = _words(question)
    rows: dict[PassageId | VersionId, dict[int, frozenset[str]]] = defaultdict(dict)
    for n, each in enumerate(pool):
        passage = each.hit.passage
        if stands_alone((each.start, each.end), passage):
            language = each.hit.edition.document.fields.language
            over = terms(passage.heading, language)
            said = terms(each.text, language)
            table = passage.id if passage.kind is PassageKind.TABLE else passage.version
            rows[table][n] = frozenset(
                (
                    *(term for term in stems & said if not held(term, over)),
                    *(word for word in asked & _words(each.text) if not is_function_word(word, language)),
                )
            )
    outdone = {
        n
        for table in rows.values()
        for n, own in table.items()
        if any(own < other for other in table.values())
    }
    return [each for n, each in enumerate(pool) if n not in outdone]


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_SEPARATOR.sub("", number[0]) for number in _NUMBER.finditer(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(word[0].casefold() for word in _WORD.finditer(text))
