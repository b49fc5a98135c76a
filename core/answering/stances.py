"""Who wants or rejects a thing, as far as the sentence that is quoted shows it; unknown unless it does.

"Wer will die Vermögensteuer?" is near to whatever speaks of it, also to "lehnen wir ab". A sentence is read
for the words of its clause that names the topic: what becomes of the thing (introduce, keep, abolish), how
its writer stands to that (support, reject), and a negation; together they give a direction or none (decision
0033).
"""

import re
from collections.abc import Sequence
from enum import IntEnum

from core.answering.extractive.candidates import PASSAGES_EACH
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import Extractor
from core.answering.extractive.terms import WORD, is_function_word, terms, topic_words, without_other_names
from core.domain.answers import Answer, Citation, Notice
from core.domain.documents import POLITICAL_TYPES
from core.domain.search import Hit, SearchResult
from core.evidence.contrasts import poles
from core.evidence.guards import is_negation
from core.evidence.skeleton import skeleton
from core.message_keys import NoticeKey

NAMES_BETWEEN = ", "

_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_CLAUSES = re.compile(r"[,;:]\s|\s[–—]\s")
_OURSELVES = re.compile(r"\b(?:wir|uns|unser\w*|we|us|our|nous|notre|nos)\b", re.IGNORECASE)
_TO_BE = re.compile(r"\b(?:soll|sollen|muss|müssen|should|must|doit|doivent)\b", re.IGNORECASE)
"""What says that something is to be, whoever says it."""
_FIGURATIVE = re.compile(r"[„“”»«\"?]")
"""What shows that a sentence asks, or has words of somebody else."""
_SPREAD = 14
"""Words of a clause at most in which what is said of the topic is surely said of it."""


class Stance(IntEnum):
    """How a sentence stands to a thing. The negative of one is its opposite."""

    AGAINST = -1
    UNKNOWN = 0
    FOR = 1


def asked_for(question: str, language: str) -> Stance:
    """Whether `question` is for those who want a thing or for those who do not; UNKNOWN where it is neither,
    or asks for more or less of it. Who wants to abolish a thing does not want it."""
    asked = poles("asks_who", question.casefold(), language)
    if not asked or poles("degree", question, language) or poles("opposites.amount", question, language):
        return Stance.UNKNOWN
    wanted = Stance.AGAINST if "against" in asked else Stance.FOR
    return Stance(
        wanted * (-1 if poles("opposites.existence", question.casefold(), language) == {"end"} else 1)
    )


def stance(text: str, topic: frozenset[str], language: str, speakers: Sequence[str] = ()) -> Stance:
    """How a text of `speakers` stands to what has the terms `topic` (`topic_terms`); UNKNOWN where it does
    not show it, or shows both."""
    found = {
        way
        for each in _SENTENCES.split(text)
        if (way := _of_sentence(each, topic, language, speakers)) is not None
    }
    return found.pop() if len(found) == 1 else Stance.UNKNOWN


def _of_sentence(
    sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str]
) -> Stance | None:
    """None where it does not name the topic. Whoever else may be speaking in it, or if another clause of it
    denies or rejects something, it shows nothing."""
    clauses = [each for each in _CLAUSES.split(sentence) if each.strip()]
    naming = [each for each in clauses if _names(topic, each, language)]
    if not naming:
        return None
    own = _OURSELVES.search(sentence) or any(
        re.search(rf"\b{re.escape(each)}\b", sentence) for each in speakers
    )
    if len(naming) > 1 or not (own or (len(clauses) == 1 and _TO_BE.search(sentence))):
        return Stance.UNKNOWN
    if any(_turns(each, language) for each in clauses if each is not naming[0]):
        return Stance.UNKNOWN
    if _FIGURATIVE.search(sentence) or not _is_object(topic, naming[0], language):
        return Stance.UNKNOWN
    way = _of_clause(naming[0], language)
    partly = way is Stance.AGAINST and _IN_PART.search(naming[0])
    return Stance.UNKNOWN if partly else way


def _is_object(topic: frozenset[str], clause: str, language: str) -> bool:
    """Whether a clause says what it says of the topic itself, and not of what it has, does or costs:
    "abuse of the wealth tax", "exceptions from it", "wealth tax loopholes"."""
    said = WORD.findall(clause)
    at = [n for n, word in enumerate(said) if _names_part(topic, word, language)]
    first, last = at[0], at[-1]
    if last - first >= 2 * len(topic) or len(at) > 2 * len(topic):
        return False
    behind = said[last + 1 : last + 2]
    if language == "en" and behind and not _may_follow(behind[0], language):
        return False
    before = [word.casefold() for word in said[:first]]
    while (
        before
        and before[-1] not in _OF | _BESIDE
        and not _is_act(before[-1], language)
        and _describes(before[-1])
    ):
        before.pop()
    if len(before) > 2 and before[-1] in _TOWARDS:  # "staff for the tax", but "we are for the tax"
        return said[len(before) - 2].casefold() in _STANDING
    if not before or before[-1] not in _OF | _BESIDE:
        return True
    if before[-1] in _BESIDE:
        return False
    # "Abschaffung der Vermögensteuer", "abolition of the wealth tax"; a verb or a pronoun before "der"
    head = said[len(before) - 2] if len(before) > 1 else ""
    if head.casefold() in _BESIDE:
        return False
    noun = head[:1].isupper() and len(before) > 2 if language == "de" else bool(head)
    return not noun or _is_act(head, language)


def _names_part(topic: frozenset[str], word: str, language: str) -> bool:
    return not {term.replace("nss", "ns") for term in terms(word, language)}.isdisjoint(
        term.replace("nss", "ns") for term in topic
    )


def _may_follow(word: str, language: str) -> bool:
    return is_function_word(word.casefold(), language) or _is_act(word, language) or word in _AGAIN


def _is_act(word: str, language: str) -> bool:
    folded = word.casefold()
    return bool(poles("opposites.existence", folded, language) or poles("opposites.side", folded, language))


def _describes(word: str) -> bool:
    """An article or an adjective before a noun, as far as its ending shows: nobody asks for more."""
    return word in _ARTICLES or word.endswith(("e", "en", "er", "es", "em", "al", "ed", "y", "w", "h", "le"))


_ARTICLES = frozenset(
    {"die", "das", "den", "dem", "ein", "eine", "einen", "einem", "the", "a", "an", "la", "le", "un"}
)
_OF = frozenset({"der", "des", "einer", "eines", "of", "de", "du"})
_BESIDE = frozenset(
    {
        "bei",
        "beim",
        "mit",
        "von",
        "vom",
        "aus",
        "ohne",
        "durch",
        "in",
        "im",
        "auf",
        "über",
        "um",
        "an",
        "am",
        "nach",
    }
    | {
        "vor",
        "zu",
        "zur",
        "zum",
        "wegen",
        "trotz",
        "statt",
        "unter",
        "zwischen",
        "from",
        "with",
        "to",
        "by",
        "on",
    }
    | {
        "under",
        "through",
        "about",
        "into",
        "without",
        "at",
        "over",
        "avec",
        "sans",
        "par",
        "sur",
        "dans",
        "à",
        "au",
    }
    | {"aux", "et", "und", "oder", "and", "or", "ou"}
)
_TOWARDS = frozenset({"für", "gegen", "for", "against", "pour", "contre"})
_STANDING = frozenset(
    {
        "uns",
        "sind",
        "ist",
        "klar",
        "are",
        "is",
        "firmly",
        "strictly",
        "calls",
        "call",
        "calling",
        "sommes",
        "est",
    }
)
_IN_PART = re.compile(r"\b(?:auf|für|bei|von|on|for|sur|nur|only|seulement)\b", re.IGNORECASE)
"""What may say that only a part of a thing is to go."""
_AGAIN = frozenset({"again", "now", "immediately", "altogether", "entirely", "nationwide"})


def _turns(clause: str, language: str) -> bool:
    """Whether a clause may turn round what the one beside it says."""
    text = clause.casefold()
    rejects = poles("opposites.side", text, language) or "end" in poles("opposites.existence", text, language)
    return bool(rejects or poles("condition", text, language)) or _denials(clause) > 0


def _denials(clause: str) -> int:
    return sum(is_negation(skeleton(word)) for word in WORD.findall(clause))


def _names(topic: frozenset[str], clause: str, language: str) -> bool:
    """Whether a clause names the whole topic itself, not only a compound that begins with it."""
    wanted, said = ({term.replace("nss", "ns") for term in each} for each in (topic, terms(clause, language)))
    return bool(wanted) and wanted <= said


def _of_clause(clause: str, language: str) -> Stance:
    text = clause.casefold()
    if poles("condition", text, language) or len(clause.split()) > _SPREAD:
        return Stance.UNKNOWN
    side, existence = poles("opposites.side", text, language), poles("opposites.existence", text, language)
    denials = _denials(clause)
    done = "done" in poles("tense", text, language) and not poles("tense", text, language) & {"ahead"}
    ends = "end" in existence
    if len(side) > 1 or (ends and len(existence) > 1) or denials > 1 or (side and denials):
        return Stance.UNKNOWN
    if existence and not side and done:  # what was done by somebody once
        return Stance.UNKNOWN
    if not (side or existence or poles("asking_for", text, language)):
        return Stance.UNKNOWN
    way = (-1 if ends else 1) * (-1 if "against" in side else 1) * (-1 if denials else 1)
    return Stance(way)


def _read(citation: Citation, result: SearchResult) -> Stance:
    """How a party's quote stands to what was asked."""
    fields = citation.edition.document.fields
    if fields.doc_type not in POLITICAL_TYPES or fields.language != result.written:
        return Stance.UNKNOWN
    topic = topic_asked(result.content, result.plan.language, result.written)
    return stance(citation.quote.text, topic, fields.language, fields.parties)


def topic_asked(content: str, language: str, written: str) -> frozenset[str]:
    """The terms, in the language `written`, of the thing that a question is about, without those that ask for
    parties or say what is to become of it."""
    said = topic_words(without_other_names(content), language)
    return terms(" ".join(word for word in said if not _asks_or_acts(word, language)), written)


def _asks_or_acts(word: str, language: str) -> bool:
    asked = (f"{who} {word.casefold()}" for who in _WHO)
    return (
        not terms(word, language).isdisjoint(_PARTIES)
        or any(poles("asks_who", each, language) for each in asked)
        or _is_act(word, language)
    )


_PARTIES = frozenset({"partei", "parti", "party"})
_WHO = ("wer", "who", "qui")


async def of_each_party(extractor: Extractor, result: SearchResult) -> list[Extract]:
    """For a question for those who want or reject a thing that names none of them, the best sentence of each
    party that was found; none for another question, or where parties are not what was found first."""
    plan, best = result.plan, result.best
    named = plan.detected.parties or plan.scope.parties or len(plan.groups) > 1
    if named or not best or not best[0].edition.document.fields.parties or not _wanted(result):
        return []
    found: dict[tuple[str, ...], list[Hit]] = {}
    for hit in best:
        if hit.edition.document.fields.doc_type in POLITICAL_TYPES:
            found.setdefault(hit.edition.document.fields.parties, []).append(hit)
    picked = []
    for hits in found.values():
        picked += await extractor.pick(result.content, plan.language, hits[:PASSAGES_EACH], 1)
    return picked if len(found) > 1 else []


def _wanted(result: SearchResult) -> Stance:
    return asked_for(result.plan.queries[0], result.plan.language)


def as_asked_first(citations: Sequence[Citation], result: SearchResult, limit: int) -> list[Citation]:
    """At most `limit` quotes, in their order; where those are asked for who want or reject a thing, all that
    show it, these first, then those of the opposite, and others behind them as far as there is room."""
    wanted = _wanted(result)
    if wanted is Stance.UNKNOWN or len(result.plan.groups) > 1:
        return list(citations[:limit])
    read = [(_read(item, result), item) for item in citations]
    known = [item for way in (wanted, -wanted) for found, item in read if found == way]
    return [*known, *(item for found, item in read if not found)][: max(limit, len(known))]


def stance_notices(answer: Answer, result: SearchResult) -> tuple[Notice, ...]:
    """Which parties' quotes say what is asked for, which say the opposite and which do neither; nothing where
    the question is for nobody, or no party is quoted."""
    wanted = _wanted(result)
    spoken = [item for item in answer.citations if _speaks(item)]
    if wanted is Stance.UNKNOWN or not spoken or len(result.plan.groups) > 1 or result.plan.scope.parties:
        return ()
    keys: tuple[tuple[NoticeKey, Stance], ...] = (
        ("notice.stance.asked", wanted),
        ("notice.stance.opposite", Stance(-wanted)),
        ("notice.stance.unknown", Stance.UNKNOWN),
    )
    found = []
    for key, way in keys:
        own = [item for item in spoken if _read(item, result) is way]
        names = dict.fromkeys("/".join(item.edition.document.fields.parties) for item in own)
        labels = tuple(item.label for item in own)
        if own:
            shown = ", ".join(f"[{label}]" for label in labels)
            values = {"name": NAMES_BETWEEN.join(names), "labels": shown}
            found.append(Notice(key=key, values=values, labels=labels))
        elif way is wanted:
            found.append(Notice(key="notice.stance.nobody"))
    return tuple(found)


def _speaks(citation: Citation) -> bool:
    fields = citation.edition.document.fields
    return bool(fields.parties) and fields.doc_type in POLITICAL_TYPES
