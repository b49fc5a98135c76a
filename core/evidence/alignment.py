"""Aligns an alleged quote with the source's own words and decides the verdict on it."""

import html
import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from core.domain.answers import Difference, LeftOut, Quote, Setting, Verdict
from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.evidence.changes import MOST_WORDS, QUOTATION_MARKS, word_keys
from core.evidence.dictionary import with_umlauts
from core.evidence.exact import MIN_CHARACTERS, MIN_SENTENCE_WORDS, ExactMatch, find_exact
from core.evidence.guards import word_lists
from core.evidence.index import GAP, DocumentIndex
from core.evidence.quantities import dated
from core.evidence.quoted import Patience, Quoted
from core.evidence.repair import best_comparison
from core.evidence.skeleton import skeleton
from core.evidence.surroundings import Surroundings
from core.evidence.text import Vocabulary, joined_words, legible, words_under
from core.language.patterns import words as listed
from core.language.sentences import abbreviations

# What gets copied or typed along with a quote without being part of it.


_RAISED = "⁰¹²³⁴-⁹"
_PAGE = re.compile(
    r"[\s,]*[(\[]?\b(?:S\.|Seiten?|p\.|pp\.|pages?)\s?\d{1,4}(?:\s?(?:ff?\.?|[-–]\s?\d{1,4}))?[)\]]?[.\s]*$"
)
_SENTENCE = r"(?:^|(?<=[.!?;:)„“\"»«]\s)|(?<=[„“\"»«(]))"
_SENTENCE_NUMBER = re.compile(
    rf"(?<![^\s„“\"»«(])(\d{{1,2}})(?=[A-ZÄÖÜÉ][a-zäöüß]+\s)|{_SENTENCE}(\d{{1,2}})\s(?=[A-ZÄÖÜÉ][a-zäöüß]+\s)"
)
_RAISED_NUMBER = re.compile(rf"(?<![^\s„“\"»«(])[{_RAISED}]{{1,2}}\s?(?=[A-ZÄÖÜÉ][a-zäöüß]*\s)")
_ITEM = re.compile(
    r"^\s*(?:\(?(?P<number>\d{1,2})[.)]|\(?(?P<letter>[a-z])\)|[#*•·–—-])\s+(?=[\"„“«»]?(?P<word>[^\W\d_]+))"
)
_NOTE = re.compile(r"(?P<word>[^\W\d_]{3,})(?P<stop>[.!?][“”\"»«]?)\d{1,3}\s*$")
_ARTICLES = ["der", "die", "das", "the", "le", "la", "les"]
_PRONOUNS = ["er", "sie", "es", "wir", "it", "they", "he", "she", "we", "il", "elle", "nous", "ils", "elles"]
_NOT_COUNTED = frozenset([*_ARTICLES, *_PRONOUNS])
_EDITED_CAPITAL = re.compile(r"(?<!\w)\[([^\W\d_])\](?=[^\W\d_])")
_ADDED = re.compile(r"\s*[\[(]\s*(?:sic|recte)\s*!?\s*[\])]", re.IGNORECASE)


_STAMP = re.compile(
    r"^\s*(?:\[(?:\d{1,2}[./]\d{1,2}[./]\d{2,4},?\s)?\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp]M)?\]"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4},\s\d{1,2}:\d{2}(?:\s?[AaPp]M)?\s-)\s*(?:(?P<sender>[^:\n]{1,40}):\s)?"
)
"""What messengers put before a copied message."""
_LABEL = re.compile(r"^\s*(?:TL;?\s?DR\s*[:–—-]\s*|(?:#[^\W\d]\w*\s+)+)(?=\S)", re.IGNORECASE)
_LINK = re.compile(r"\s*[(<\[]?(?:https?://|www\.)\S+\s*$")
_HASHTAGS = re.compile(r"(?:\s+#[^\W\d]\w*)+\s*$")
_SMILEY = "[\U0001f300-\U0001faff\u2764\ufe0f\u200d]"
_SMILEYS = re.compile(rf"^\s*{_SMILEY}+\s*|\s*{_SMILEY}+\s*$")
_DENYING = re.compile("[\U0001f6ab\U0001f44e\U0001f645\U0001f6d1\U0001f5f4\U0001f5f7\U0001f6c7]")


def without_comment(text: str) -> tuple[str, str]:
    """`text` without what messengers and readers put around a copied quote: the time and the sender of a
    message, "TL;DR:", links, hashtags and emoji, except those that deny; and the sender, "" where none is
    given."""
    stamp = _STAMP.match(text)
    if stamp:
        text = text[stamp.end() :]
    text = _HASHTAGS.sub("", _LINK.sub("", _LABEL.sub("", text)))
    if not _DENYING.search(text):
        text = _SMILEYS.sub("", text)
    return text, (stamp["sender"] or "") if stamp else ""


def bare(text: str) -> str:
    """`text` without what gets copied along with a quote: "(p. 12)" and a footnote's number after it, the
    sign of an item before it, the numbers of its sentences ("2They"), "(sic)", codes of web pages ("&auml;"),
    and the brackets round a first letter whose case was changed ("[T]he")."""
    text = _EDITED_CAPITAL.sub(r"\1", _ADDED.sub("", _PAGE.sub("", html.unescape(text))))
    text = _NOTE.sub(_without_note, _RAISED_NUMBER.sub("", text))
    item = _ITEM.match(text)
    if item and (item["number"] is None or _may_be_numbered(item["word"])):
        text = text[item.end() :]
    found = [*_SENTENCE_NUMBER.finditer(text)]
    numbers = [int(each[1] or each[2]) for each in found]
    counted = all(b == a + 1 for a, b in pairwise(numbers))
    if len(found) == 1 and found[0][2]:
        counted = _opens(text[found[0].end() :])
    return _SENTENCE_NUMBER.sub("", text) if counted else text


def _may_be_numbered(word: str) -> bool:
    """Whether a number and a full stop before `word` number an item: "3. October" is a day."""
    return word[:1].isupper() and skeleton(word) not in word_lists().months


def _opens(text: str) -> bool:
    """Whether `text` begins with an article or a pronoun, that cannot follow a number."""
    return skeleton(text.partition(" ")[0]) in _NOT_COUNTED


def _without_note(found: re.Match[str]) -> str:
    short = skeleton(found["word"]) in abbreviations()
    return found[0] if short else found["word"] + found["stop"]


# Dates, times, amounts and umlauts written otherwise: "1 January" for "1. 1.", "EUR" for "€".


_DAY = re.compile(r"(?<![\d.,])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)")
_WORD = re.compile(r"[^\W\d_]+")
_MONTHS, _HOURS, _MINUTES = 12, 24, 60
_TIME = re.compile(r"(?<![\d.,:])(\d{1,2})[.:](\d{2})(?![\d.,:]\d|\d)")
_BY_THE_CLOCK = re.compile(
    r"(?:\b(?:um|ab|von|bis|zwischen|at|from|until|till|between|to|de|dès|à)\s|[-–]\s?)$"
    r"|^\s?(?:Uhr|h\b|[ap]m\b|[ap]\.\s?m|[-–]\s?\d)"
)
_RANGE = re.compile(r"(?<=\d)(?:\s?[-–]\s?|\s(?:bis|to|à)\s)(?=\d)")
_TIMES = re.compile(r"(?<=\d)\s?[x×*]\s?(?=\d)")
_WRITTEN = {
    "euro": r"€|EUR\b|[Ee]uros?\b",
    "percent": r"%|Prozent\b|per\s?cent\b|pour\s?cent\b|v\.\s?H\.",
    "hour": r"Std\.|Stunden?\b",
    "minute": r"Min\.|Minuten?\b",
    "metre": r"m\b(?![²³/])|Meter\b",
    "square_metre": r"m²|qm\b|Quadratmeter\b",
    "kilometre": r"km\b(?![²/])|Kilometer\b",
    "kilogram": r"kg\b|Kilogramm\b",
    "million": r"Mio\.?(?!\w)|Millionen\b",
    "milliard": r"Mrd\.?(?!\w)|Milliarden\b",
}
_UNITS = re.compile(
    r"(?:(?<=\d)|(?<=\d\s)|(?<=Mio\.\s)|(?<=Mrd\.\s)|(?<=Mio\s)|(?<=Mrd\s)|(?<=Millionen\s)|(?<=Milliarden\s))(?:"
    + "|".join(f"(?P<{name}>{forms})" for name, forms in _WRITTEN.items())
    + ")"
)


def in_notation_of(source: str, text: str) -> str:
    """`text` with the dates, times, amounts and umlauts that `source` writes otherwise as written
    there."""
    words = set(_WORD.findall(source))
    text = _WORD.sub(lambda word: _with_umlauts(word[0], words), text)
    theirs: dict[tuple[object, ...], str] = {}
    for key, (first, end) in _written(source):
        theirs.setdefault(key, source[first:end])
    for key, (first, end) in sorted(_written(text), key=lambda each: each[1], reverse=True):
        if (other := theirs.get(key)) and other != text[first:end]:
            text = text[:first] + other + text[end:]
    return text


def _with_umlauts(word: str, words: Collection[str]) -> str:
    """`word` with "ü" for "ue" and the like if only that is one of `words`."""
    other = with_umlauts(word)
    return other if other in words and word not in words else word


def _written(text: str) -> Iterator[tuple[tuple[object, ...], tuple[int, int]]]:
    """Parts of `text` that may be written differently: their meaning and position, without overlaps."""
    taken: list[tuple[int, int]] = []
    for key, (first, end) in _all(text):
        if not any(first < other[1] and other[0] < end for other in taken):
            taken.append((first, end))
            yield key, (first, end)


def _all(text: str) -> Iterator[tuple[tuple[object, ...], tuple[int, int]]]:
    for date, match in dated(text):
        yield ("date", date.day, date.month, date.year), match.span()
    for match in _DAY.finditer(text):
        if int(match[2]) <= _MONTHS:
            yield ("date", int(match[1]), int(match[2]), 0), match.span()
    for match in _TIME.finditer(text):
        hour, minute = int(match[1]), int(match[2])
        is_time = ":" in match[0] or any(
            map(_BY_THE_CLOCK.search, (text[: match.start()], text[match.end() :]))
        )
        if is_time and hour <= _HOURS and minute < _MINUTES:
            yield ("time", hour, minute), match.span()
    for match in _UNITS.finditer(text):
        yield (match.lastgroup,), match.span(match.lastgroup or 0)
    for match in _TIMES.finditer(text):
        yield ("times",), match.span()
    for match in _RANGE.finditer(text):
        yield ("range",), match.span()


_INEXACT = (Verdict.NEAR, Verdict.ALTERED, Verdict.ABSENT, Verdict.TOO_SHORT)
_REPAIRED = (Verdict.NEAR, Verdict.ALTERED)
_NUMBER_BEFORE = re.compile(r"\W*(\d+)\W*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The result of aligning an alleged quote (with any verdict but misattributed).

    `quote` is the source's own text there, even for an altered quote (the words it was made from); None for
    too_short and absent. `coverage` is the share of the alleged quote's letters found there, 0 to 1.
    `setting` has the whole sentences if `in_its_sentences` examined them; `unsure` is whether it is a
    cut only because nothing is known of the words left out.
    """

    verdict: Verdict
    quote: Quote | None = None
    differences: tuple[Difference, ...] = ()
    coverage: float = 0.0
    setting: Setting | None = None
    unsure: bool = False

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
    its meaning, unless it also occurs elsewhere without a relevant omission. Whatever was copied along with
    the words is dropped if they never occur with it, and mere differences of notation do not count. A whole
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
    """The alignment, with verdict cut, of altered words whose only fault is that words of their sentence are
    missing without an ellipsis; None for others, and if the missing words deny them. Raises
    OutOfPatienceError."""
    marked = _with_gaps(text, found.setting.text) if found.setting and found.verdict in _REPAIRED else ""
    cut = _in_its_sentences(marked, index, patience) if marked else found
    setting = cut.setting
    if not marked or cut.verdict not in (Verdict.VERBATIM, Verdict.CUT) or setting is None:
        return None
    if setting.why in (LeftOut.DENIES, LeftOut.JOINS):
        return None
    setting = replace(setting, why=setting.why or LeftOut.UNSURE)
    return replace(cut, verdict=Verdict.CUT, setting=setting, unsure=False)


def _with_gaps(text: str, source: str) -> str:
    """`text` with "[...]" where it lacks words in the middle of `source`; "" if it differs in any other way,
    lacks more than it has, or lacks only articles."""
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
        alignment, around = _exact(quote, index, found), found.around(quote, index)
        unsure = alignment.verdict is Verdict.CUT and around.unsure
        return replace(alignment, setting=around.setting(alignment.verdict), unsure=unsure)
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


# Makes quotes from spans of a document's pages.


def quote_from_spans(pages: Sequence[Page], spans: Sequence[Span]) -> Quote:
    """The words under `spans`, without furniture, as a quote.

    `pages` ascend and hold every page of the spans (KeyError else). "[...]" marks words other than furniture
    between one span and the next, struck out or not.
    """
    by_number = {page.number: page for page in pages}
    vocabulary = Vocabulary.of(pages)
    runs: list[list[Word]] = [[]]
    for i, span in enumerate(spans):
        if i and _words_between(pages, spans[i - 1], span):
            runs.append([])
        runs[-1].extend(words_under(by_number[span.page], span))
    text = f" {GAP} ".join(joined_words(run, vocabulary) for run in runs if run)
    return Quote(spans=tuple(spans), text=legible(text))


def _words_between(pages: Sequence[Page], left: Span, right: Span) -> bool:
    """Whether there are words of the text between the spans; a span further back on the pages counts as
    adjacent."""
    between = [page for page in pages if left.page <= page.number <= right.page]
    for page in between:
        start = left.end if page.number == left.page else 0
        end = right.start if page.number == right.page else len(page.text)
        if any(start < w.end and w.start < end and (w.is_text or w.struck) for w in page.words):
            return True
    return False


def locate(text: str, index: DocumentIndex, spans: Sequence[Span]) -> Quote | None:
    """The quote for a text cut from the document itself, such as a sentence of a passage.

    `spans` are the passage's. Unlike `align` it requires no minimum length, as nothing is alleged. None if
    the words are not there in this order.
    """
    quote = Quoted(text)
    if not quote.skeleton or not spans:
        return None
    first = index.number_at(spans[0].page, spans[0].start)
    last = index.number_at(spans[-1].page, spans[-1].end)
    if first is None or last is None:
        return None
    for view in index.views():
        start, end = view.offset(view.entry_of(first)), view.offset(view.entry_of(last))
        for at in view.occurrences(quote.skeleton, start, end):
            stretch = view.stretch(at, at + len(quote.skeleton))
            if stretch is not None:
                return index.quote(view, (stretch,))
    found = find_exact(quote, index, spans)
    return index.quote(found.view, found.stretches) if found else None
