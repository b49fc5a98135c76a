"""Trains the head that knows requests for voting advice over the packaged encoders, `core/search/advice.npz`.

`python -m benchmarks.train_advice --models FOLDER [--without FILE...] [--out FILE]`
`python -m benchmarks.train_advice --models FOLDER --count FILE...`

Lines are those of `advice_lines`: patterns of each language, in which "@" stands for a party, and what
writers wrote (a label, "advice" or "question", a language, and a line with {P} and {Q} for parties), with
those that the rules are tested with; see `benchmarks/heads.py`. With --count it counts instead what of FILEs
is known, by the rules alone and with the packaged head: of lines like the writers' (.tsv), or of questions
(JSON lines). FOLDER holds the encoders' files; those that are missing are made.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import (
    NONE,
    ROOT,
    WRITERS,
    Encoded,
    Row,
    fitted,
    harmless,
    in_haste,
    patterns,
    save,
    written_in,
)
from core.domain.registry import Party, Registry
from core.domain.search import QuestionKind
from core.question.kinds import kind_of
from core.registry.detection import Detector
from core.search.advice_reader import PARTY, WEIGHTS, AdviceReader, masked
from core.search.heads import Head
from tests.search.test_voting_advice import ABOUT_THE_PARTY, ADVICE, WHICH_IS_BEST, WHICH_WANTS

LINES = ROOT / "benchmarks" / "advice_lines"

QUESTION, SOME = "question", "advice"
"""Labels of writers."""

BEFORE = (
    *(
        "hey, ",
        "sag mal ",
        "ehrlich: ",
        "hallo bot ",
        "so, ",
        "honestly, ",
        "hi, ",
        "ok ",
        "salut ",
        "nur kurz: ",
    ),
    *(
        "Ich bin 34 und wohne zur Miete. ",
        "Mir ist Klima wichtig. ",
        "Wir haben zwei Kinder und bauen gerade. ",
    ),
    *("Hallo, ich bin Rentner und neu hier. ", "I'm 40 and rent a flat. ", "I care about the climate. "),
    *(
        "Good morning, I'm a nurse. ",
        "We have two kids. ",
        "Je suis infirmière. ",
        "Bonjour, j'ai deux enfants. ",
    ),
)
BEHIND = ("??", "...", " bitte", " danke", "!", " please", " stp", " kurz", " thx", "?")

REGISTERED = {
    "SPD": ("Sozialdemokraten", "Labour", "Labour Party"),
    "CDU/CSU": ("CDU", "CSU", "Union", "Tories", "Conservatives", "Les Républicains"),
    "Grüne": ("Grünen", "Bündnis 90/Die Grünen", "Greens", "Green Party", "Les Verts", "EELV"),
    "FDP": ("Liberalen", "Liberal Democrats", "Lib Dems", "LibDems"),
    "Die Linke": ("Linke", "Linkspartei", "La France insoumise", "LFI"),
    "AfD": ("Alternative für Deutschland", "Reform UK", "Rassemblement national"),
    "BSW": ("Bündnis Sahra Wagenknecht", "SNP", "Plaid Cymru", "Renaissance"),
    "Volt": ("Freie Wähler", "Sinn Féin", "Fianna Fáil", "Parti socialiste"),
    "Piraten": ("Piratenpartei", "SSW", "ÖDP", "dieBasis", "Bündnis Deutschland", "PARTEI"),
}
"""Parties whose names are read as the same in questions of the training sets, and to count with."""


def main() -> None:
    """Train and write, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=[], help="files of writers to leave out")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--count", type=Path, nargs="*", default=[], help="files to count instead")
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    if given.count:
        asyncio.run(count(AdviceReader(encoders), given.count))
    else:
        save(trained(Encoded(encoders, given.models / "advice-vectors.npz"), given.without), given.out)


def detector() -> Detector:
    """Who finds the names of REGISTERED."""
    parties = tuple(Party(name=name, aliases=aliases) for name, aliases in REGISTERED.items())
    return Detector(Registry(parties=parties), [])


def trained(encoded: Encoded, without: Sequence[str]) -> Head:
    """The head."""
    files = [file for file in sorted(LINES.glob("*.tsv")) if file.name not in without]
    by_writers = [row for file in files for row in written_in(file, QUESTION, SOME)]
    first = [*patterns(LINES, QUESTION), *tested()]
    names = detector()
    asked = [(NONE, masked(said, names.detect(said).party_stretches)) for _, said in harmless()]
    rows = [(row, 1.0) for row in (*first, *in_haste(first, 2, BEFORE, BEHIND, alike=True))]
    rows += [(row, WRITERS) for row in (*by_writers, *in_haste(by_writers, 2, BEFORE, BEHIND, alike=True))]
    read = [((kind, with_party(said)), weight) for (kind, said), weight in rows]
    return fitted(encoded, [*read, *((row, 1.0) for row in asked)], (SOME,))


def tested() -> list[Row]:
    """The lines that the rules are tested with."""
    asked = [(SOME, said) for said in (*ADVICE, *WHICH_IS_BEST)]
    return asked + [(NONE, said) for said in (*ABOUT_THE_PARTY, *WHICH_WANTS)]


def with_party(line: str) -> str:
    """A line as the head reads it, PARTY in place of what stands for a party."""
    return masked(re.sub(r"@|\{[PQ]?\}", PARTY, line), ())


async def count(reader: AdviceReader, files: Sequence[Path]) -> None:
    """Print what is taken for a request for advice, with each of two parties in the lines of writers."""
    names = detector()
    for file in files:
        said = written_in(file, QUESTION, SOME) if file.suffix == ".tsv" else questions(file)
        known, by_rules, wrong = {SOME: 0, NONE: 0}, {SOME: 0, NONE: 0}, []
        for kind, line in said:
            asked = line.replace("{P}", "SPD").replace("{Q}", "AfD")
            found = names.detect(asked)
            ruled = kind_of(asked, names=found.names, parties=found.party_names) is QuestionKind.OFF_TOPIC
            advice = ruled or await reader.asked(asked, found.party_stretches)
            by_rules[kind] += ruled
            known[kind] += advice
            if advice is not (kind == SOME):
                wrong.append(f"{kind}: {asked}")
        for kind, name in ((SOME, "requests for advice"), (NONE, "questions")):
            there = sum(each == kind for each, _ in said)
            print(f"{file}: of {there} {name} declined: {known[kind]} (rules alone {by_rules[kind]})")
        print(*wrong, sep="\n")


def questions(file: Path) -> list[Row]:
    """Questions, none of them for advice."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(NONE, row.get("question") or row.get("text") or "") for row in rows]


if __name__ == "__main__":
    main()
