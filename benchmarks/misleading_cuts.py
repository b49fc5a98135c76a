"""Cuts that mislead and pass as plain, harmless cuts that are refused, and whole sentences that are refused.

    python -m benchmarks.misleading_cuts [--data ../shared/data] [--each 200] [--half tune|final|all]
                                         [--models FOLDER]

Sentences are those of real programmes and statutes and of the example library (French: the example library
alone). Documents and planted phrases are in two halves: what was fitted to `tune` is judged on `final`.
`cut_lines` holds sentences that somebody wrote, with <what is quoted> of them: h harmless, m misleading.
`fitted` and `unseen` are by one writer, `learned` and `kept_back` by another who saw no code, a third of
them kept back by a hash, `third_writer` by one whose lines nothing was fitted to; `made` is by whoever made
the network that judges cuts. With --models (a folder of the encoders; those missing are made) it judges
those about which the rules are unsure, as `verify` does.
"""

import argparse
import asyncio
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, pairwise
from pathlib import Path

from adapters.embedding.e5 import PackagedWords
from adapters.embedding.use import UseEmbedder
from benchmarks.omissions import glued, of_two_sizes, sentences_of
from benchmarks.quotes import Paper, example_papers, heading, papers
from core.answering.cut_judge import CutJudge
from core.domain.answers import Verdict
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from tests.support.misleading import Made, Maker, classes, harmless, over_an_end
from tests.support.paper import paper as typeset

HALVES = ("tune", "final")
LINES = {
    "tune": ("fitted", "unseen", "learned", "fourth_writer", "sixth_writer"),
    "final": ("kept_back", "third_writer", "fifth_writer"),
}
"""Sentences that go with a half."""
_PLAIN = (Verdict.VERBATIM, Verdict.TYPO)
_TRIES = 3000
_LINE_WORDS = 11

Said = dict[str, list[tuple[Paper, str]]]
"""Whole sentences by language."""


def said_in(documents: Sequence[Paper]) -> Said:
    """The whole sentences of `documents`."""
    found: Said = {}
    for document in documents:
        own = [" ".join(words) for words in sentences_of(document)]
        found.setdefault(document.language, []).extend((document, said) for said in own)
    return found


Quotes = list[tuple[Paper, Made]]
_NOWHERE = Paper(Path("-"), "", ())
"""Where a written sentence stands, which gets a page of its own."""


def quotes(
    documents: Sequence[Paper], half: int, *, each: int, seed: int
) -> Iterator[tuple[str, bool, Callable[[], Quotes]]]:
    """Name of every class and language, whether its quotes mislead, and what makes them."""
    for language, own in sorted(said_in(documents).items()):
        for misleads, kinds in ((True, classes()), (False, harmless())):
            for name, make in kinds.items():
                title = f"{language} {'' if misleads else 'harmless: '}{name}"
                chance = random.Random(f"{seed} {half} {title}")
                yield title, misleads, partial(_made, chance, own, make, language, half, each)
        chance = random.Random(f"{seed} {half} {language}")
        yield f"{language} over the end of a sentence", True, partial(_over_ends, chance, own, each)
        whole = [(document, ("", said)) for document, said in own]
        first = [
            (d, ("", said)) for d, said in paragraphs_in([d for d in documents if d.language == language])
        ]
        pairs = [(one[0], ("", f"{one[1]} {other[1]}")) for one, other in _adjoining(own)]
        for name, found, count in (
            ("whole sentences", whole, each * 5),
            ("first of a paragraph", first, each * 5),
            ("two sentences in a row", pairs, each),
        ):
            yield f"{language} honest: {name}", False, partial(_sampled, chance, found, count)


def _sampled(chance: random.Random, found: Quotes, count: int) -> Quotes:
    return chance.sample(found, min(len(found), count))


def _over_ends(chance: random.Random, own: Sequence[tuple[Paper, str]], each: int) -> Quotes:
    pairs = [*_adjoining(own)]
    made = (
        (one[0], over_an_end(chance, one[1], other[1]))
        for one, other in chance.sample(pairs, min(len(pairs), each * 4))
    )
    return [(document, each_made) for document, each_made in made if each_made][:each]


def written(half: str) -> Iterator[tuple[str, bool, Callable[[], Quotes]]]:
    """As `quotes`, of the written sentences."""
    for name in (name for of, names in LINES.items() if half in (of, "all") for name in names):
        file = Path(__file__).parent / "cut_lines" / f"{name}.txt"
        rows = sorted(line.split("|", 2) for line in file.read_text(encoding="utf-8").splitlines())
        for (kind, language), group in groupby(rows, key=lambda row: (row[0], row[1])):
            made = [(re.sub("[<>]", "", said), _quoted_in(said)) for _, _, said in group]
            title = f"{language} written, {name}: {'misleading' if kind == 'm' else 'harmless'}"
            yield title, kind == "m", partial(list[tuple[Paper, Made]], [(_NOWHERE, each) for each in made])


def _quoted_in(said: str) -> str:
    return " [...] ".join(part for part in re.findall("<([^<>]*)>", said) if re.search(r"\w", part))


def paragraphs_in(documents: Sequence[Paper]) -> Iterator[tuple[Paper, str]]:
    """The first sentences of paragraphs, mostly below headings: from the beginning to the first stop. Behind
    what is no whole sentence and no heading in other letters no paragraph begins: blocks may be lines."""
    for document in documents:
        for page in document.pages:
            words = [word for word in page.words if not word.furniture and not word.note_chars]
            blocks = [list(group) for _, group in groupby(words, key=lambda word: word.block)]
            for before, block in pairwise(blocks):
                text = " ".join(word.text for word in block)
                found = re.match(r"[A-ZÄÖÜ][^.!?:•\u00ad]{40,300}[a-zäöüß]{3}[.!](?= [A-ZÄÖÜ]|$)", text)
                if not found or "- " in found[0] or re.search(r"\d|\b(bzw|etc|usw)\.$", found[0]):
                    continue
                if not glued(block[: len(found[0].split())]) and (
                    before[-1].text.endswith((".", "!", "?")) or of_two_sizes([before[-1], block[0]])
                ):
                    yield document, found[0]


def _made(
    chance: random.Random, own: Sequence[tuple[Paper, str]], make: Maker, language: str, half: int, each: int
) -> list[tuple[Paper, Made]]:
    found: dict[str, tuple[Paper, Made]] = {}
    for _ in range(_TRIES):
        document, sentence = chance.choice(own)
        made = make(chance, sentence, language, half)
        if made and skeleton(made[1]) != skeleton(made[0]):
            found.setdefault(made[1], (document, made))
        if len(found) == each:
            break
    return [*found.values()]


def _judged(
    title: str,
    made: Sequence[tuple[Paper, Made]],
    judge: Callable[[Alignment], bool],
    *,
    misleads: bool,
    show: int,
) -> Counter[Verdict]:
    verdicts: Counter[Verdict] = Counter()
    for document, (text, quote) in made:
        found = in_its_sentences(quote, placed(document, text))
        verdict = Verdict.VERBATIM if judge(found) else found.verdict
        verdicts[verdict] += 1
        if (verdict in _PLAIN) is misleads and show > 0:
            print(f"\n{title}: {verdict} {found.setting and found.setting.why} {document.path.name}")
            print(f"  quote  {quote}\n  source {found.setting.text if found.setting else found.quote}")
    return verdicts


def placed(document: Paper, text: str) -> DocumentIndex:
    """The document if it has `text`, else a page with it."""
    own = not text or skeleton(text) in document.index.body.text
    return document.index if own else DocumentIndex(typeset(_filled(text)))


def judging(models: Path) -> Callable[[Alignment], bool]:
    """Whether the network calls a cut harmless of which the rules are unsure."""
    cuts = CutJudge(PackagedWords(models), UseEmbedder(models))
    return lambda found: bool(found.unsure and found.setting and asyncio.run(cuts.harmless(found.setting)))


def _filled(text: str) -> str:
    words = ["Davor", "steht", "etwas", "anderes.", *text.split(), "Danach", "kommt", "noch", "etwas."]
    return "\n".join(" ".join(words[i : i + _LINE_WORDS]) for i in range(0, len(words), _LINE_WORDS))


def _adjoining(own: Sequence[tuple[Paper, str]]) -> Iterator[tuple[tuple[Paper, str], tuple[Paper, str]]]:
    """Sentences that follow each other in their document."""
    for one, other in pairwise(own):
        if one[0] is other[0] and skeleton(one[1] + other[1]) in one[0].index.body.text:
            yield one, other


def halved(documents: Sequence[Paper], half: str) -> list[Paper]:
    """Every second document of each language; all of them where there is one."""
    found: list[Paper] = []
    for language in {document.language for document in documents}:
        own = [document for document in documents if document.language == language]
        found += own if half == "all" or len(own) < len(HALVES) else own[HALVES.index(half) :: 2]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=("tune", "final", "all"), default="all")
    parser.add_argument("--show", type=int, default=0, help="1: print every wrongly judged quote")
    parser.add_argument("--only", default="", help="rows with this in their name")
    parser.add_argument("--models", type=Path, help="folder of the encoders; without it by the rules alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        documents = halved([*papers(options.data), *example_papers(Path(folder))], options.half)
    print(heading(f"Cut quotes of {len(documents)} documents, half: {options.half}"))
    print(f"{'class':<44}{'n':>6}{'plain':>9}{'cut':>9}{'other':>9}")
    half = 1 if options.half == "final" else 0
    judge = judging(options.models) if options.models else lambda _: False
    made = quotes(documents, half, each=options.each, seed=options.seed)
    for name, misleads, make in chain(made, written(options.half)):
        if options.only not in name:
            continue
        verdicts = _judged(name, make(), judge, misleads=misleads, show=options.show)
        total = max(verdicts.total(), 1)
        plain, cut = sum(verdicts[v] for v in _PLAIN), verdicts[Verdict.CUT]
        print(
            f"{name:<44}{verdicts.total():>6}{plain / total:>9.1%}{cut / total:>9.1%}"
            f"{(total - plain - cut) / total:>9.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
