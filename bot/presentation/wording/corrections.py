"""Corrections in words, with the changes marked, and news of a chat's subscriptions."""

import re
from collections.abc import Container, Iterator, Sequence

from rapidfuzz.distance import Levenshtein

from bot.presentation.escaping import defused_marks
from bot.presentation.i18n import Texts, Value
from bot.presentation.phrases import page_name
from bot.presentation.presenter import Presenter
from bot.presentation.wording.answers import AnswerMessages, Speaker
from core.domain.records import Recheck, Rechecked
from core.domain.rich_text import Block, Mark, RichText, Style, joined, quotation, rich, small
from core.domain.subscriptions import News
from core.evidence.index import GAP

_WORD = re.compile(r"\S+")
_GAPS = re.compile(rf"(?:{re.escape(GAP)})[.!?]?")

Ranges = list[tuple[int, int]]
"""Character ranges."""


def block(found: Rechecked, texts: Texts) -> RichText:
    """A correction in words: the quote, and what the document says now; in a changed quote, removed words are
    struck out and new ones in bold; one that is gone is struck out completely."""
    was, now = found.was.quote, found.now.quote.text if found.now else ""
    went, came = Ranges(), Ranges()
    if found.outcome is Recheck.GONE:
        went = [*_between_gaps(was)]
    elif found.outcome is not Recheck.KEPT and now:
        now = with_gaps(was, now)
        went, came = changed_words(was, now)
    went = [*_outside(went, was, found.standing)]
    values: dict[str, Value] = {
        "title": found.edition.document.fields.title,
        "date": texts.day_of(found.edition.version.seen_from),
    }
    lines: list[Block] = [texts(f"correction.{found.outcome.value}", **values)]
    if found.outcome is not Recheck.KEPT:
        lines += [
            texts("correction.was", page=quoted_page(found, texts)),
            _quote(was, went, (Style.STRUCK,), texts),
        ]
    if found.now is not None:
        key = "correction.nearest" if found.outcome is Recheck.GONE else "correction.now"
        printed = found.now.printed_labels[0] if found.now.printed_labels else None
        page = page_name(found.now.quote.pages[0], printed, texts)
        lines += [texts(key, page=page), _quote(now, came, (Style.BOLD, Style.DIFFERENCE), texts)]
    return joined(lines)


def _outside(ranges: Ranges, quote: str, standing: Sequence[str]) -> Iterator[tuple[int, int]]:
    """`ranges` of `quote` without those within an unchanged sentence."""
    kept = [(at, at + len(each)) for each in standing if (at := quote.find(each)) >= 0]
    for start, end in ranges:
        if not any(first <= start and end <= last for first, last in kept):
            yield start, end


def place(found: Rechecked, texts: Texts) -> str:
    """The place of the checked quote: its title and page."""
    title = found.edition.document.fields.title
    return texts("correction.place", title=title, page=quoted_page(found, texts))


def quoted_page(found: Rechecked, texts: Texts) -> str:
    """The page on which the quote was shown."""
    pages, printed = found.was.pages, found.was.printed_labels
    return page_name(pages[0], printed[0] if printed else None, texts) if pages else "–"


def _quote(words: str, ranges: Ranges, styles: Sequence[Style], texts: Texts) -> RichText:
    marks = tuple(Mark(style=style, start=start, end=end) for start, end in ranges for style in styles)
    said = defused_marks(RichText(words, marks))
    return quotation(rich(texts("quote.opening")) + said + texts("quote.closing"))


def with_gaps(old: str, new: str) -> str:
    """`new` with the gaps of the quote `old`: words of `new` where `old` omitted something were not quoted,
    so they are omitted again."""
    words, kept, gaps = new.split(), list[str](), set[int]()
    for word in old.split():
        if _GAPS.fullmatch(word):
            gaps.add(len(kept))
        else:
            kept.append(word)
    left_out = set[int]()
    for step in Levenshtein.opcodes(kept, words):
        if step.tag == "insert":
            left_out |= _at_gap(step.src_start, range(step.dest_start, step.dest_end), words, gaps)
    shown = [
        GAP if number in left_out else word
        for number, word in enumerate(words)
        if number not in left_out or number - 1 not in left_out
    ]
    return " ".join(shown)


def _at_gap(place: int, came: range, words: Sequence[str], gaps: Container[int]) -> set[int]:
    """The words `came`, inserted before word `place`, if they are at a gap, else none; in a repetition the
    first words may as well be the new ones."""
    while place not in gaps:
        if not place or words[came[0] - 1] != words[came[-1]]:
            return set()
        place, came = place - 1, range(came[0] - 1, came[-1])
    return set(came)


def changed_words(old: str, new: str) -> tuple[Ranges, Ranges]:
    """The character ranges of words in `old` that `new` lacks, and vice versa; neighbouring ones merged. Gaps
    do not count as words."""
    left, right = [*_WORD.finditer(old)], [*_WORD.finditer(new)]
    steps = Levenshtein.opcodes([word[0] for word in left], [word[0] for word in right])
    changes = [step for step in steps if step.tag != "equal"]
    return (
        [*_ranges(left, [(step.src_start, step.src_end) for step in changes])],
        [*_ranges(right, [(step.dest_start, step.dest_end) for step in changes])],
    )


def _ranges(words: list[re.Match[str]], stretches: Ranges) -> Iterator[tuple[int, int]]:
    """The stretches of words as characters, joined where they touch, without gaps."""
    changed = [number for first, end in stretches for number in range(first, end)]
    before: int | None = None
    start = 0
    for number in changed:
        if _GAPS.fullmatch(words[number][0]):
            continue
        if before is not None and number != before + 1:
            yield start, words[before].end()
        if before is None or number != before + 1:
            start = words[number].start()
        before = number
    if before is not None:
        yield start, words[before].end()


def _between_gaps(text: str) -> Iterator[tuple[int, int]]:
    words = [*_WORD.finditer(text)]
    return _ranges(words, [(0, len(words))])


SHOWN = 8
"""Maximum changes listed per subscription; further ones are only counted."""


def news_blocks(name: str, news: Sequence[News], presenter: Presenter, texts: Texts) -> Iterator[Block]:
    """What is new about `name`, in pieces that may be sent separately."""
    first, *rest = [_news_block(each, presenter, texts) for each in news[:SHOWN]]
    yield joined([texts("subscription.about", name=name), first])
    yield from rest
    if len(news) > SHOWN:
        yield small(texts("subscription.more", count=len(news) - SHOWN))


def _news_block(news: News, presenter: Presenter, texts: Texts) -> Block:
    if news.rechecked is not None:
        return block(news.rechecked, texts)
    if news.citation is not None:
        quotes = AnswerMessages(presenter).quotes([news.citation], texts, Speaker(), labelled=False)
        return joined([texts("subscription.answer"), *quotes])
    title = presenter.document_line(news.document, texts) if news.document else ""
    return texts(f"subscription.{news.kind.value}", title=title)
