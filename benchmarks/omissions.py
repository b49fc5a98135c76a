"""Quotes that leave out what turns them (a part of `benchmarks.falsify`; what changes nothing, and what may:
`benchmarks.misleading_cuts`). Alone: python -m benchmarks.omissions [--each 1000].

Over the example library stand, beside the same classes, every sentence with one denial that has "[...]" in
its place, and every cut directly at a denial.
"""

import argparse
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path

from benchmarks.quotes import Paper, example_papers, heading, papers
from core.domain.answers import Verdict
from core.domain.pages import Word
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from tests.support.omissions import (
    cuts,
    cuts_at_denials,
    elisions,
    led_into,
    only_denial_elided,
    reported,
)
from tests.support.paper import paper as typeset

_TRIES = 400
"""Sentences drawn for one quote at most; classes that real documents hardly have stay smaller."""
_WORDS = (6, 70)
_STOP = re.compile(r"[a-zäöüß]{3}(?<!\bbzw)(?<!\betc)(?<!\busw)[.!?]$")
_NOTE = re.compile(r"[a-zäöüß][.!?]\d+$")
"""A stop with the mark of a note."""
_ALIKE = 1.15
"""Heights of the letters of one text differ by less."""
_EARLY = 6
"""What is left free at the end of a line that ends early, in heights of its letters."""

Made = tuple[str, DocumentIndex]
Row = tuple[str, Counter[Verdict], list[float]]
"""Name, verdicts and seconds of a class."""


@dataclass(frozen=True)
class Sentence:
    """A whole sentence of a document, as its words are printed."""

    paper: Paper
    words: tuple[str, ...]


def drawn_sentences(chance: random.Random, documents: Sequence[Paper]) -> Iterator[Sentence]:
    """Random sentences without end, every document equally often."""
    found = [(document, sentences_of(document)) for document in documents]
    usable = [(document, said) for document, said in found if said]
    while True:
        document, said = chance.choice(usable)
        yield Sentence(document, chance.choice(said))


def sentences_of(document: Paper) -> list[tuple[str, ...]]:
    """From behind a stop to the next one, on one page, with no other between and no heading in front: a rule
    of its own, so that the cutter's faults show."""
    found: list[tuple[str, ...]] = []
    for page in document.pages:
        printed = [word for word in page.words if not word.furniture]
        words = [_printed(word.text, word.note_chars) for word in printed]
        start = None
        for i, word in enumerate(words):
            if _STOP.search(word) and (i + 1 == len(words) or words[i + 1][:1].isupper()):
                said = tuple(words[start : i + 1]) if start is not None else ()
                inner = any(w[-1] in ".!?:-\u00ad" or _NOTE.search(w) for w in said[:-1])
                if _WORDS[0] <= len(said) <= _WORDS[1] and not inner and not glued(printed[start : i + 1]):
                    found.append(said)
                start = i + 1
    return found


def glued(words: Sequence[Word]) -> bool:
    """Whether the words may be those of a heading and of the sentence below it: letters of two sizes, or a
    capital behind a line that ends early or where another block begins."""
    if of_two_sizes(words):
        return True
    ends: dict[tuple[int, int], float] = {}
    for word in words:
        ends[word.block, word.line] = word.box.x1
    reach = max(ends.values())
    return any(
        other.text.lstrip("„“\"'»«‚‘(")[:1].isupper()
        and (one.block != other.block or ends[one.block, one.line] < reach - _EARLY * _height(one))
        for one, other in pairwise(words)
        if (one.block, one.line) != (other.block, other.line)
    )


def of_two_sizes(words: Sequence[Word]) -> bool:
    """Whether some of the words are in larger letters than others."""
    heights = [_height(word) for word in words]
    return max(heights) > _ALIKE * min(heights)


def _height(word: Word) -> float:
    return word.box.y1 - word.box.y0


def _printed(text: str, note_chars: int) -> str:
    return text[: len(text) - note_chars] if note_chars else text


def classes(by_language: dict[str, list[Paper]], chance: random.Random) -> dict[str, Iterator[Made | None]]:
    """Quotes of every class without end, half German, half English; None where a sentence serves for none."""
    kinds = {**elisions(), **cuts()}
    sources = [drawn_sentences(chance, found) for found in by_language.values() if found]
    found = {name: _of_sentences(chance, sources, make) for name, make in kinds.items()}
    return {
        **found,
        "reported speech": _reported(chance, by_language),
        "list lead-in": _led(chance, by_language),
    }


def _of_sentences(
    chance: random.Random,
    sources: Sequence[Iterator[Sentence]],
    make: Callable[[random.Random, Sequence[str]], str | None],
) -> Iterator[Made | None]:
    while True:
        for source in sources:
            for sentence in islice(source, _TRIES):
                text = make(chance, sentence.words)
                if text is not None and not _elsewhere(text, sentence.paper):
                    yield text, sentence.paper.index
                    break
            else:
                yield None


def _elsewhere(quote: str, document: Paper) -> bool:
    """Whether the quote, or every part of it, stands in the document a second time, where it may be whole."""
    parts = [skeleton(part) for part in re.split(r"\[?\(?(?:\.{3}|…)\]?\)?", quote)]
    return all(document.index.body.text.count(part) > 1 for part in parts)


def _reported(chance: random.Random, by_language: dict[str, list[Paper]]) -> Iterator[Made | None]:
    sources = {code: drawn_sentences(chance, found) for code, found in by_language.items() if found}
    while True:
        for code, source in sources.items():
            before, said, behind = islice(source, 3)
            again = skeleton(" ".join(said.words)) in {skeleton(" ".join(s.words)) for s in (before, behind)}
            planted = None if again else reported(chance, code, said.words)
            yield planted and _on_a_page(
                " ".join(before.words), planted[0], " ".join(behind.words), planted[1]
            )


def _led(chance: random.Random, by_language: dict[str, list[Paper]]) -> Iterator[Made | None]:
    sources = {code: drawn_sentences(chance, found) for code, found in by_language.items() if found}
    while True:
        for code, source in sources.items():
            before, *others, said = (sentence.words for sentence in islice(source, chance.randint(2, 6)))
            again = skeleton(" ".join(said)) in {skeleton(" ".join(words)) for words in (before, *others)}
            planted = None if again else led_into(chance, code, said, [words[:12] for words in others])
            yield planted and _on_a_page(" ".join(before), planted[0], "", planted[1])


def _on_a_page(before: str, planted: str, behind: str, quote: str) -> Made:
    lines = [line for text in (before, planted, behind) for line in _filled(text)]
    return quote, DocumentIndex(typeset("\n".join(lines)))


def _filled(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        words = line.split()
        for i in range(0, len(words), 11):
            yield " ".join(words[i : i + 11])


def rows(documents: Sequence[Paper], *, each: int, seed: int, show: int) -> Iterator[Row]:
    """The row of every class."""
    by_language = {code: [d for d in documents if d.language == code] for code in ("de", "en")}
    chance = random.Random(f"{seed} omissions")
    for name, made in classes(by_language, chance).items():
        quotes = (item for item in islice(made, each) if item is not None)
        yield _row(name, quotes, show=show)


def _row(name: str, quotes: Iterable[Made], *, show: int) -> Row:
    verdicts: Counter[Verdict] = Counter()
    seconds = []
    for text, index in quotes:
        started = time.perf_counter()
        found = in_its_sentences(text, index)
        seconds.append(time.perf_counter() - started)
        verdicts[found.verdict] += 1
        if found.verdict in (Verdict.VERBATIM, Verdict.TYPO) and show > 0:
            print(f"\n{name}: {found.verdict} {found.setting and found.setting.why}\n  quote  {text}")
            print(f"  source {found.setting.text if found.setting else found.quote}")
    return name, verdicts, seconds


def every_denial(documents: Sequence[Paper], *, show: int) -> Iterator[Row]:
    """All quotes that can be made of all sentences of `documents`: the only denial of a sentence elided, and
    cuts directly at one. Nothing is drawn."""
    said = [Sentence(document, words) for document in documents for words in sentences_of(document)]
    elided = ((quote, one.paper) for one in said if (quote := only_denial_elided(one.words)))
    cut = ((quote, one.paper) for one in said for quote in cuts_at_denials(one.words))
    for name, made in (("only denial elided", elided), ("cuts at denials", cut)):
        quotes = ((quote, own.index) for quote, own in made if not _elsewhere(quote, own))
        yield _row(f"examples: every {name}", quotes, show=show)


def example_rows(documents: Sequence[Paper], *, each: int, seed: int, show: int) -> Iterator[Row]:
    """All classes over the example library."""
    yield from every_denial(documents, show=show)
    for name, verdicts, seconds in rows(documents, each=each, seed=seed, show=show):
        yield f"examples: {name}", verdicts, seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-most", type=int, default=1000, help="documents of each folder")
    parser.add_argument("--show", type=int, default=0, help="1: print every wrongly judged quote")
    parser.add_argument("--examples-only", action="store_true", help="no documents but the example library")
    options = parser.parse_args()
    documents = [] if options.examples_only else papers(options.data, at_most=options.at_most)
    with tempfile.TemporaryDirectory() as folder:
        examples = example_papers(Path(folder))
    print(
        heading(
            f"Quotes that leave something out, from {len(documents)} documents and {len(examples)} examples"
        )
    )
    print(f"{'class':<34}{'n':>6}{'accepted':>10}{'cut':>9}{'other':>9}{'ms':>8}")
    drawn = {"each": options.each, "seed": options.seed, "show": options.show}
    real = rows(documents, **drawn) if documents else ()
    for name, verdicts, seconds in chain(real, example_rows(examples, **drawn)):
        total = max(verdicts.total(), 1)
        accepted = verdicts[Verdict.VERBATIM] + verdicts[Verdict.TYPO]
        cut = verdicts[Verdict.CUT]
        median = sorted(seconds)[len(seconds) // 2] * 1000 if seconds else 0.0
        print(
            f"{name:<34}{verdicts.total():>6}{accepted / total:>10.2%}{cut / total:>9.1%}"
            f"{(total - accepted - cut) / total:>9.1%}{median:>8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
