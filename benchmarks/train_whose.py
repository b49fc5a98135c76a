"""Trains the head that reads whose words stand beside a sentence, `core/answering/whose.npz`.

`python -m benchmarks.train_whose --models FOLDER --library DATABASE [--prose FILE...] [--out FILE]`

Lines are those of `whose_lines`: patterns of each language; see `benchmarks/heads.py`. Sentences of the
documents of a library are of no kind; every second document is left out, to count on. So are sentences of
FILEs, sets in the SQuAD format: programmes of one language say nothing of others. FOLDER holds the encoders'
files; those that are missing are made.
"""

import argparse
import json
import random
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import NONE, ROOT, Encoded, Row, fitted, patterns, save
from core.answering.whose_words import KINDS, WEIGHTS, lead_of
from core.evidence.text import legible
from core.language.identification import detect
from core.language.sentences import sentences
from core.library.chunking.refutations import disagrees
from core.question.heads import Head, plain

LINES = ROOT / "benchmarks" / "whose_lines"
READ = 6_000
"""Sentences of documents."""
TOLD = 1_200
"""Sentences of each set of prose."""
WRITTEN = 2.0
"""Weight of a line beside a sentence of a document."""


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True, help="the database of a library")
    parser.add_argument("--prose", type=Path, nargs="*", default=[], help="sets in the SQuAD format")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    read = said_in(given.library, half=0)[:READ]
    read += [each for file in given.prose for each in prose(file)[:TOLD]]
    said = [(NONE, plain(each)) for each in read]
    save(trained(Encoded(encoders, given.models / "whose-vectors.npz"), said), given.out)


def trained(encoded: Encoded, said: list[Row]) -> Head:
    """The head, of the patterns and of what is `said` in documents."""
    rows = [((kind, plain(line)), WRITTEN) for kind, line in patterns(LINES, NONE)]
    return fitted(encoded, [*rows, *((row, 1.0) for row in said)], KINDS)


def said_in(database: Path, half: int) -> list[str]:
    """Sentences of every second document, in an order by chance, without those that a rule knows to
    disagree."""
    with closing(sqlite3.connect(database)) as library:
        rows = library.execute(
            "SELECT d.title, d.language, p.text FROM passages p JOIN versions v ON p.version_row = v.row"
            " JOIN documents d ON v.document_id = d.id WHERE p.kind = 'prose'"
        ).fetchall()
    own = [row[1:] for row in rows if zlib.crc32(row[0].encode()) % 2 == half]
    found = sorted(set(_sentences(own)))
    random.Random(3).shuffle(found)
    return found


def prose(file: Path) -> list[str]:
    """Sentences of the paragraphs of a set in the SQuAD format, in an order by chance."""
    data = json.loads(file.read_text(encoding="utf-8"))["data"]
    texts = [paragraph["context"] for article in data for paragraph in article["paragraphs"]]
    language = detect(" ".join(texts[:5]))[0] or "en"
    found = sorted({text[start:end] for text in texts for start, end in sentences(text, language)})
    random.Random(3).shuffle(found)
    return found


def _sentences(rows: list[tuple[str, str]]) -> Iterator[str]:
    for language, text in rows:
        said = legible(text)
        for start, end in sentences(said, language):
            if not disagrees(line := said[start:end]):
                yield from (line, lead_of(line))


if __name__ == "__main__":
    main()
