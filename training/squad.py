"""Question sets in the SQuAD format as rows of `training.candidates`, in every pair of their languages.

`python -m training.squad --out FILE --sets LANGUAGE=FILE...`

The files are translations of each other: paragraph by paragraph and question by question. A question is
read with the paragraphs of its article in each language, so that the reader learns to find an answer in
another one.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.language.sentences import sentences


def main() -> None:
    """Read the files, write a line per question and language of the paragraphs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", required=True, metavar="LANGUAGE=FILE")
    arguments = parser.parse_args()
    named = dict(item.split("=", 1) for item in arguments.sets)
    sets = {language: json.loads(Path(file).read_text("utf-8"))["data"] for language, file in named.items()}
    with arguments.out.open("w", encoding="utf-8") as file:
        for asked in sets:
            for written in sets:
                for row in crossed(sets[asked], sets[written], written):
                    row["id"] = f"{row['id']}-{asked}-{written}"
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def crossed(asked: list[Any], written: list[Any], language: str) -> Iterator[dict[str, Any]]:
    """Rows of the questions of `asked` over the paragraphs of `written`, which are in `language`."""
    for questions, article in zip(asked, written, strict=True):
        paragraphs = [paragraph["context"] for paragraph in article["paragraphs"]]
        cut = [sentences(text, language) for text in paragraphs]
        for number, (left, right) in enumerate(
            zip(questions["paragraphs"], article["paragraphs"], strict=True)
        ):
            for question, answered in zip(left["qas"], right["qas"], strict=True):
                answer = answered["answers"][0]["answer_start"]
                yield _row(question, article["title"].replace("_", " "), paragraphs, cut, number, answer)


def _row(
    question: Any, title: str, paragraphs: list[str], cut: list[list[tuple[int, int]]], own: int, answer: int
) -> dict[str, Any]:
    """`own`: the paragraph where the answer stands, at character `answer`; its sentences are the nearest."""
    return {
        "id": question["id"],
        "question": question["question"],
        "answerable": True,
        "gold": [{"file": title, "quote": ""}],
        "passages": [{"text": text, "heading": title, "file": title} for text in paragraphs],
        "sentences": [
            {
                "passage": number,
                "start": start,
                "end": end,
                "score": float(number == own),
                "gold": number == own and start <= answer < end,
            }
            for number, ranges in enumerate(cut)
            for start, end in ranges
        ],
    }


if __name__ == "__main__":
    main()
