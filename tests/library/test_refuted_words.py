"""What a document tells of others before it says that it is not so, or that it thinks otherwise.

In each line of the data, sentences between [[ ]] are others' words, those between {{ }} the document's own;
" | " parts paragraphs.
"""

import re
from pathlib import Path

import pytest

from core.domain.answers import Verdict
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences
from tests.support.read_files import read_and_cut

LINES = (Path(__file__).parents[1] / "data" / "refuted_words.txt").read_text(encoding="utf-8").splitlines()
BEFORE = {
    "de": "# Programm der Uferpartei\n\nWir bauen den Hafen bis zum Jahr 2030 aus.",
    "en": "# Programme of the Uferpartei\n\nWe will extend the harbour by 2030.",
    "fr": "# Programme de la Uferpartei\n\nNous agrandirons le port avant 2030.",
}
BEHIND = {
    "de": "## Verkehr\n\nDie Busse fahren künftig alle zehn Minuten durch die Stadt.",
    "en": "## Transport\n\nBuses will run every ten minutes through the town.",
    "fr": "## Transports\n\nLes bus passeront toutes les dix minutes dans la ville.",
}
TOO_SHORT = 20


@pytest.mark.parametrize("line", LINES)
def test_whose_words_stand_before_a_refutation(line: str) -> None:
    language, body = line[:2], line[4:]
    text = re.sub(r"\[\[|\]\]|\{\{|\}\}", "", body).replace(" | ", "\n\n")
    document = f"{BEFORE[language]}\n\n{text}\n\n{BEHIND[language]}\n".encode()
    pages, passages = read_and_cut(document, "text", ".md", language)
    index = DocumentIndex(pages)
    for marks, told in (((r"\[\[", r"\]\]"), True), ((r"\{\{", r"\}\}"), False)):
        for said in re.findall(f"{marks[0]}(.*?){marks[1]}", body):
            verdict = in_its_sentences(said, index).verdict
            quotable = any(
                skeleton(said) in skeleton(passage.text[start:end]) and not passage.says_of_others(start, end)
                for passage in passages
                for start, end in sentences(passage.text, language)
            )
            assert quotable is not told, said
            assert (verdict is Verdict.REPORTED) is told or len(skeleton(said)) < TOO_SHORT, (said, verdict)
