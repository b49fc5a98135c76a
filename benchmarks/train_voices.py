"""Trains the heads that read whose words a sentence is, and judges them: `core/answering/voices.npz` by its
surroundings, `core/answering/voices_read.npz` by the sentence among its neighbours.

`python -m benchmarks.train_voices --models FOLDER --written DIR --library DIR [--only HEAD] [--out FOLDER]`

`voices/` has 470 documents by eight writers who saw no code, in German, English and French: each sentence is
labelled as the owner's own, as a fact, as somebody else's ("other") or as held before ("former"). They are
read into `--written` if that is not there. Sentences of every second document of the library `--library` are
the owner's own; the others are judged. The heads are judged on the writers that they did not learn from, the
first also on documents that it did not, beside what rules find in the same sentences; of each writer the area
under the curve is printed, and what is refused above bounds. Then they are trained on all. FOLDER holds the
encoders' files; those that are missing are made.
"""

import argparse
import asyncio
import json
import random
import re
import sqlite3
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5 import PackagedWords
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import ROOT, Encoded, arrays_of
from benchmarks.networks import fitted
from core.answering.extractive.own_words import said_in
from core.answering.told import Voice
from core.answering.voice_head import (
    READ_WEIGHTS,
    WEIGHTS,
    Cues,
    Said,
    among,
    beside,
    features,
    runs,
)
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import PassageId, VersionId
from core.domain.passages import Passage, PassageKind
from core.evidence.text import legible
from core.ports.models import ContextEncoder
from core.question.carried import chances_of
from core.question.heads import plain

WRITTEN = ROOT / "benchmarks" / "voices"
BINDING = {
    *("statute", "fees", "fee schedule", "statutes", "statuts", "tarifs", "règlement et tarifs"),
    *("school rules", "insurance terms with examples"),
}
KINDS = {"own": 0, "fact": 0, "other": 1, "former": 2}
REAL = 900
WEIGHT = {"": 0.5, "former": 3.0}
"""By label: of the library's sentences, which nobody labelled, and of few that would be outweighed."""
SHRINK, ROUNDS, FOLDS = 0.01, 200, 5
HIDDEN = 128
DAY = date(2026, 11, 29)
Floats = NDArray[np.float32]
Heard = Callable[[NDArray[Any], NDArray[Any]], Floats]
"""The chances of the second rows by a head that has learned from the first."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence: its document, its label ("" where nobody gave one) and what the head reads."""

    document: str
    label: str
    said: tuple[Said, ...]
    number: int
    fields: DocumentFields

    @property
    def by_rules(self) -> bool:
        """Whether rules find that it is not to be quoted."""
        own = self.said[self.number]
        return own.others or own.voice is not Voice.OWN


def main() -> None:
    """Judge, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--written", type=Path, required=True, help="a library of the writers' documents")
    parser.add_argument("--library", type=Path, required=True, help="a library of real documents")
    parser.add_argument("--out", type=Path, default=WEIGHTS.parent)
    parser.add_argument("--only", choices=("surroundings", "neighbours"), help="train one of the heads")
    given = parser.parse_args()
    if not (given.written / "fundstelle.sqlite3").exists():
        _ingest(given.written)
    labels = _labels()
    rows = [row for row in _rows(given.written, labels) if row.label]
    real = sorted(_rows(given.library, {}), key=lambda row: zlib.crc32(row.said[row.number].text.encode()))
    halves = [
        [row for row in real if zlib.crc32(row.document.encode()) % 2 == half][:REAL] for half in (0, 1)
    ]
    rows += [*halves[0], *halves[1]]
    known = np.array([KINDS.get(row.label, 0) for row in rows])
    weights = np.array([WEIGHT.get(row.label, 1.0) for row in rows], np.float32)
    judged = np.array([not row.label and zlib.crc32(row.document.encode()) % 2 == 1 for row in rows])
    learned = Learned(rows, known, weights, judged)
    if given.only != "neighbours":
        by_surroundings(learned, given.models, given.out)
    if given.only != "surroundings":
        among_neighbours(learned, PackagedWords(given.models), given.out)


@dataclass(frozen=True, slots=True)
class Learned:
    """What is learned: rows, the numbers of their kinds, their weights, and which are judged alone."""

    rows: Sequence[Row]
    known: NDArray[Any]
    weights: Floats
    judged: NDArray[Any]

    def by_writer(self, heard: Heard, name: str) -> None:
        """Judge heads on the writers that they have not learned from, and on the real rows judged alone."""
        for file in sorted(WRITTEN.glob("*.jsonl")):
            own = {f"{each['id']}.md" for each in _documents((file,))}
            groups = np.array([0 if row.label and row.document in own else -1 for row in self.rows])
            _judge(f"{file.stem} by the others, {name}", self.rows, _unseen(heard, groups, self.judged))


def by_surroundings(learned: Learned, models: Path, out: Path) -> None:
    """The quick head."""
    rows, known, weights = learned.rows, learned.known, learned.weights
    encoded = Encoded((UseEmbedder(models),), models / "voices-vectors.npz")
    read = _features(encoded, rows)

    def heard(learned: NDArray[Any], out: NDArray[Any]) -> Floats:
        mean, matrix, bias = _fitted(read, known, weights, learned)
        return 1 - _chances((read[out] - mean) @ matrix + bias)[:, 0]

    learned.by_writer(heard, "by surroundings")
    folds = [zlib.crc32(row.document.encode()) // 7 % FOLDS if row.label else -1 for row in rows]
    _judge("another document", rows, _unseen(heard, np.array(folds), learned.judged))
    mean, matrix, bias = _fitted(read, known, weights, np.ones(len(rows), bool))
    np.savez_compressed(
        out / WEIGHTS.name,
        encoder=np.array(encoded.names[0]),
        mean=mean.astype(np.float16),
        weights=matrix.astype(np.float16),
        bias=bias,
    )


def among_neighbours(learned: Learned, encoder: PackagedWords, out: Path) -> None:
    """The head that reads sentences among their neighbours."""
    rows, others = learned.rows, learned.known > 0
    cues = np.stack([Cues(row.fields).of(row.said[row.number]) for row in rows])
    read = np.concatenate([asyncio.run(_in_context(encoder, rows)), cues], axis=1)

    def heard(learnt: NDArray[Any], out: NDArray[Any]) -> Floats:
        network = fitted(read[learnt], others[learnt], HIDDEN, weights=learned.weights[learnt])
        return chances_of(network.odds(read[out]))

    learned.by_writer(heard, "read")
    network = fitted(read, others, HIDDEN, weights=learned.weights)
    np.savez_compressed(out / READ_WEIGHTS.name, encoder=np.array(encoder.name), **arrays_of(network))


def _judge(name: str, rows: Sequence[Row], foreign: Floats) -> None:
    labels = np.array([row.label for row in rows])
    rules, known = np.array([row.by_rules for row in rows]), np.isin(labels, ("other", "former"))
    own = np.isin(labels, ("own", "fact"))
    groups = {
        "own refused": own,
        "other": labels == "other",
        "former": labels == "former",
        "real": labels == "",
    }
    seen = foreign >= 0
    written = seen & (labels != "")
    print(f"{name}: area under the curve {_area(foreign[written], known[written]):.3f}")
    for bound in (2.0, 0.6, 0.7, 0.75, 0.8, 0.9):
        refused = rules | (foreign > bound)
        judged = {key: where & seen for key, where in groups.items()}
        shares = {key: refused[where].mean() for key, where in judged.items() if where.any()}
        print(name, "rules" if bound > 1 else bound, *(f"{key} {share:.3f}" for key, share in shares.items()))


def _area(chances: Floats, known: NDArray[Any]) -> float:
    """The area under the curve: how often one of others is held for that more than an own one is."""
    others, own = chances[known], chances[~known]
    return float(np.mean([(own < chance).mean() + (own == chance).mean() / 2 for chance in others]))


def _unseen(heard: Heard, groups: NDArray[Any], judged: NDArray[Any]) -> Floats:
    """What heads say of rows that they have not learned from, -1 of those that are not judged."""
    found = np.full(len(groups), -1.0, np.float32)
    for group in range(groups.max() + 1):
        out = (groups == group) | judged
        found[out] = heard(~out, out)
    return found


async def _in_context(encoder: ContextEncoder, rows: Sequence[Row]) -> Floats:
    """The vector of each row's sentence as it is read among its neighbours."""
    passages: dict[tuple[Said, ...], dict[int, int]] = defaultdict(dict)
    for at, row in enumerate(rows):
        passages[row.said][row.number] = at
    vectors: dict[int, Floats] = {}
    for said, places in passages.items():
        for run in runs(range(len(said))):
            if any(number in places for number in run):
                read = (await encoder.stretches(among(said, run)))[1:-1]
                vectors |= {
                    places[number]: each for number, each in zip(run, read, strict=True) if number in places
                }
    return np.stack([vectors[at] for at in range(len(rows))])


def _fitted(
    read: Floats, known: NDArray[Any], weights: Floats, among: NDArray[Any]
) -> tuple[Floats, Floats, Floats]:
    """The mean, weights and biases of least loss over the rows `among`, in terms of these rows."""
    mean = read[among].mean(axis=0)
    rows = read[among] - mean
    near = rows @ rows.T
    share = (weights[among] / weights[among].sum())[:, None]
    wanted = np.eye(3, dtype=np.float32)[known[among]]
    kept, bias = np.zeros_like(wanted), np.zeros(3, np.float32)
    before, bias_before, age = kept, bias, 1.0
    steep = np.ones(len(rows), np.float32)
    for _ in range(12):
        steep = near @ steep
        steep /= np.linalg.norm(steep)
    step = 1 / (0.5 * float(steep @ near @ steep) * float(share.max()) + SHRINK)
    for _ in range(ROUNDS):
        older = (1 + np.sqrt(1 + 4 * age * age)) / 2
        ahead = kept + (age - 1) / older * (kept - before)
        bias_ahead = bias + (age - 1) / older * (bias - bias_before)
        off = (_chances(near @ ahead + bias_ahead) - wanted) * share
        before, bias_before, age = kept, bias, older
        kept, bias = ahead - step * (off + SHRINK * ahead), bias_ahead - step * off.sum(axis=0)
    return mean, rows.T @ kept, bias.astype(np.float32)


def _chances(odds: Floats) -> Floats:
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=1, keepdims=True)
    return chances


def _features(encoded: Encoded, rows: Sequence[Row]) -> Floats:
    lines: dict[str, None] = {}
    for row in rows:
        own, (before, behind) = row.said[row.number], beside(row.said, row.number)
        texts = [own.text, *own.heads[-1:], *(row.said[at].text for at in (*before, *behind))]
        lines |= dict.fromkeys(plain(legible(text)) for text in texts)
    vectors = dict(zip(lines, encoded.of(list(lines)), strict=True))
    return np.stack([features(row.said, row.number, vectors, Cues(row.fields)) for row in rows])


# The writers' documents


def _documents(files: Iterable[Path] = ()) -> Iterator[dict[str, Any]]:
    for file in files or sorted(WRITTEN.glob("*.jsonl")):
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _ingest(library: Path) -> None:
    folder = library / "written"
    folder.mkdir(parents=True)
    manifest = ['[[jurisdiction]]\ncode = "xx"\nname = "Nirgendwo"\naliases = []\n']
    for each in _documents():
        (folder / f"{each['id']}.md").write_text(each.get("text") or _markdown(each), encoding="utf-8")
        owner, title = (json.dumps(each[name], ensure_ascii=False) for name in ("owner", "title"))
        binding = each.get("kind") in BINDING
        party = f'[[party]]\nname = {owner}\naliases = []\njurisdictions = ["xx"]\n'
        if not binding and party not in manifest:
            manifest.append(party)
        manifest.append(
            f'[[document]]\nfile = "{each["id"]}.md"\ntitle = {title}\n'
            f'language = "{each["language"]}"\njurisdiction = "xx"\n'
            + ('type = "rules"\n' if binding else f'type = "manifesto"\nparty = {owner}\n')
        )
    (folder / "library.toml").write_text("\n".join(manifest), encoding="utf-8")
    code = "from bot.cli import main; main()"
    command = [sys.executable, "-c", code, "ingest", "--data", str(library), str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _markdown(document: dict[str, Any]) -> str:
    parts = [f"# {document['title']}"]
    for block in document["blocks"]:
        texts = [item["text"] for item in block["items"]]
        parts += [f"## {block['heading']}"] if block["heading"] else []
        if block["layout"] == "table":
            cells = [block.get("columns") or [""], *(text.split(" | ") for text in texts)]
            most = max(map(len, cells))
            lines = ["| " + " | ".join([*row, *[""] * (most - len(row))]) + " |" for row in cells]
            parts.append("\n".join([lines[0], "|" + "---|" * most, *lines[1:]]))
        else:
            listed = block["layout"] == "list"
            parts.append("\n".join(f"- {text}" for text in texts) if listed else " ".join(texts))
    return "\n\n".join(parts)


def _labels() -> dict[str, list[tuple[str, str]]]:
    """By document its sentences as words, each with its label."""
    return {
        f"{each['id']}.md": [
            (_words(text), label)
            for text, label in (
                each.get("labels")
                or [(item["text"], item["label"]) for block in each["blocks"] for item in block["items"]]
            )
        ]
        for each in _documents()
    }


def _label(text: str, labels: Sequence[tuple[str, str]]) -> str:
    """The label of most words of a sentence, "" where none has them."""
    own, found = _words(text), Counter[str]()
    for words, label in labels:
        if words and own and (words in own or own in words):
            found[label] += min(len(words), len(own))
    return found.most_common(1)[0][0] if found else ""


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", legible(text).casefold()))


def _rows(library: Path, labels: dict[str, list[tuple[str, str]]]) -> Iterator[Row]:
    """The sentences and rows of all passages of a library; of real documents those of some passages."""
    query = (
        "SELECT d.key, d.title, d.language, d.parties, d.doc_type, p.ordinal, p.kind, p.heading, p.text,"
        " p.others FROM passages p JOIN versions v ON p.version_row = v.row"
        " JOIN documents d ON v.document_id = d.id WHERE p.kind IN ('prose', 'table')"
        " ORDER BY d.key, p.ordinal"
    )
    with closing(sqlite3.connect(f"file:{library / 'fundstelle.sqlite3'}?mode=ro", uri=True)) as database:
        found = database.execute(query).fetchall()
    if not labels:
        found = random.Random(5).sample(found, min(REAL, len(found)))
    for key, title, language, parties, kind_of, ordinal, kind, heading, text, others in found:
        names = tuple(json.loads(parties))
        fields = DocumentFields(title=title, language=language, doc_type=DocumentType(kind_of), parties=names)
        passage = Passage(
            id=PassageId(key),
            version=VersionId(key),
            ordinal=ordinal,
            spans=(),
            text=text,
            heading=heading,
            kind=PassageKind(kind),
            section=None,
            windows=(),
            others=tuple(tuple(each) for each in json.loads(others or "[]")),
        )
        said = tuple(said_in(passage, fields, DAY)[1])
        for number, each in enumerate(said):
            yield Row(key, _label(each.text, labels.get(key, ())), said, number, fields)


if __name__ == "__main__":
    main()
