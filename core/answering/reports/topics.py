"""What the name of a topic asks for, and in which order its sentences come."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from core.answering.reports.about import FoundSentence
from core.domain.search import QuestionKind
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.patterns import pattern, words
from core.question.kinds import around_all_parties, kind_of
from core.question.language import question_language
from core.question.topic import topic

LONG_LINE = 10
"""Words from which on a line without an end is no heading."""

MAX_PARTS = 5
MAX_LISTED_WORDS = 12
"""Words of a name that is read as a list at most; a longer one is a sentence."""

_BETWEEN = pattern(
    r"\s*[,;]\s*(?:(?:{topics.joining})\s+)?|\s+(?:{topics.joining}|&)\s+",
    re.IGNORECASE,
)

MAX_NAMED = 3
"""Words of a topic that is named without a question at most."""

_LAW = pattern(r"{document_types.act}|{document_types.rules}|{document_types.regulation}")

MAX_TOPIC = 8
"""Words behind "what do the parties say about" at most; more of them ask for something of their own."""

_COMPARE = pattern(r"^\W*(?:{kinds.comparing})(?=\W)", re.IGNORECASE)
"""What tells to compare, at the beginning of a line that is no question."""

_MARKS = " .,;:!?/&–-"
_CLAUSE = re.compile(r",\s")
_ELIDED = re.compile(r"^[ldLD]['’](?=\w)")


def topic_of_all(question: str) -> str:
    """What a question of all parties asks about ("Was wollen die Parteien beim Klimaschutz?": "Klimaschutz"),
    so that it finds what the topic alone does; what only ties names together is no part of it. Another
    question, and one that says more than names a topic, as it is."""
    around = around_all_parties(question)
    tying = words("topics.leading") | words("topics.asking")
    if around is None:
        if question.rstrip().endswith("?"):
            return question
        told = _COMPARE().sub("", question, count=1)
        ends = words("topics.joining") | (tying if told != question else frozenset())
        return _without_ends(told, ends) or question
    before, behind = (_ELIDED.sub("", _without_ends(text, tying)) for text in around)
    named = behind or before
    told_apart = bool(behind and before) or _CLAUSE.search(named) or len(named.split()) > MAX_TOPIC
    return named if named and not told_apart else question


def says_topic(text: str) -> bool:
    """Whether anything is left of `text` without the words that only ask or tie names together."""
    tying = words("topics.leading") | words("topics.asking") | words("topics.joining")
    return bool(_without_ends(text, tying))


def is_bare_topic(text: str) -> bool:
    """Whether `text` may be nothing but the name of a topic: few words, all of them nouns where the language
    shows them, no number, and no kind of law."""
    said = _without_ends(text, frozenset())
    few = 0 < len(said.split()) <= MAX_NAMED and not any(letter.isdigit() for letter in said)
    if not few or kind_of(said) is not QuestionKind.FACT or _LAW().search(said.lower()):
        return False
    return topic(said, question_language(said, detect(said)[0])) == said


def _without_ends(text: str, tying: frozenset[str]) -> str:
    """`text` without marks and the words `tying` at its ends."""
    said = text.split()
    while said and _bare(said[-1]) in {"", *tying}:
        said = said[:-1]
    while said and _bare(said[0]) in {"", *tying}:
        said = said[1:]
    return " ".join(said).strip(_MARKS)


def _bare(word: str) -> str:
    return word.strip(_MARKS).lower()


def parts_of(name: str) -> list[str]:
    """What a name lists: "Mieten, Löhne und Schulen" has three parts. Names that are sentences, and lists of
    word stems ("Land- und Forstwirtschaft"), are one."""
    parts = [part for part in _BETWEEN().split(" ".join(name.split())) if part]
    stems = any(part.endswith(("-", "‐")) or len(part) < 4 for part in parts)
    listed = len(name.split()) <= MAX_LISTED_WORDS and not name.endswith("?") and not stems
    return parts[:MAX_PARTS] if listed and len(parts) > 1 else [name]


def in_turn(lists: Sequence[Sequence[FoundSentence]]) -> tuple[FoundSentence, ...]:
    """The first of each list, then the second of each; the same words once, also where they are shown with
    another sentence, headings last."""
    unique: dict[str, FoundSentence] = {}
    for turn in zip_longest(*lists):
        for each in filter(None, turn):
            if not any(each.extract.text in other.extract.shown for other in unique.values()):
                unique.setdefault(skeleton(each.extract.text), each)
    return tuple(sorted(unique.values(), key=lambda each: not is_sentence(each.extract.text)))


def is_sentence(text: str) -> bool:
    """Whether a text says something, as sentences, list items and long lines do, and is no heading."""
    text = text.strip(" \"'“”„»«")
    return text.endswith((".", "!", ";", ":")) or not text[:1].isalnum() or len(text.split()) >= LONG_LINE
