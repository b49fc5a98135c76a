"""Aligns an alleged quote with the source's own words and decides the verdict on it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from core.domain.answers import Difference, LeftOut, Quote, Setting, Verdict
from core.domain.passages import Span
from core.evidence.changes import MOST_WORDS, QUOTATION_MARKS
from core.evidence.copying import bare
from core.evidence.exact import MIN_CHARACTERS, MIN_SENTENCE_WORDS, ExactMatch, find_exact
from core.evidence.index import GAP, DocumentIndex
from core.evidence.notation import in_notation_of
from core.evidence.patience import Patience
from core.evidence.quoted import Quoted
from core.evidence.repair import best_comparison
from core.evidence.skeleton import skeleton
from core.evidence.surroundings import Surroundings
from core.evidence.wording import word_keys
from core.language.patterns import words as listed

_INEXACT = (Verdict.NEAR, Verdict.ALTERED, Verdict.ABSENT, Verdict.TOO_SHORT)
_REPAIRED = (Verdict.NEAR, Verdict.ALTERED)
_NUMBER_BEFORE = re.compile(r"\W*(\d+)\W*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The result of aligning an alleged quote (with any verdict but misattributed).

    `quote` is the source's own text there, even for an altered quote (the words it was made from); None for
    too_short and absent. `coverage` is the share of the alleged quote's letters found there, 0 to 1.
    `setting` has the whole sentences if `in_its_sentences` examined them.
    """

    verdict: Verdict
    quote: Quote | None = None
    differences: tuple[Difference, ...] = ()
    coverage: float = 0.0
    setting: Setting | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the quote is; empty if there is none."""
        return self.quote.spans if self.quote else ()

    @property
    def citable(self) -> bool:
        """Whether the quote may be shown as a citation: verbatim, typo or near."""
        return self.verdict in (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR)


def align(text: str, index: DocumentIndex, *, hint: Sequence[Span] = ()) -> Alignment:
    """Find the alleged quote `text` in the pages of `index`.

    `hint` says where it should be (a passage's spans, in reading order); it chooses between repeated texts
    and never prevents the quote from being found elsewhere. Pages in the hint that the index lacks are
    ignored. Words are compared, and omissions marked "[...]" are examined (cut); omissions at the edges are
    not: see `in_its_sentences`.
    """
    quote = Quoted(text)
    if len(quote.skeleton) < MIN_CHARACTERS:
        return Alignment(verdict=Verdict.TOO_SHORT)
    found = find_exact(quote, index, hint)
    return _exact(quote, index, found) if found else _repaired(quote, index, hint, Patience(math.inf))


def in_its_sentences(text: str, index: DocumentIndex, patience: Patience | None = None) -> Alignment:
    """Like `align`, but verbatim and typo become cut if what the quote omits from its sentences may change
    its meaning, unless it also occurs elsewhere without a relevant omission. What was copied along with the
    words is dropped if they never occur with it, and what is only written otherwise is no difference. A whole
    sentence of three words or more is a quote however short. Raises OutOfPatienceError if `patience` runs out
    before the quote is found.
    """
    patience = patience or Patience(math.inf)
    found = _in_its_sentences(text, index, patience)
    if found.verdict not in _INEXACT:
        return found
    plain, nearest = bare(text), found
    if plain != text:
        nearest = _in_its_sentences(plain, index, patience)
        if nearest.verdict not in _INEXACT and not _renumbers(text, plain, nearest, index):
            return nearest
    source = nearest.setting.text if nearest.setting else nearest.quote.text if nearest.quote else ""
    written = in_notation_of(source, plain)
    other = _in_its_sentences(written, index, patience) if written != plain else found
    return found if other.verdict in _INEXACT or _renumbers(text, plain, other, index) else other


def lacking_words(text: str, found: Alignment, index: DocumentIndex, patience: Patience) -> Alignment | None:
    """The alignment, as cut, of altered words of which nothing is wrong but that some of their sentence are
    missing without an ellipsis; None for others, and where what is missing denies them. Raises
    OutOfPatienceError."""
    marked = _with_gaps(text, found.setting.text) if found.setting and found.verdict in _REPAIRED else ""
    cut = _in_its_sentences(marked, index, patience) if marked else found
    setting = cut.setting
    if not marked or cut.verdict not in (Verdict.VERBATIM, Verdict.CUT) or setting is None:
        return None
    if setting.why in (LeftOut.DENIES, LeftOut.JOINS):
        return None
    return replace(cut, verdict=Verdict.CUT, setting=replace(setting, why=setting.why or LeftOut.UNSURE))


def _with_gaps(text: str, source: str) -> str:
    """`text` with "[...]" where it lacks words in the middle of `source`; "" where it differs otherwise,
    lacks more than it has, or nothing but articles."""
    ours, theirs = text.strip(f" {QUOTATION_MARKS}").split(), source.split()
    if max(len(ours), len(theirs)) > MOST_WORDS:
        return ""
    matcher = SequenceMatcher(None, word_keys(ours), word_keys(theirs), autojunk=False)
    changes = matcher.get_opcodes()
    inside = [change for change in changes if change[0] != "insert" or 0 < change[1] < len(ours)]
    lacking = [skeleton(word) for tag, _, _, j1, j2 in inside if tag == "insert" for word in theirs[j1:j2]]
    only_articles = listed("names.articles").issuperset(lacking)
    if only_articles or len(lacking) > len(ours) or any(tag not in ("equal", "insert") for tag, *_ in inside):
        return ""
    return " ".join(GAP if tag == "insert" else " ".join(ours[i1:i2]) for tag, i1, i2, _, _ in inside)


def _renumbers(text: str, plain: str, found: Alignment, index: DocumentIndex) -> bool:
    """Whether the number before `text` that `plain` lacks is another one in the source ("3. October")."""
    number = _NUMBER_BEFORE.match(text)
    if number is None or _NUMBER_BEFORE.match(plain) or not found.spans:
        return False
    at = index.number_at(found.spans[0].page, found.spans[0].start)
    own = _NUMBER_BEFORE.fullmatch(index.word(at - 1).text) if at else None
    return own is not None and own[1] != number[1]


def _in_its_sentences(text: str, index: DocumentIndex, patience: Patience) -> Alignment:
    quote = Quoted(text)
    if len(quote.skeleton) < MIN_CHARACTERS:
        return _short(quote, index, patience)
    found = find_exact(quote, index, (), judge=lambda around: around.left_out, patience=patience)
    if found is not None:
        alignment = _exact(quote, index, found)
        return replace(alignment, setting=found.around(quote, index).setting(alignment.verdict))
    patience.spend()
    return _set(_repaired(quote, index, (), patience), index, text)


def _short(quote: Quoted, index: DocumentIndex, patience: Patience) -> Alignment:
    """The alignment of a quote with few letters: too short, unless it is a complete sentence whose context
    leaves its meaning intact."""
    found = None
    if len(quote.words) >= MIN_SENTENCE_WORDS:
        found = find_exact(quote, index, (), judge=_whole_sentence, patience=patience)
    if found is None or found.turned:
        return Alignment(verdict=Verdict.TOO_SHORT)
    alignment = _exact(quote, index, found)
    return replace(alignment, setting=found.around(quote, index).setting(alignment.verdict))


def _whole_sentence(around: Surroundings) -> LeftOut | None:
    return around.left_out if around.is_whole_sentence else LeftOut.UNSURE


def _exact(quote: Quoted, index: DocumentIndex, found: ExactMatch) -> Alignment:
    joints = found.around(quote, index).joints() if found.parts else ()
    verdict = index.standing(found.view, found.stretches) or (
        Verdict.CUT if found.turned else Verdict.VERBATIM
    )
    return Alignment(verdict=verdict, quote=index.quote(found.view, found.stretches, joints), coverage=1.0)


def _set(alignment: Alignment, index: DocumentIndex, text: str) -> Alignment:
    """The alignment of a repaired quote with its sentences examined."""
    around = Surroundings.of(index, alignment.spans, text) if alignment.quote else None
    if around is None:
        return alignment
    setting = around.setting(alignment.verdict)
    cut = setting.why is not None and alignment.verdict is Verdict.TYPO
    return replace(alignment, setting=setting, verdict=Verdict.CUT if cut else alignment.verdict)


def _repaired(quote: Quoted, index: DocumentIndex, hint: Sequence[Span], patience: Patience) -> Alignment:
    comparison = best_comparison(quote, index, hint, patience)
    verdict = comparison.verdict() if comparison else None
    if comparison is None or verdict is None:
        return Alignment(verdict=Verdict.ABSENT)
    if verdict in (Verdict.TYPO, Verdict.NEAR):
        verdict = index.standing(comparison.view, (comparison.stretch,)) or verdict
    return Alignment(
        verdict=verdict,
        quote=index.quote(comparison.view, (comparison.stretch,)),
        differences=comparison.differences(),
        coverage=comparison.coverage,
    )
