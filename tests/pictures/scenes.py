"""What is played for the pictures, in German and in English."""

import tempfile
from pathlib import Path

from examples.build import typeset
from tests.pictures.playing import Scene, Talk

PAPERS = Path(__file__).parent / "papers"

WORDS = {
    "de": {
        "answer": "Was will die Uferpartei gegen steigende Mieten tun?",
        "comparison": "/vergleich Mindestlohn",
        "verify": "/zitat Die Uferpartei: „Wir heben den gesetzlichen Mindestlohn in zwei Schritten an: zum"
        " 1. Januar 2026 auf 14,80 Taler und zum 1. Januar 2027 auf 17 Taler je Stunde.“",
        "silent": "Was sagen die Programme zur Raumfahrt?",
        "draft": "Was kostet der Eintritt in das Hafenmuseum?",
    },
    "en": {
        "answer": "What does the Lighthouse List plan for the minimum wage?",
        "comparison": "/compare minimum wage",
        "verify": "/verify Lighthouse List: “We will raise the statutory minimum wage to 16.50 thalers an"
        " hour on 1 April 2026 and index it to consumer prices every January thereafter.”",
        "silent": "What do the programmes say about space travel?",
        "draft": "What does admission to the harbour museum cost?",
    },
}


def paper(name: str, **values: str) -> bytes:
    """A page of `papers`, with its values."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{name}.md"
        source.write_text((PAPERS / f"{name}.md").read_text(encoding="utf-8").format(**values), "utf-8")
        return typeset(source)


def asking(language: str, name: str) -> Scene:
    """One question or command."""

    async def play(talk: Talk) -> None:
        await talk.say(WORDS[language][name])

    return Scene(name=f"{name}-{language}", language=language, play=play)


def uploading(language: str) -> Scene:
    """Two files one after the other, told in one receipt."""

    async def play(talk: Talk) -> None:
        names = [f"{name}-{language}" for name in ("ferries", "bridges")]
        await talk.send(*((f"{name}.pdf", paper(name, fare="24")) for name in names))

    return Scene(name=f"upload-{language}", language=language, play=play, staff=True)


def correcting(language: str) -> Scene:
    """An answer of a draft that has changed since."""

    async def play(talk: Talk) -> None:
        name = f"museum-{language}"
        for fare in ("six", "nine") if language == "en" else ("sechs", "neun"):
            content = paper(name, fare=fare)
            await talk.say("", addressed=False, files=[(f"{name}.pdf", content)])
            if fare in ("six", "sechs"):
                await talk.say(WORDS[language]["draft"])
        await talk.correct()

    return Scene(name=f"correction-{language}", language=language, play=play, staff=True)


SCENES = tuple(
    scene
    for language in WORDS
    for scene in (
        *(asking(language, name) for name in ("answer", "comparison", "verify", "silent")),
        uploading(language),
        correcting(language),
    )
)

SHOWN = frozenset(
    f"{name}-{language}-{platform}"
    for name, pairs in {
        "answer": ("de-telegram", "en-telegram", "de-slack", "en-slack", "de-matrix", "en-matrix"),
        "comparison": ("de-matrix", "de-slack", "de-telegram"),
        "verify": ("de-telegram", "en-matrix", "de-slack"),
        "upload": ("de-slack", "en-telegram", "de-matrix"),
        "correction": ("de-matrix", "en-telegram", "en-slack"),
        "silent": ("en-telegram", "de-slack", "en-matrix"),
    }.items()
    for language, _, platform in (pair.partition("-") for pair in pairs)
)
"""Scenes whose pictures the documents show."""
