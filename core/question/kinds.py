"""Determines the kind of question by rules; a plain fact question unless something indicates otherwise."""

from collections.abc import Sequence

from core.domain.search import QuestionKind
from core.language.patterns import pattern
from core.registry.names import NAMELESS, fold, replaced

_REFERENCE = r"(?:\b(?:{kinds.provision}) ?\d|§ ?\d)"
_REFERRING = (
    r"(?:\b(?:{kinds.referring})|\b(?:{kinds.which}) (?:{kinds.rule_nouns})"
    r"|\b(?:{kinds.which}) (?:(?!(?:{provisions.verbs_before})\b)\w+ ){1,2}(?:{kinds.rule_nouns}))"
)

_RULES = (
    (
        QuestionKind.DOCUMENT,
        pattern(
            r"\b(?:{kinds.which_documents}) (?:{kinds.documents})\b.{0,40}\b(?:{kinds.held})"
            r"|\b(?:{kinds.in_library})|\b(?:{kinds.show})\b.{0,25}\b(?:{kinds.shown})\b"
        ),
    ),
    (QuestionKind.CONFLICT, pattern("{kinds.conflict}")),
    (QuestionKind.COMPARE, pattern("{kinds.compare}|{kinds.all_parties}")),
    (
        QuestionKind.CROSS_REFERENCE,
        pattern(rf"{_REFERRING}.{{0,90}}{_REFERENCE}|{_REFERENCE}.{{0,60}}\b(?:{{kinds.referred}})\b"),
    ),
    (QuestionKind.PENALTY, pattern("{kinds.penalty}")),
    (QuestionKind.TEMPORAL, pattern("{kinds.temporal}")),
)
_STOCK = pattern(
    rf"\W*(?:(?:{{kinds.stock}})\s+)?{NAMELESS.lower()}(?:[\s,]+(?:{{kinds.stocked}}|(?:19|20)\d\d))*\W*"
)
_ALL_PARTIES = pattern("{kinds.all_parties}")
_FOLLOW_UP = pattern(r"(?:{kinds.follow_up}|{kinds.bare})\b")
_ANAPHORA = pattern(r"\b(?:{kinds.anaphora})\b|\b(?:{kinds.anaphora_last})\s*[?.!]*$")
_BACK = pattern(r"\b(?:{kinds.back})\b")
_FOLLOW_UP_WORDS = 8


def kind_of(
    question: str,
    *,
    in_thread: bool = False,
    names: Sequence[tuple[int, int]] = (),
) -> QuestionKind:
    """The kind of `question`; `in_thread` allows FOLLOW_UP ("Und die SPD?", "Wie lange gilt das?"). Words
    inside `names` (start, end) are ignored: a party may be called "List"."""
    folded = fold(replaced(question, names, NAMELESS))
    if in_thread and len(folded.split()) <= _FOLLOW_UP_WORDS and _refers_back(folded):
        return QuestionKind.FOLLOW_UP
    return next((kind for kind, rule in _RULES if rule().search(folded)), QuestionKind.FACT)


def asks_what_there_is(question: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether `question` only asks what there is on the one place in it, at `places`: its name alone, or with
    words that ask for documents ("habt ihr was zu Bayern?", "Delhi rules")."""
    if len(set(places)) != 1:
        return False
    return _STOCK().fullmatch(fold(replaced(question, set(places), NAMELESS))) is not None


def asks_all_parties(question: str) -> bool:
    """Whether `question` by itself asks what all parties say, side by side."""
    return bool(_ALL_PARTIES().search(fold(question))) and not is_of_thread(question)


def around_all_parties(question: str) -> tuple[str, str] | None:
    """The text before and after the words by which `question` asks what all parties say, in whole words as
    written; None if it does not ask that by itself."""
    words = question.split()
    folded = fold(" ".join(words))
    found = _ALL_PARTIES().search(folded)
    if found is None or is_of_thread(question):
        return None
    first, after = (len(folded[:place].split()) for place in found.span())
    return " ".join(words[:first]), " ".join(words[after:])


def is_anaphoric(question: str) -> bool:
    """Whether `question` has a word that refers to something said before ("davon", "them")."""
    return bool(_ANAPHORA().search(fold(question)))


def is_of_thread(question: str) -> bool:
    """Whether `question`, asked in a thread, has a word that refers to something said before."""
    return is_anaphoric(question) or bool(_BACK().search(fold(question)))


def _refers_back(folded: str) -> bool:
    return bool(_FOLLOW_UP().match(folded.strip())) or is_of_thread(folded)
