"""What the product's own search finds for every question of a set, sentence by sentence.

`python -m training.candidates --library DIR --out FILE --questions FILE...`

Writes a JSON line per question: the passages that were found, the sentences in them that may be quoted with
the score they have without a reader, and which of them hold a gold quote.
"""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from bot.library.scoping import ScopeOptions
from bot.settings.tree import AnswerSettings, Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.answering.extractive.candidates import PASSAGES, looked_at
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import Extractor, stretches_read, text_read
from core.errors import Refused
from core.evaluation import SetQuestion, read_questions
from training.gold import answers


def main() -> None:
    """Read, search, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    questions = [item for file in arguments.questions for item in read_questions(file.read_text("utf-8"))]
    asyncio.run(write(arguments.library, questions, arguments.out))


async def write(library: Path, questions: list[SetQuestion], out: Path) -> None:
    """A line per question that can be searched for."""
    asked = right = 0
    async with opened(Settings(data=library, answer=AnswerSettings(reader="off"))) as app:
        with out.open("w", encoding="utf-8") as file:
            for done, question in enumerate(questions, start=1):
                try:
                    row = await found(app, question)
                except Refused as error:
                    print(f"{question.id}: {error}")
                    continue
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                asked += question.answerable
                right += question.answerable and any(each["gold"] for each in row["read"])
                if done % 50 == 0:
                    print(f"{done} of {len(questions)}", flush=True)
    print(f"{right} of {asked} questions with an answer have a right stretch among those read")


async def found(app: Composition, question: SetQuestion) -> dict[str, Any]:
    """The question with its passages (text, heading, document) and sentences (passage, start, end, score
    without a reader, whether it holds a gold quote); `read` are the stretches a reader would be shown."""

    place = question.jurisdiction if question.corpus == "statutes" else None
    result = await app.questions.search(question.question, ScopeOptions(jurisdiction=place), k=2 * PASSAGES)
    hits = looked_at(result)
    extracts: list[Extract] = []
    if hits:
        extractor = Extractor(app.ingester.secondary, app.ingester.primary)
        extracts = await extractor.scored(result.subject, hits)
    return {
        "id": question.id,
        "question": result.subject.text,
        "answerable": question.answerable,
        "gold": [{"file": gold.file, "quote": gold.quote} for gold in question.gold],
        "passages": [
            {
                "text": hit.passage.text,
                "heading": hit.passage.section.title if hit.passage.section else "",
                "file": Path(hit.edition.document.file).name,
                "score": hit.score,
            }
            for hit in hits
        ],
        "sentences": [
            {
                "passage": next(n for n, hit in enumerate(hits) if hit is extract.hit),
                "start": extract.start,
                "end": extract.end,
                "score": extract.score,
                "gold": answers(question, extract.text),
            }
            for extract in extracts
        ],
        "read": [
            {"text": text_read(each), "gold": answers(question, each.shown)}
            for each in stretches_read(extracts)[0]
        ],
    }


if __name__ == "__main__":
    main()
