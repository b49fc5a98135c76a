"""How many falsified quotes pass as verbatim or typo, and how many honest ones are refused.

    python -m benchmarks.falsify [--data ../shared/data] [--each 600] [--seed 1] [--show 0]

Raised digits are put between the words of passages, which are then set as pages of their own; list signs and
line numbers are those of the documents as the product reads them.

Every class has the same number of quotes, half of the documents German, half English. The generators
(tests/support/quote_variants.py) have word lists of their own. The rows "examples: ..." are the same over the
example library. Beside it, the usual rule: accepted if the
whole quote or any 5 words in a row stand in the document.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from benchmarks import omissions
from benchmarks.quotes import FOLDERS, Drawn, Paper, draw, example_papers, heading, papers, usual_accepts
from core.domain.answers import Verdict
from core.evidence.alignment import align
from core.evidence.figures import figures
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.library.furniture import marked
from tests.support import asides, mark_variants, raised_digits
from tests.support.misspelling import misspelt
from tests.support.paper import paper
from tests.support.quote_variants import falsifiers, honest

ACCEPTED = (Verdict.VERBATIM, Verdict.TYPO)


@dataclass
class Row:
    """Counts of one class."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    usual: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """Count a verdict that another row has timed."""
        self.verdicts[verdict] += 1

    def line(self, name: str) -> str:
        """The row of the table."""
        total = self.verdicts.total()
        if not total:  # a small sample may have no quote that can be falsified so
            return f"{name:<34}{0:>6}"
        accepted = sum(self.verdicts[verdict] for verdict in ACCEPTED)
        shares = "".join(f"{self.verdicts[v] / total:>9.1%}" for v in SHOWN)
        median = sorted(self.seconds)[total // 2] * 1000 if self.seconds else 0.0
        return (
            f"{name:<34}{total:>6}{accepted / total:>10.2%}{self.usual / total:>9.1%}{shares}{median:>8.1f}"
        )


SHOWN = (Verdict.VERBATIM, Verdict.TYPO, Verdict.CUT, Verdict.NEAR, Verdict.ALTERED, Verdict.ABSENT)


def judge(row: Row, text: str, drawn: Drawn, *, hint: bool, index: DocumentIndex | None = None) -> Verdict:
    """Align `text` with its document, or with `index`, and count what came of it."""
    started = time.perf_counter()
    verdict = align(text, index or drawn.paper.index, hint=(drawn.span,) if hint else ()).verdict
    row.seconds.append(time.perf_counter() - started)
    row.verdicts[verdict] += 1
    row.usual += usual_accepts(text, drawn.paper)
    return verdict


def run(documents: Sequence[Paper], *, each: int, seed: int, show: int) -> Iterator[tuple[str, Row]]:
    """One row per class."""
    by_language = {code: [d for d in documents if d.language == code] for code in ("de", "en")}
    for name in falsifiers("de"):
        row, chance = Row(), random.Random(f"{seed} {name}")
        sources = {code: draw(chance, found) for code, found in by_language.items()}
        while row.verdicts.total() < each:
            code = "de" if row.verdicts.total() % 2 else "en"
            drawn, text = next(sources[code]), None
            other = next(draw(chance, [drawn.paper]))
            words = falsifiers(code)[name](chance, drawn.text.split(), other.text.split())
            text = " ".join(words) if words else None
            if text is None or same(text, drawn.text):
                continue
            verdict = judge(row, text, drawn, hint=True)
            if verdict in ACCEPTED and show > 0:
                print(f"\n{name}: {verdict}\n  was  {drawn.text}\n  now  {text}\n")
        yield name, row
    yield from marked_rows(by_language, each=each, seed=seed, show=show)
    yield from honest_rows(by_language, each=each, seed=seed, show=show)
    yield from raised_rows(by_language, each=each, seed=seed, show=show)
    yield from honest_mark_rows(by_language, each=each, seed=seed, show=show)
    yield from typo_rows(by_language, each=each, seed=seed, show=show)


def marked_rows(
    by_language: dict[str, list[Paper]], *, each: int, seed: int, show: int
) -> Iterator[tuple[str, Row]]:
    """Other symbols and stops; symbols are first put into a passage, for few documents have them."""
    for name, falsify in mark_variants.marked().items():
        row, chance = Row(), random.Random(f"{seed} {name}")
        sources = {code: draw(chance, found) for code, found in by_language.items()}
        while row.verdicts.total() < each:
            drawn = next(sources["de" if row.verdicts.total() % 2 else "en"])
            words = drawn.text.split()
            made = falsify(chance, words)
            if made is None:
                continue
            source, false = made
            index = drawn.paper.index if source == words else DocumentIndex(paper(" ".join(source)))
            verdict = judge(row, " ".join(false), drawn, hint=source == words, index=index)
            if verdict in ACCEPTED and show > 0:
                print(f"\n{name}: {verdict}\n  was  {' '.join(source)}\n  now  {' '.join(false)}\n")
        yield name, row


def honest_mark_rows(
    by_language: dict[str, list[Paper]], *, each: int, seed: int, show: int
) -> Iterator[tuple[str, Row]]:
    """Stops, brackets and spaces as people write them, by kind."""
    chance, kinds, total = random.Random(f"{seed} honest marks"), defaultdict[str, Row](Row), Row()
    sources = {code: draw(chance, found) for code, found in by_language.items()}
    while total.verdicts.total() < each:
        drawn = next(sources["de" if total.verdicts.total() % 2 else "en"])
        kind, text = mark_variants.honest_marks(chance, drawn.text.split())
        verdict = judge(total, text, drawn, hint=True)
        kinds[kind].add(verdict)
        if verdict not in ACCEPTED and show > 0:
            print(
                f"\nhonest marks, {kind}: {verdict} {drawn.paper.path.name} {drawn.page.number}\n  {text}\n"
            )
    yield "honest marks", total
    yield from ((f"  {kind}", row) for kind, row in sorted(kinds.items()))


def typo_rows(
    by_language: dict[str, list[Paper]], *, each: int, seed: int, show: int
) -> Iterator[tuple[str, Row]]:
    """Genuine slips of one letter, by language and kind: accepted is what must be, as a typo."""
    for code, documents in by_language.items():
        chance, kinds, total = random.Random(f"{seed} typos"), defaultdict[str, Row](Row), Row()
        words_of_all = frozenset().union(*(document.index.vocabulary.plain for document in documents))
        for drawn in draw(chance, documents):
            if not all(word.is_text for word in drawn.words):
                continue  # a sign of a symbol font is copied as a letter: more than one slip
            made = misspelt(chance, drawn.text.split(), code, words_of_all)
            if made is None:
                continue
            kind, words = made
            verdict = judge(total, " ".join(words), drawn, hint=False)
            kinds[kind].add(verdict)
            if verdict is not Verdict.TYPO and show > 0:
                print(f"\ntypo, {kind}: {verdict}\n  was  {drawn.text}\n  now  {' '.join(words)}\n")
            if total.verdicts.total() >= each:
                break
        yield f"typos, {code}", total
        yield from ((f"  letter {kind}", row) for kind, row in sorted(kinds.items()))


def honest_rows(
    by_language: dict[str, list[Paper]], *, each: int, seed: int, show: int
) -> Iterator[tuple[str, Row]]:
    """Honest variants, all kinds together and by kind."""
    kinds: dict[str, Row] = {}
    for hint in (True, False):
        row, chance = Row(), random.Random(f"{seed} honest")
        sources = {code: draw(chance, found) for code, found in by_language.items()}
        while row.verdicts.total() < each * 2:
            drawn = next(sources["de" if row.verdicts.total() % 2 else "en"])
            kind, text = honest(chance, drawn.text.split(), shorten=False)
            verdict = judge(row, text, drawn, hint=hint)
            if hint:
                judge(kinds.setdefault(kind, Row()), text, drawn, hint=True)
            if verdict not in ACCEPTED and show > 0 and hint:
                print(f"\nhonest, {kind}: {verdict} {drawn.paper.path.name} {drawn.page.number}\n  {text}\n")
        yield "honest" if hint else "honest, no hint", row
    yield from ((f"  {kind}", row) for kind, row in sorted(kinds.items()))


def raised_rows(
    by_language: dict[str, list[Paper]], *, each: int, seed: int, show: int
) -> Iterator[tuple[str, Row]]:
    """Passages with raised digits between their words, set as pages of their own: falsified, then honest."""
    for name, maker in (*raised_digits.FALSE.items(), *raised_digits.HONEST.items()):
        row, chance = Row(), random.Random(f"{seed} {name}")
        sources = {code: draw(chance, found) for code, found in by_language.items()}
        while row.verdicts.total() < each:
            drawn = next(sources["de" if row.verdicts.total() % 2 else "en"])
            made = maker(chance, drawn.text.split())
            page = Paper(drawn.paper.path, drawn.paper.language, tuple(paper(made.source)))
            verdict = judge(row, made.claim, replace(drawn, paper=page), hint=False)
            if (verdict in ACCEPTED) is (name in raised_digits.FALSE) and show > 0:
                print(f"\n{name}: {verdict}\n  page   {made.source}\n  claim  {made.claim}\n")
        yield name if name in raised_digits.FALSE else f"  {name}", row


async def aside_rows(data: Path, *, each: int, seed: int, show: int) -> list[tuple[str, Row]]:
    """Copies of stretches with list signs and line numbers, from pages as the product reads them. One that
    verifies and shows anything but the text counts as altered."""
    kit = PyMuPdfToolkit()
    read = [
        Paper(path, FOLDERS[path.parent.name], marked((await kit.read(path)).pages))
        for folder in FOLDERS
        for path in sorted((data / folder).glob("*.pdf"))
    ]
    await kit.close()
    pages = [(own, page) for own in read for page in own.pages if not all(w.is_text for w in page.words)]
    rows = []
    for name, copyist in asides.COPYISTS.items():
        row, chance = Row(), random.Random(f"{seed} {name}")
        while row.verdicts.total() < each:
            own, page = chance.choice(pages)
            words = asides.stretches(chance, page)
            if words is None:
                continue
            _judge_copy(row, copyist(chance, words), Drawn(own, page, tuple(words)), show)
        rows.append((f"  {name}", row))
    return rows


def _judge_copy(row: Row, claim: str, drawn: Drawn, show: int) -> None:
    started = time.perf_counter()
    found = align(claim, drawn.paper.index, hint=(drawn.span,))
    row.seconds.append(time.perf_counter() - started)
    text = asides.text_of(drawn.words)
    right = found.quote is not None and skeleton(found.quote.text) == skeleton(text)
    verdict = found.verdict if right or found.verdict not in ACCEPTED else Verdict.ALTERED
    row.verdicts[verdict] += 1
    row.usual += usual_accepts(claim, drawn.paper)
    if verdict not in ACCEPTED and show > 0:
        shown = found.quote.text if found.quote else ""
        print(f"\n{drawn.paper.path.name} {drawn.page.number}: {verdict}\n  claim {claim}\n  shown {shown}\n")


def same(one: str, other: str) -> bool:
    """Whether nothing was falsified after all: the same letters and figures, or a true, shorter quote."""
    if skeleton(one) == skeleton(other) and figures(one) == figures(other):
        return True
    words, whole = ([w for w in map(skeleton, text.split()) if w] for text in (one, other))
    return words in (whole[: len(words)], whole[-len(words) :]) and len(words) < len(whole)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--each", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="1: print every wrongly judged quote")
    options = parser.parse_args()
    documents = papers(options.data)
    print(heading(f"Falsified and honest quotes from {len(documents)} documents, whole-document index"))
    print(
        f"{'class':<34}{'n':>6}{'accepted':>10}{'usual':>9}"
        + "".join(f"{v:>9}" for v in SHOWN)
        + f"{'ms':>8}"
    )
    for name, row in run(documents, each=options.each, seed=options.seed, show=options.show):
        print(row.line(name), flush=True)
    for name, verdicts, seconds in omissions.rows(
        documents, each=options.each, seed=options.seed, show=options.show
    ):
        print(Row(verdicts=verdicts, seconds=seconds).line(name), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        examples = example_papers(Path(folder))
    for name, row in run(examples, each=options.each, seed=options.seed, show=options.show):
        print(row.line(f"examples: {name}"), flush=True)
    for name, verdicts, seconds in omissions.example_rows(
        examples, each=options.each, seed=options.seed, show=options.show
    ):
        print(Row(verdicts=verdicts, seconds=seconds).line(name), flush=True)
    for name, row in asyncio.run(
        aside_rows(options.data, each=options.each, seed=options.seed, show=options.show)
    ):
        print(row.line(name), flush=True)


if __name__ == "__main__":
    main()
