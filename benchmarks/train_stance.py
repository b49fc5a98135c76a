"""Trains the head that reads how sentences stand to a topic, `core/answering/stance.npz`.

`python -m benchmarks.train_stance --models FOLDER [--out FILE]`
`python -m benchmarks.train_stance --models FOLDER --count FILE...`

Lines are those of `stance_lines`: patterns of each language, in which "@" stands for the topic; see
`benchmarks/heads.py`. With --count it counts instead what is read rightly in FILEs: JSON lists of a label
("wants", "rejects", "neither"), a topic and a sentence in German, by the rules alone and with the packaged
head. FOLDER holds the encoders' files; those that are missing are made.
"""

import argparse
import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import ROOT, ROUNDS, Encoded, Row, fitted, patterns, save
from core.answering.stances import KINDS, TOPIC, WEIGHTS, StanceReader, may_show, stance
from core.language.terms import terms
from core.question.heads import Head
from core.question.who import Stance

LINES = ROOT / "benchmarks" / "stance_lines"
NEITHER = "neither"
SPEAKERS = ("Die Linke", "DIE LINKE", "AfD", "SPD", "Piratenpartei", "Piraten", "FDP", "Volt")
"""Who says "we" by name in sentences that are counted."""


def main() -> None:
    """Train and write, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--count", type=Path, nargs="*", default=[], help="files to count instead")
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    if given.count:
        asyncio.run(count(StanceReader(encoders), given.count))
    else:
        save(trained(Encoded(encoders, given.models / "stance-vectors.npz")), given.out)


BESIDE = {
    "de": (
        *("von 130 km/h auf Autobahnen", "für sehr hohe Vermögen", "in Höhe von 15 Euro", "für alle"),
        *("an Schulen und Universitäten", "gegen andere Länder", "in Europa", "auf Bundesebene"),
        *("nach dem Vorbild anderer Länder", "(kurz: XY)", "von Betrieben", "ab 16 Jahren"),
        *("der Regierung", "der letzten Koalition", "in allen Städten", "von 20 Prozent"),
        *(
            "mit klaren Regeln",
            "auf Lebensmittel",
            "aus dem Ausland",
            "im öffentlichen Dienst",
            "zum Schutz der Natur",
        ),
    ),
    "en": ("for the very rich", "in every state", "of 15 euros", "against other countries", "by 2030"),
    "fr": ("pour les plus riches", "dans toutes les communes", "contre d'autres pays", "d'ici 2030"),
}
"""What may stand behind a topic and says nothing of how anybody stands to it."""

BEHIND = {
    "de": (
        *(" und wollen Kinder künftig stärker berücksichtigen", ", um für stabile Preise zu sorgen"),
        *(", in die alle nach ihrem Einkommen einzahlen", ", damit niemand zurückbleibt"),
        *(", weil das gerecht ist", " und entlasten so die Kommunen", ", idealerweise bis 2030"),
        *(", den wir einfach und schlank gestalten", " und auch für ältere Wohnungen"),
        *(" wie in anderen Ländern", " - ohne unnötige Ausnahmen", ", denn sie schadet dem Mittelstand"),
        *(" und setzen auf Freiwilligkeit", ", um die Menschen zu entlasten"),
    ),
    "en": (", so that nobody is left behind", " because that is fair", " and help families", " by 2030"),
    "fr": (" pour que personne ne soit oublié", ", car c'est juste", " et nous aiderons les familles"),
}
"""What may follow in the same sentence."""

AROUND = {
    "de": (
        *("Um das Klima zu schützen: {}", "Für mehr Gerechtigkeit: {}", "Außerdem: {}", "Zudem gilt: {}"),
        *("Angesichts der Lage im Land - {}", "Arbeit und Soziales {}", "{} Das stärkt die Menschen."),
        *("{} So entlasten wir Familien und Betriebe.", "Als wichtige Maßnahme: {}", "Deshalb gilt: {}"),
        *("Die Lage hat sich verändert: {}", "Für die Sicherheit aller im Land: {}", "● {}", "– {}"),
        *("Um Menschen wirksam vor Armut zu schützen, gilt: {}", "{} Dafür stehen wir ein."),
        *("Wir setzen auf Bildung und gute Arbeit. {}", "Die letzten Jahre waren teuer. {}"),
    ),
    "en": ("To protect the climate: {}", "For fairness: {}", "{} That helps families.", "In addition: {}"),
    "fr": ("Pour le climat : {}", "Pour plus de justice : {}", "{} Cela aide les familles."),
}
"""Where such a sentence may stand."""

WITH = {
    "de": (
        *("{} und andere Abgaben", "{} und neue Auflagen", "{} und weitere Regeln", "{} oder Verbote"),
        *("Gebühren, Auflagen und {}", "Kontrollen und {}", "Verbote, neue Abgaben und {}"),
    ),
    "en": ("{} and other charges", "fees, rules and {}"),
    "fr": ("{} et les autres taxes", "les frais, les règles et {}"),
}
"""What may be named beside a topic."""


def trained(encoded: Encoded) -> Head:
    """The head. Lines are read as they are, and with what may stand behind the topic and around."""
    rows = [((kind, said.replace("@", TOPIC)), 1.0) for kind, said in [*made(), *dressed(2)]]
    return fitted(encoded, rows, KINDS, rounds=ROUNDS * 2)


def made() -> list[Row]:
    """Lines of the patterns."""
    return patterns(LINES, NEITHER)


def dressed(times: int) -> list[Row]:
    """The same lines as they stand in programmes."""
    chance, rows = random.Random(7), []
    for kind, said in made() * times:
        language = "fr" if re.search(r"\b(?:nous|les?|du)\b", said, re.I) else "de"
        language = "en" if re.search(r"\b(?:the|we|is|to)\b", said, re.I) else language
        if chance.random() < 0.6:
            said = said.replace("@", f"@ {chance.choice(BESIDE[language])}", 1)
        if chance.random() < 0.15:
            said = said.replace("@", chance.choice(WITH[language]).format("@"), 1)
        if chance.random() < 0.5 and said.endswith("."):
            said = f"{said[:-1]}{chance.choice(BEHIND[language])}."
        if chance.random() < 0.6:
            said = chance.choice(AROUND[language]).format(said)
        rows.append((kind, said))
    return rows


async def count(reader: StanceReader, files: Sequence[Path]) -> None:
    """Print, of each label, what is read: by the rules, and with the head."""
    for file in files:
        told: Counter[tuple[str, str, str]] = Counter()
        for label, topic, sentence in json.loads(file.read_text(encoding="utf-8")):
            about = terms(topic, "de")
            ruled = read = stance(sentence, about, "de", SPEAKERS)
            if not ruled and may_show(sentence, about, "de", SPEAKERS):
                read = Stance(await reader.stance(sentence, about, "de", SPEAKERS))
            told["rules", label, ruled.name] += 1
            told["with the head", label, read.name] += 1
        for row, number in sorted(told.items()):
            print(file.name, *row, number)


if __name__ == "__main__":
    main()
