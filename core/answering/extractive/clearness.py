"""How clearly a stretch says what its writers want on a topic: the clearest comes first in the rows of
comparisons.

The same rule applies to every speaker.
"""

import re
from collections.abc import Callable, Sequence

from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import Naming
from core.answering.extractive.statements import commits
from core.evidence.contrasts import poles
from core.language.stated import holds_number
from core.language.terms import held, terms
from core.question.subject import Subject

_OURSELVES = re.compile(r"\b(?:wir|uns|unser\w*|we|us|our|nous|notre|nos)\b", re.IGNORECASE)
WISHING = re.compile(
    r"\b(?:will|wollen|fordern|fordert|verlang(?:en|t)|plan(?:en|t)|möchten?|lehn(?:en|t)|wants?|demands?|calls?"
    r"|oppos\w+|reject\w*|veu(?:t|lent)|demandent|refusent)\b",
    re.IGNORECASE,
)
"""Phrases about what others want, without naming the writers."""
_CHANGES = ("opposites.existence", "opposites.side", "opposites.amount")
"""Phrases saying that a thing should change, or that somebody is for or against it."""

_REPORTED = re.compile(
    r"\b(?:laut|haben wir|wir haben|(?:schreib|seh|sieh)\w* (?:\S+ ){0,6}vor|according to|we have|requires?"
    r"|provides?|selon|nous avons|prévoi\w*|impose\w*)\b",
    re.IGNORECASE,
)
"""Phrases saying that others say or require so, or that it is done."""

TO_DO = re.compile(r"^(?!\W*(?:[a-zäöü]|Um\b|Ohne\b)).*\b[a-zäöüß]+n\W*$", re.DOTALL)
"""A main clause that ends with what should be done, without a subject: "X abschaffen!"."""

CLAUSES = re.compile(r"[,;:]\s|\s[–—]\s")


def rank(extract: Extract, naming: Naming, topic: Subject) -> tuple[int, int]:
    """How a sentence names `topic` and, if it names all of it, how clear it is: whether its writers say in
    their own voice what should be done, what should happen to the thing or what they think of it, and how
    much, which counts twice."""
    if naming < Naming.WHOLE:
        return naming, 0
    language = extract.hit.edition.document.fields.language
    clauses = CLAUSES.split(extract.text)
    said = [each for each in clauses if _says(each, topic, language, held)]
    exact = any(_says(each, topic, language, _alone) for each in said)
    if naming is Naming.HEADED and not said:
        said = clauses
    return Naming.WHOLE, 2 * exact + bool(said) + max((_clearness(each, extract) for each in said), default=0)


def _clearness(clause: str, extract: Extract) -> int:
    """How much a clause states, 0 if it commits nobody to anything in the future."""
    fields, text = extract.hit.edition.document.fields, clause.casefold()
    done = poles("tense", text, fields.language) == {"done"} or _REPORTED.search(clause)
    own = is_own(clause, fields.parties)
    others = not own and WISHING.search(clause)
    changes = any(poles(axis, text, fields.language) for axis in _CHANGES)
    commit = commits(clause, present=True) or (changes and TO_DO.search(clause))
    return 0 if done or others or not commit else 1 + own + changes + 2 * holds_number(clause)


def _says(clause: str, topic: Subject, language: str, has: Callable[[str, frozenset[str]], bool]) -> bool:
    """Whether a clause contains all words of a topic."""
    clause_terms = terms(clause, language)
    whole = any(all(has(term, clause_terms) for term in name) for name in topic.names)
    return whole or any(way.search(clause) for way in topic.ways)


def _alone(term: str, said: frozenset[str]) -> bool:
    return term in said


def is_own(sentence: str, speakers: Sequence[str]) -> bool:
    """Whether its writers speak about themselves."""
    named = any(re.search(rf"\b{re.escape(each)}\b", sentence) for each in speakers)
    return named or bool(_OURSELVES.search(sentence))
