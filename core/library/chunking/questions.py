"""Frequently asked questions: a passage is a numbered question with its answer."""

from collections.abc import Sequence

from core.domain.passages import Section
from core.evidence.text import Vocabulary
from core.library.chunking.layout import Metrics, Paragraph, ParagraphRole, paragraphs
from core.library.chunking.numbering import QUESTION, Mark, best_sequence
from core.library.chunking.packing import Packed, pack_units, pieces_of
from core.library.chunking.prose import heading_of, pack_prose
from core.library.chunking.voices import mark_others
from core.library.lines import Line
from core.library.references import section_id

_MIN_QUESTIONS = 5
_ASKING = 0.7
_MAX_QUESTION_LINES = 5


def find_questions(lines: Sequence[Line]) -> list[tuple[Mark, int]]:
    """The numbered questions of a document, each with the line after it; empty if it is not a list of
    questions."""
    chain = best_sequence(lines, (QUESTION,), "question")
    asked = [(mark, end) for mark in chain if (end := _question_end(lines, mark)) is not None]
    return asked if len(asked) >= max(_MIN_QUESTIONS, _ASKING * len(chain)) else []


def _question_end(lines: Sequence[Line], mark: Mark) -> int | None:
    """The line after the question mark that ends the question, if it is one."""
    for at in range(mark.line, min(mark.line + _MAX_QUESTION_LINES, len(lines))):
        if lines[at].text.rstrip("”\"’' )").endswith("?"):
            return at + 1
    return None


def pack_questions(
    lines: Sequence[Line],
    questions: Sequence[tuple[Mark, int]],
    usual: Metrics,
    vocabulary: Vocabulary,
    title: str,
    language: str,
    names: Sequence[str],
) -> list[Packed]:
    """The text before the questions as running text, then question by question. `names` are those of the
    document's author."""
    forced = frozenset(id(lines[i]) for mark, end in questions for i in (mark.line, end) if i < len(lines))
    made = paragraphs(lines, usual, vocabulary, forced)
    mark_others(made, language, names)
    starts = {id(lines[mark.line]) for mark, _ in questions}
    first = [i for i, paragraph in enumerate(made) if id(paragraph.lines[0]) in starts]
    packed = pack_prose(made[: first[0]], title, language)
    above: list[str] = []
    for (mark, _), begin, stop in zip(questions, first, [*first[1:], len(made)], strict=True):
        group, headings = _without_headings(made[begin:stop])
        packed += _pack_question(mark, group, above, title, language)
        above = headings or above
    return packed


def _without_headings(group: Sequence[Paragraph]) -> tuple[list[Paragraph], list[str]]:
    """An answer without the headings at its end, which belong to the following questions."""
    end = len(group)
    while end > 2 and group[end - 1].role is ParagraphRole.HEADING:
        end -= 1
    return list(group[:end]), [paragraph.text for paragraph in group[end:]]


def _pack_question(
    mark: Mark, group: Sequence[Paragraph], names: Sequence[str], title: str, language: str
) -> list[Packed]:
    question = group[0].text
    section = Section(id=section_id("question", mark.label), title=question, hierarchy=tuple(names))
    parts = pack_units([pieces_of(paragraph, language) for paragraph in group])
    return [
        Packed(part, heading_of(title, [*names, question] if i else names), section)
        for i, part in enumerate(parts)
    ]
