"""Quotes that leave out what turns them, and honest ones that leave out what changes nothing (a part of
`benchmarks.falsify`; alone: python -m benchmarks.omissions [--each 1000])."""

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.quotes import Paper, heading, papers
from core.domain.answers import Verdict
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from tests.support.omissions import cuts, elisions, harmless, led_into, reported
from tests.support.paper import paper as typeset

_TRIES = 400
"""Sentences drawn for one quote at most; classes that real documents hardly have stay smaller."""
_WORDS = (6, 70)

Made = tuple[str, DocumentIndex]


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
    """From behind a stop to the next one, on one page, with no other between: a rule of its own, so that
    the cutter's faults show."""
    found: list[tuple[str, ...]] = []
    for page in document.pages:
        words = [_printed(word.text, word.note_chars) for word in page.words if not word.furniture]
        start = None
        for i, word in enumerate(words):
            if re.search(r"[a-zäöüß]{3}[.!?]$", word) and (i + 1 == len(words) or words[i + 1][:1].isupper()):
                said = tuple(words[start : i + 1]) if start is not None else ()
                if _WORDS[0] <= len(said) <= _WORDS[1] and not any(w[-1] in ".!?:-\u00ad" for w in said[:-1]):
                    found.append(said)
                start = i + 1
    return found


def _printed(text: str, note_chars: int) -> str:
    return text[: len(text) - note_chars] if note_chars else text


def classes(by_language: dict[str, list[Paper]], chance: random.Random) -> dict[str, Iterator[Made | None]]:
    """Quotes of every class without end, half German, half English; None where a sentence serves for none."""
    kinds = {**elisions(), **cuts(), **harmless()}
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
            planted = led_into(chance, code, said, [words[:12] for words in others])
            yield planted and _on_a_page(" ".join(before), planted[0], "", planted[1])


def _on_a_page(before: str, planted: str, behind: str, quote: str) -> Made:
    lines = [line for text in (before, planted, behind) for line in _filled(text)]
    return quote, DocumentIndex(typeset("\n".join(lines)))


def _filled(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        words = line.split()
        for i in range(0, len(words), 11):
            yield " ".join(words[i : i + 11])


def rows(
    documents: Sequence[Paper], *, each: int, seed: int, show: int
) -> Iterator[tuple[str, Counter[Verdict], list[float]]]:
    """Name, verdicts and seconds of every class."""
    by_language = {code: [d for d in documents if d.language == code] for code in ("de", "en")}
    chance = random.Random(f"{seed} omissions")
    for name, made in classes(by_language, chance).items():
        verdicts: Counter[Verdict] = Counter()
        seconds = []
        for item in islice(made, each):
            if item is None:
                continue
            text, index = item
            started = time.perf_counter()
            verdict = in_its_sentences(text, index).verdict
            seconds.append(time.perf_counter() - started)
            verdicts[verdict] += 1
            wrong = (verdict in (Verdict.VERBATIM, Verdict.TYPO)) != name.startswith("harmless")
            if wrong and show > 0:
                found = in_its_sentences(text, index)
                print(f"\n{name}: {verdict} {found.setting and found.setting.why}\n  quote  {text}")
                print(f"  source {found.setting.text if found.setting else found.quote}")
        yield name, verdicts, seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-most", type=int, default=1000, help="documents of each folder")
    parser.add_argument("--show", type=int, default=0, help="1: print every wrongly judged quote")
    options = parser.parse_args()
    documents = papers(options.data, at_most=options.at_most)
    print(heading(f"Quotes that leave something out, from {len(documents)} documents"))
    print(f"{'class':<24}{'n':>6}{'accepted':>10}{'cut':>9}{'other':>9}{'ms':>8}")
    for name, verdicts, seconds in rows(documents, each=options.each, seed=options.seed, show=options.show):
        total = max(verdicts.total(), 1)
        accepted = verdicts[Verdict.VERBATIM] + verdicts[Verdict.TYPO]
        cut = verdicts[Verdict.CUT]
        median = sorted(seconds)[len(seconds) // 2] * 1000 if seconds else 0.0
        print(
            f"{name:<24}{verdicts.total():>6}{accepted / total:>10.2%}{cut / total:>9.1%}"
            f"{(total - accepted - cut) / total:>9.1%}{median:>8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
