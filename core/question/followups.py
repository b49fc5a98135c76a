"""Follow-ups: "und die FDP?", "what about Gujarat?", "and how high is the fine?" made self-contained.

By rules: a name replaces the earlier question's names of the same kind, a prepositional phrase its phrase
with the same preposition, and anything new is combined with the earlier question. A complete question is left
unchanged.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise, zip_longest

from core.domain.ids import DocumentId
from core.domain.registry import Registry
from core.domain.scope import ThreadContext
from core.domain.search import QuestionKind
from core.language.languages import every, of, tags
from core.language.name_forms import Case, case_behind, drawn_together
from core.language.patterns import NOTHING, filled, pattern, words
from core.language.terms import is_small
from core.ports.models import TalkReader
from core.question.carried import Carried
from core.question.kinds import kind_of
from core.question.language import spoken_language
from core.question.wanted import asking_how_much, read_wanted
from core.question.who import thing_asked
from core.recent import LastMade
from core.registry.detection import Detection, Detector, Named, NameRole
from core.registry.names import Mention, NameKind, fold, replaced, tokens

_FEW_WORDS = 6
_FEW_LETTERS = 200
_NUMBER = re.compile(r"\d.*")
_WHOLE = re.compile(r"\w[\w'’\-/]*")
_NEW_TOPIC = pattern(
    r"^\W*(?:(?:{follow_ups.leading}|ok(?:ay)?|so|{follow_ups.denying})\W+)*(?:{follow_ups.new_topic})\s*[:.,;!–—-]+\s*",
    re.IGNORECASE,
)
_COMPARED = pattern(
    r"(?:(?:{follow_ups.compared})(?:\s+|$))*(?:(?:{follow_ups.compared_with})\b|$)", re.IGNORECASE
)
_FOLLOWING = pattern(r"^\s*(?:{follow_ups.leading})\b[\s,]*", re.IGNORECASE)
_BETWEEN = re.compile(r"(?<=\?)\s+")
_AGAIN = pattern(
    r"^\W*(?:(?:{follow_ups.leading})\W+)?(?:(?:{follow_ups.same})|(?:{follow_ups.also}))\b[\s,]*",
    re.IGNORECASE,
)
_COMPARING = pattern(r"(?<!\w)(?:{follow_ups.comparing})(?!\w)", re.IGNORECASE)
_ARTICLE = pattern(r"^(?:{follow_ups.articles})\s+", re.IGNORECASE)
_PHRASES = tuple(
    pattern(
        rf"\b(?P<preposition>{{follow_ups.{sort}}})\b"
        r"\s+(?P<phrase>(?:(?!\b(?:{follow_ups.phrase_ends})\b)[^,;:?!.])+)",
        re.IGNORECASE,
    )
    for sort in ("about", "for_whom", "against", "inside")
)
_MORE = pattern(r"(?:(?:{follow_ups.leading}) )?(?:{follow_ups.more})\W*")
_REASONS = pattern(r"(?:(?:{follow_ups.leading}) )?(?:{follow_ups.reasons})\W*")
_PREPOSITION = pattern(r"(?:{follow_ups.about})", re.IGNORECASE)
_UNIT = pattern(r"(?:\b(?:{follow_ups.units})|§+)\s*\d+[a-z]?(?:\(\w+\))*", re.IGNORECASE)
_DIVISION = pattern(r"^(?:(?:{asked.levels})\s*\(?\d+\w?\)?|\(\d+\w?\))[\s?.!]*$", re.IGNORECASE)
_DIVISIONS = pattern(r"^(?:\s*,?\s*(?:{asked.levels})\s*\(?\w+\)?)+", re.IGNORECASE)
_OTHERS = pattern(r"(?:(?:{follow_ups.leading}) )?(?:{follow_ups.others})\W*")
_AGAINST_IT = pattern(r"\W*(?:{follow_ups.against_it})\W*")
_FOR_IT = pattern(r"\W*(?:{follow_ups.for_it})\W*")
_WE = pattern(r"(?<!\w)(?:{follow_ups.we})(?!\w)", re.IGNORECASE)
_ABOUT = pattern(r"^(?:(?:{follow_ups.leading}) )?(?:{follow_ups.what_about})\b", re.IGNORECASE)
SURE = 10.0


@cache
def _ordinal_shapes() -> list[re.Pattern[str]]:
    """For "first", "second" and so on, the pattern of a question that asks only for that one."""
    around = (
        "(?:(?:{follow_ups.leading}) )?(?:(?:{follow_ups.before_ordinals}) )*",
        "(?: (?:{follow_ups.behind_ordinals}))?\\W*",
    )
    each = zip_longest(*(language.follow_ups.ordinals for language in every()), fillvalue=NOTHING)
    return [re.compile(filled(f"{around[0]}(?:{'|'.join(words)}){around[1]}", every())) for words in each]


@cache
def _corrections() -> dict[str, re.Pattern[str]]:
    """Corrections of one's own question in each language."""
    shape = (
        r"\W*(?:(?:(?:{follow_ups.denying})\W+)*(?:{follow_ups.meaning})"
        r"|(?:(?:{follow_ups.denying})\W+)+(?:{follow_ups.meaning_instead}))"
        r"(?:\W+(?:{follow_ups.meaning_beside})\b)*\W+(?!(?:{follow_ups.no_meaning})\b)"
        r"(?P<meant>\w.*?)(?: (?:{follow_ups.meaning_ends}))*[\s.!]*"
    )
    return {tag: re.compile(filled(shape, [of(tag)]), re.IGNORECASE) for tag in tags()}


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody meant instead, and as a follow-up: "die SPD", "und die SPD"."""

    text: str
    follow_up: str


def corrected(question: str) -> Correction | None:
    """What `question` asks if it corrects the previous one ("nein, ich meinte die SPD"); None for any
    other."""
    for tag, shape in _corrections().items():
        found = shape.fullmatch(question) if len(question) <= _FEW_LETTERS else None
        if found and _words(found["meant"]):
            return Correction(found["meant"], f"{of(tag).follow_ups.leading[0]} {found['meant']}")
    return None


def _opening(question: str) -> str:
    """The folded form used to check whether `question` consists of a few set words."""
    return fold(question.strip()[:_FEW_LETTERS]).replace("’", "'")


class GoingOn(StrEnum):
    """What is asked about the previous answer, without mentioning its topic."""

    MORE = "more"
    REASONS = "reasons"


def going_on(question: str) -> GoingOn | None:
    """What `question` asks for if it is only more of the same ("und was noch?") or for reasons ("why?"); else
    None."""
    told = _opening(question)
    if _REASONS().fullmatch(told):
        return GoingOn.REASONS
    return GoingOn.MORE if _MORE().fullmatch(told) else None


def place_asked(question: str) -> int | None:
    """Which of several things `question` asks for by its place alone ("and for the second one?"), from 1."""
    told = _opening(question)
    return next((number for number, shape in enumerate(_ordinal_shapes(), 1) if shape.fullmatch(told)), None)


def on_another_topic(question: str) -> str | None:
    """What `question` asks behind words that say that it is about something else ("Andere Frage: ..."); None
    if it has no such words."""
    opening = _NEW_TOPIC().match(question[:_FEW_LETTERS])
    return question[opening.end() :] or None if opening else None


def compares_last(rest: str) -> bool:
    """Whether `rest`, behind "compare", is about what was asked before ("it with 2013")."""
    return bool(_COMPARED().match(rest.strip()))


def opens_topic(question: str) -> bool:
    """Whether a follow-up may open a new topic instead of adding to the previous one: "Was ist mit
    Cannabis?"."""
    return bool(_ABOUT().match(_FOLLOWING().sub("", question)))


def asks_by_name(line: str, names: Detector) -> bool:
    """Whether `line` is a question made of just names of parties or places, in few words: "fdp?", "und die
    SPD"."""
    line = line.strip()
    told = _FOLLOWING().sub("", line)
    if len(line.split()) > _FEW_WORDS or not (line.endswith("?") or (told != line and line[-1].isalnum())):
        return False
    detection = names.detect(told)
    return bool(detection.mentions) and not _own_words(told, detection)


def speaks_of_itself(question: str) -> bool:
    """Whether `question` says "we" or "our"."""
    return bool(_WE().search(question.replace("’", "'")))


def asks_others(question: str) -> bool:
    """Whether `question` asks only what all others say: "und die anderen?"."""
    return bool(_OTHERS().fullmatch(_opening(question)))


def asks_anew(question: str, names: Callable[[], Detector]) -> bool:
    """Whether `question`, which asks for more, names somebody or something, or asks how much."""
    named = names().detect(question)
    return bool(named.mentions or named.titles or named.years) or read_wanted(question).number


def own_language(question: str, names: Detector, otherwise: str) -> str:
    """The language of a follow-up, which names do not show: that of the word that it begins with, if only one
    has it, else of the others; `otherwise` if nothing shows it."""
    mentions = {(mention.start, mention.end) for mention in names.detect(question).mentions}
    told = replaced(question, mentions, " ").strip()
    begun = [tag for tag in tags() if _leading()[tag].match(told)]
    rest = told.strip(" ?!.")
    return begun[0] if len(begun) == 1 else spoken_language(rest, otherwise) if rest else otherwise


@cache
def _leading() -> dict[str, re.Pattern[str]]:
    shape = r"^\s*(?:{follow_ups.leading})\b"
    return {tag: re.compile(filled(shape, [of(tag)]), re.IGNORECASE) for tag in tags()}


def says_all(question: str, earlier: str) -> bool:
    """Whether `question` has every word of `earlier`, and so takes nothing from it."""
    own = {word.folded for word in tokens(question)}
    return all(word.folded in own for word in tokens(earlier))


def standalone(
    question: str, thread: ThreadContext, names: Detector, carried: Carried | None = None
) -> str | None:
    """`question` as it would have been asked without the thread; None if it is not a follow-up. `carried`:
    what it takes from the thread's last question, as read; by its set words if nobody has read it."""
    before = _spelled(thread.questions[-1], names)
    told = _without_leading(_spelled(question, names))
    side = _who_is_on_that_side(question, before, thread.language, names)
    if known := side or _with_unit(before, told) or _with_division(before, told):
        return known
    if kind_of(question) is QuestionKind.DOCUMENT or _UNIT().fullmatch(ENDING.sub("", told)):
        return None
    carried = carried or _by_set_words(question, told, names)
    detection = asked_of(names.detect(question), carried)
    follows = carried.follows or kind_of(question, in_thread=True) is QuestionKind.FOLLOW_UP
    asks = _beside_names(question, carried.asks, detection)
    fresh = without(detection, (*asks, *carried.topics))
    named = bool(fresh.mentions or fresh.titles or fresh.years)
    asks = asks or (() if named else carried.topics)
    beside = detection.unasked or names.detect(before).parties
    others = carried.others and beside and not fresh.parties and going_on(question) is None
    if asks_others(question) or others:
        return _of_others(before, question, fresh, thread, names)
    if not follows and not (named and not asks):
        return None
    if whole := _of_document(told, asks, fresh) or _compared(
        before, told, asks, fresh, thread.language, names
    ):
        return whole
    earlier = renamed(before, fresh, question, thread.language, names)
    if not asks:
        return earlier if named and not _asks_more(told) else _joined(earlier, told)
    if (parallel := _parallel(earlier, told, _places(earlier, names))) is not None:
        return parallel
    if not carried.keeps or _ABOUT().match(told):
        asked = " ".join(question[start:end] for start, end in asks)
        if asking_how_much(question):
            asked = ENDING.sub("", _without_asides(question, asks, fresh))
            asked = asked[:1].upper() + asked[1:]
        alike = _asked_alike(asked, earlier, names)
        return None if set(_called(names.detect(alike))) <= set(_called(detection)) else alike
    return _joined(earlier, _without_asides(question, asks, fresh))


def _called(detection: Detection) -> Iterator[str]:
    """Whom and what `detection` names, and when."""
    yield from (each.key for each in (*detection.mentions, *detection.titles))
    yield from (str(each.year) for each in detection.years)


def _beside_names(
    question: str, asks: Sequence[tuple[int, int]], detection: Detection
) -> tuple[tuple[int, int], ...]:
    """`asks` without stretches that are only names of parties, years or words for comparing: they say of whom
    and when."""
    years = {str(year.year) for year in detection.years}
    named = detection.party_names

    def is_name(start: int, end: int) -> bool:
        words = {word.strip(" ?.!") for word in question[start:end].split()}
        if words <= years or all(_COMPARING().fullmatch(word) for word in words):
            return True
        return any(first <= start and end <= last for first, last in named)

    return tuple(each for each in asks if not is_name(*each))


def _by_set_words(question: str, told: str, names: Detector) -> Carried:
    """What `question` asks and keeps of the one before it, by the words in it that are no names."""
    if not _own_words(told, names.detect(told)):
        return Carried(keeps=True)
    at = len(question.rstrip()) - len(told.rstrip())
    return Carried(keeps=True, asks=((max(at, 0), len(question)),))


def _joined(earlier: str, told: str) -> str:
    """Both questions, one behind the other."""
    return f"{ENDING.sub('?', _without_middle(earlier))} {told[:1].upper()}{told[1:]}" if told else earlier


def _asks_more(told: str) -> bool:
    """Whether `told` asks for a number, a time or reasons."""
    return read_wanted(told).number or going_on(told) is not None


def asked_of(detection: Detection, carried: Carried) -> Detection:
    """`detection` without the parties that a message names and does not ask, if it asks any others."""
    left = without(detection, carried.unasked)
    strangers = tuple(each for each in left.strangers if (each.start, each.end) not in carried.unasked)
    if not carried.unasked or not (left.parties or left.places or strangers or carried.others):
        return detection
    return replace(left, strangers=strangers, unasked=carried.unasked)


def with_exceptions(question: str, names: Sequence[tuple[int, int]], carried: Carried) -> Carried:
    """`carried` with what set words say of the parties at `names`, which are not asked: "everyone except the
    AfD", or "neither the CDU nor the FDP" and "not the FDP, the SPD" where others are."""
    names = sorted(set(names))
    unasked, others = {*carried.unasked}, carried.others
    for one, other in pairwise(names):  # joined parties are treated alike
        if _JOINED().fullmatch(question, one[1], other[0]) and len(unasked & {one, other}) == 1:
            unasked -= {one, other}
    if found := _ALL_BUT().search(question):
        run = list(_named_behind(question, found.end(), names))
        unasked |= {*run}
        others = others or bool(run)
    apart = set()
    for start, end in names:
        before = question[:start]
        beside = any(_INSTEAD().fullmatch(question, end, other) for other, _ in names if other >= end)
        but_not = _BUT_NOT().search(before)
        if (but_not and (beside or not but_not["begins"])) or (
            _NEITHER().search(before) and _AFTER_NEITHER().search(before)
        ):
            apart.add((start, end))
    unasked |= apart if apart < {*names} else set()
    return replace(carried, others=others, unasked=tuple(sorted(unasked)))


def _named_behind(question: str, at: int, names: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Those of `names` that follow from `at` on, with nothing but joining words between them."""
    for start, end in names:
        if start >= at and _NAMES_GO_ON().fullmatch(question, at, start):
            yield start, end
            at = end


def without(detection: Detection, stretches: Sequence[tuple[int, int]]) -> Detection:
    """`detection` without the names inside `stretches`, which say what is asked and not of whom."""

    def outside(mention: Mention) -> bool:
        return not any(start <= mention.start and mention.end <= end for start, end in stretches)

    mentions, titles = (tuple(filter(outside, each)) for each in (detection.mentions, detection.titles))
    keys = {each.key for each in mentions}
    return replace(
        detection,
        mentions=mentions,
        titles=titles,
        parties=tuple(each for each in detection.parties if each.key in keys),
        places=tuple(each for each in detection.places if each.key in keys),
        documents=tuple(dict.fromkeys(DocumentId(each.key) for each in titles)),
    )


def _without_asides(question: str, asks: Sequence[tuple[int, int]], fresh: Detection) -> str:
    """The words of `question` that are asked for, with the small words between and around them."""
    kept, named = [], [(each.start, each.end) for each in (*fresh.mentions, *fresh.titles)]
    small = asking_how_much(question)
    for word in _WHOLE.finditer(question, _leads(question)):
        asked = any(start < word.end() and word.start() < end for start, end in asks)
        if asked or (
            (word[0] in small or is_small(word[0]))
            and not any(start <= word.start() < end for start, end in named)
        ):
            kept.append(word[0])
    return f"{' '.join(kept)}?"


def _leads(question: str) -> int:
    """Where `question` goes on behind the word that connects it to the one before."""
    found = _FOLLOWING().match(question)
    return found.end() if found else 0


def _is_searched(place: Named) -> bool:
    """Whether a question says to search in a place: countries are as often its topic ("leave the EU")."""
    part = "-" in place.key
    return place.role is NameRole.SOURCE or (part and place.role is NameRole.PLAIN)


def _asked_alike(asked: str, earlier: str, names: Detector) -> str:
    """`asked` of those whom `earlier` asks, in the same places and editions."""
    detection = names.detect(earlier)
    language = spoken_language(earlier)
    parties = [each.key for each in detection.parties if each.role is not NameRole.TOPIC]
    places = [each.key for each in detection.places if _is_searched(each)]
    for kind, keys in ((NameKind.PARTY, parties), (NameKind.PLACE, places)):
        if keys:
            asked += f" {where(kind, _enumerated(list(map(names.called, keys)), language), language)}"
    asked += "".join(f" ({names.called(each.key)})" for each in detection.titles)
    years = [each.year for each in detection.years if not each.point_in_time]
    return f"{asked} ({years[0]})?" if years else f"{asked}?"


def _without_leading(question: str) -> str:
    """`question` without the word that connects it to the previous one, unless that word and what follows ask
    about another topic ("et pour les marchés ?")."""
    whole = question.strip()
    if (told := _AGAIN().sub("", whole)) != whole:
        return told or whole
    told = _FOLLOWING().sub("", question).strip()
    return whole if _ABOUT().match(whole) and not _ABOUT().match(told) else told


def _of_others(
    before: str, question: str, fresh: Detection, thread: ThreadContext, names: Detector
) -> str | None:
    """`before` asked, where `fresh` says, of all parties with documents except those that `question` names,
    or if it names none, those that `before` does; None if there are no such or no others."""
    earlier = renamed(before, fresh, question, thread.language, names)
    parties = names.detect(question).parties or names.detect(before).parties
    others = names.beside([each.key for each in parties])
    if not parties or not others:
        return None
    called = [names.called(key) for key in others]
    return with_names(earlier, NameKind.PARTY, others, called, Detection(), thread.language, names)


def _beside(earlier: str, fresh: Detection, language: str, names: Detector) -> str:
    """`earlier`, asked of its own parties and of those of `fresh`."""
    both = (*of_kind(names.detect(earlier), NameKind.PARTY), *of_kind(fresh, NameKind.PARTY))
    keys = list(dict.fromkeys(mention.key for mention in both))
    return with_names(earlier, NameKind.PARTY, keys, list(map(names.called, keys)), fresh, language, names)


def _who_is_on_that_side(question: str, earlier: str, language: str, names: Detector) -> str | None:
    """Who is against what `earlier` asks about, or for it, if `question` asks that; else None."""
    told, said = _opening(question), of(language).follow_ups
    against = bool(_AGAINST_IT().fullmatch(told))
    if not against and not _FOR_IT().fullmatch(told):
        return None
    mentions = {(each.start, each.end) for each in names.detect(earlier).mentions}
    said_of = thing_asked(replaced(earlier, mentions, " "), language).split()
    thing = " ".join(word for word in said_of if not is_small(word) and not _PREPOSITION().fullmatch(word))
    return (said.who_is_against if against else said.who_is_for).format(thing) if thing else None


def _of_document(told: str, asks: Sequence[tuple[int, int]], fresh: Detection) -> str | None:
    """`told` alone if it asks a document by name; else None."""
    return f"{told[:1].upper()}{told[1:]}" if asks and fresh.titles and not fresh.parties else None


def _compared(
    earlier: str,
    told: str,
    asks: Sequence[tuple[int, int]],
    fresh: Detection,
    language: str,
    names: Detector,
) -> str | None:
    """`earlier`, asked also of the parties or the edition of `fresh` if `told` only says to compare them;
    else None."""
    if asks or not _COMPARING().search(told):
        return None
    if fresh.parties:
        return _beside(earlier, fresh, language, names)
    old, new = names.detect(earlier).years[:1], next((each.year for each in fresh.years), 0)
    if not old or new in (0, old[0].year):
        return None
    both = f"{old[0].year} {of(language).follow_ups.conjunction} {new}"
    return re.sub(rf"\b{old[0].year}\b", both, earlier, count=1)


def _without_middle(earlier: str) -> str:
    """The first and the last question of a chain of follow-ups."""
    questions = _BETWEEN.split(earlier)
    return earlier if len(questions) < 3 else f"{questions[0]} {questions[-1]}"


def _spelled(text: str, names: Detector) -> str:
    """`text`; if it is all in lower case, with names as registered."""
    if any(letter.isupper() for letter in text):
        return text
    found = {(m.start, m.end): m for m in names.detect(text).mentions if not m.tail}
    for mention in sorted(found.values(), key=lambda m: -m.start):
        text = f"{text[: mention.start]}{names.called(mention.key)}{text[mention.end :]}"
    return text


def _own_words(told: str, detection: Detection) -> list[str]:
    """The words that ask something, without names, years and function words."""
    rest = told
    spans = {(m.start, m.end) for m in (*detection.mentions, *detection.titles)}
    for start, end in sorted(spans, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    years = {str(year.year) for year in detection.years}
    return [word for word in _words(_ABOUT().sub("", rest)) if word not in years]


def _words(text: str) -> list[str]:
    return [word.folded for word in tokens(text) if word.folded not in words("names.frame")]


def _with_unit(earlier: str, told: str) -> str | None:
    """`earlier` with its last section replaced by the one that `told` consists of."""
    fresh, old = _UNIT().search(told), list(_UNIT().finditer(earlier))
    if fresh is None or not old or _words(_ABOUT().sub("", _UNIT().sub("", told))):
        return None
    unit = fresh[0]
    if unit.startswith("§"):  # typed for any kind of provision
        unit = _NUMBER.sub(unit.lstrip("§ "), old[-1][0])
    return f"{earlier[: old[-1].start()]}{unit}{_DIVISIONS().sub('', earlier[old[-1].end() :])}"


def _with_division(earlier: str, told: str) -> str | None:
    """`earlier` with the sub-division that `told` consists of, in the last section of it."""
    old = list(_UNIT().finditer(earlier))
    if not old or not _DIVISION().match(told):
        return None
    rest = _DIVISIONS().sub("", earlier[old[-1].end() :])
    return f"{earlier[: old[-1].end()]} {ENDING.sub('', told)}{rest}"


def _places(earlier: str, names: Detector) -> list[tuple[int, int]]:
    """Where `earlier` names whom it asks or where to search."""
    return [(mention.start, mention.end) for mention in names.detect(earlier).mentions]


def _parallel(earlier: str, told: str, named: Sequence[tuple[int, int]]) -> str | None:
    """`earlier` with its phrase with the same preposition, or its subject area, replaced by the phrase of
    `told`; a phrase containing one of the ranges `named` stays."""
    opening = _ABOUT().match(told)
    about, *_, inside = _PHRASES
    if not opening and about().match(told) and not about().search(earlier):
        fields = [
            field
            for field in inside().finditer(earlier)
            if all(end <= field.start() or field.end() <= start for start, end in named)
        ]
        if fields:
            return f"{earlier[: fields[-1].start()]}{ENDING.sub('', told)}{earlier[fields[-1].end() :]}"
    for phrase_of in _PHRASES[:1] if opening else _PHRASES[:-1]:
        phrases = phrase_of()
        fresh = re.match(r"\s*(?P<phrase>[^?!.]+)", told[opening.end() :]) if opening else phrases.match(told)
        old = list(phrases.finditer(earlier))
        if fresh and old:
            phrase = fresh["phrase"].strip()
            phrase = _ARTICLE().sub("", phrase) if opening else f"{fresh['preposition']} {phrase}"
            start = old[-1].start("phrase") if opening else old[-1].start()
            end = old[-1].start("phrase") + len(old[-1]["phrase"].rstrip())
            return f"{earlier[:start]}{phrase}{earlier[end:]}"
    return None


class NamesAreAsked(TalkReader):
    """Takes a line that only names parties or places of the `registry` as meant for the bot, which is asked
    the same about them. `reader` judges all others."""

    def __init__(self, reader: TalkReader, registry: Callable[[], Registry]) -> None:
        self._reader = reader
        self._registry = registry
        self._detectors = LastMade[Registry, Detector](lambda named: Detector(named, ()))

    async def odds(self, before: str, line: str) -> float:
        """See the port."""
        return (
            SURE if before and asks_by_name(line, self._detector()) else await self._reader.odds(before, line)
        )

    async def warm_up(self) -> None:
        """Load the model and prepare the names."""
        await asyncio.gather(self._reader.warm_up(), asyncio.to_thread(self._detector))

    def _detector(self) -> Detector:
        return self._detectors.of(self._registry())


# Replacing names in the previous question, with the articles, cases and verbs that they take.

_JOINING = pattern(
    r"(?:\s*[,/&])?(?:\s*\b(?:{follow_ups.joining})\b)?(?:\s*\b(?:{follow_ups.joining_articles})\b)?\s*$",
    re.IGNORECASE,
)
_ARTICLES = r"(?:(?:{follow_ups.articles})\s+|l['’])*"
_JOINED = pattern(rf"\s+(?:{{quoting.joining}})\s+{_ARTICLES}", re.IGNORECASE)
_NAMES_GO_ON = pattern(rf"[\s,]*(?:(?:{{quoting.joining}}|{{follow_ups.nor}})\s+)?{_ARTICLES}", re.IGNORECASE)
_ALL_BUT = pattern(r"\b(?:{follow_ups.all_but})\b", re.IGNORECASE)
_NEITHER = pattern(r"\b(?:{follow_ups.neither})\b", re.IGNORECASE)
_AFTER_NEITHER = pattern(rf"\b(?:{{follow_ups.neither}}|{{follow_ups.nor}})\s+{_ARTICLES}$", re.IGNORECASE)
_WITHIN = r"(?:(?:{follow_ups.articles}|{follow_ups.inside})\s+|l['’])*"
_BUT_NOT = pattern(
    r"(?:(?P<begins>(?:^\W*|[:.!?]\s*)(?:(?:{follow_ups.leading}|{follow_ups.meaning}|{follow_ups.meaning_instead})\s+)?"
    r"(?:(?:{follow_ups.articles})\s+)?)|[,;]\s*(?:(?:{follow_ups.leading})\s+)?)"
    rf"(?:{{follow_ups.but_not}})\s+{_WITHIN}$",
    re.IGNORECASE,
)
_INSTEAD = pattern(
    rf"\s*(?:,\s*(?:(?:{{follow_ups.instead}})\s+)?|(?:{{follow_ups.instead}})\s+){_WITHIN}",
    re.IGNORECASE,
)
_EVERYBODY = pattern(r"\b(?:{follow_ups.everybody})\b", re.IGNORECASE)
ENDING = re.compile(r"(?<![\s?.!])[\s?.!]*$")
_BEFORE = re.compile(r"(?:\b(?P<preposition>[^\W\d_]+) )?\b(?P<article>[^\W\d_]+) $")
_BESIDE = tuple(re.compile(rf"\b(?P<verb>\w+){before} $") for before in ("", r" \w+"))
_BEHIND = re.compile(r"^ (?P<verb>\w+)\b")


def renamed(earlier: str, fresh: Detection, told: str, language: str, names: Detector) -> str:
    """`earlier` with its names of the same kind replaced by those of `fresh`, found in `told`."""
    for kind in NameKind:
        mentions = _distinct(of_kind(fresh, kind))
        if mentions:
            called = list(dict.fromkeys(_name(mention, told, names) for mention in mentions))
            keys = list(dict.fromkeys(mention.key for mention in mentions))
            earlier = with_names(earlier, kind, keys, called, fresh, language, names)
    for year in fresh.years[:1]:
        earlier = _with_year(earlier, year.year, names.detect(earlier))
    return earlier


def of_kind(detection: Detection, kind: NameKind) -> list[Mention]:
    """The names of one kind."""
    return [m for m in (*detection.mentions, *detection.titles) if m.kind is kind]


def _distinct(mentions: Sequence[Mention]) -> list[Mention]:
    """One mention per range."""
    return list({(m.start, m.end): m for m in reversed(mentions)}.values())[::-1]


def _name(mention: Mention, told: str, names: Detector) -> str:
    """The registered name, so that it is recognised anywhere; as written for documents, if in capitals."""
    written = told[mention.start : mention.end]
    as_written = mention.kind is NameKind.DOCUMENT and not written.islower()
    return written if as_written else names.called(mention.key)


def with_names(
    earlier: str,
    kind: NameKind,
    keys: Sequence[str],
    called: Sequence[str],
    fresh: Detection,
    language: str,
    names: Detector,
) -> str:
    """`earlier` with its names of the same kind replaced by the names `called` (`keys` in the registry), or
    with these appended if it has none."""
    old = _replaceable(kind, names.detect(earlier), fresh)
    if not old and kind is NameKind.PARTY and (everybody := _EVERYBODY().search(earlier)):
        return _of_these(earlier, everybody.span(), keys, language, names)
    if not old:
        return ENDING.sub(f" {where(kind, _enumerated(called, language), language)}?", earlier)
    for mention in old[:0:-1]:
        earlier = _JOINING().sub("", earlier[: mention.start]) + earlier[mention.end :]
    before, after = earlier[: old[0].start], earlier[old[0].end :]
    if kind is not NameKind.PARTY:
        return f"{before}{_enumerated(called, language)}{after}"
    plural = len(keys) > 1 or names.party_forms(keys[0], language).plural
    before, after = _agreeing(before, after, language, plural=plural)
    before, called = _behind_article(before, old[0].key, keys, language, names) or (before, called)
    return f"{before}{_enumerated(called, language)}{after}"


def _of_these(
    earlier: str, everybody: tuple[int, int], keys: Sequence[str], language: str, names: Detector
) -> str:
    """A question of all parties as one of the parties `keys`."""
    forms = [names.party_forms(key, language) for key in keys]
    start, end = everybody
    before, after = _agreeing(
        earlier[:start], earlier[end:], language, plural=len(forms) > 1 or forms[0].plural
    )
    return f"{before}{_enumerated([each.cases[Case.NOMINATIVE] for each in forms], language)}{after}"


def _enumerated(called: Sequence[str], language: str) -> str:
    last = f" {of(language).follow_ups.conjunction} ".join([", ".join(called[:-1]), called[-1]])
    return last if len(called) > 1 else called[0]


def _agreeing(before: str, after: str, language: str, *, plural: bool) -> tuple[str, str]:
    """The text before and after the names, with the adjacent verb in the right number."""
    pairs = [pair.split(" = ") for pair in of(language).follow_ups.verbs]
    agreed = {form: pair[plural] for pair in pairs for form in pair}
    for text, beside in ((before, _BESIDE[0]), (before, _BESIDE[1]), (after, _BEHIND)):
        found = beside.search(text)
        verb = agreed.get(found["verb"].lower()) if found else None
        if found and verb:
            written = verb.capitalize() if found["verb"][0].isupper() else verb
            changed = f"{text[: found.start('verb')]}{written}{text[found.end('verb') :]}"
            return (changed, after) if text is before else (before, changed)
    return before, after


def _behind_article(
    before: str, old: str, new: Sequence[str], language: str, names: Detector
) -> tuple[str, Sequence[str]] | None:
    """The text before the parties `new` replacing `old`, and `new` with the articles that they take there;
    None if `old` has none."""
    for apart, together in (pair.split(" = ") for pair in of(language).sentence_names.merged):
        before = re.sub(rf"\b{together} $", f"{apart} ", before)
    found = _BEFORE.search(before)
    if found is None:
        return None
    preposition, article = found["preposition"] or "", found["article"].lower()
    case = case_behind(preposition.lower(), language) or Case.NOMINATIVE
    if not names.party_forms(old, language).cases[case].lower().startswith(f"{article} "):
        return None
    first, *rest = [names.party_forms(each, language).cases[case] for each in new]
    if preposition:
        return before[: found.start()], [drawn_together(preposition, first, language), *rest]
    return before[: found.start("article")], [first, *rest]


def _replaceable(kind: NameKind, detection: Detection, fresh: Detection) -> list[Mention]:
    """The mentions to replace: those that say where to search rather than name the topic. A place to search
    in does not replace one that is the topic."""
    old = _distinct(of_kind(detection, kind))
    if kind is NameKind.DOCUMENT:
        return old
    named = detection.parties if kind is NameKind.PARTY else detection.places
    topics = {item.key for item in named if item.role is NameRole.TOPIC}
    spoken_of = any(
        item.role is NameRole.TOPIC for item in (fresh.parties if kind is NameKind.PARTY else fresh.places)
    )
    same = [mention for mention in old if (mention.key in topics) is spoken_of]
    if same or any(item.role is NameRole.SOURCE for item in fresh.places if kind is NameKind.PLACE):
        return same
    return old


def where(kind: NameKind, joined: str, language: str) -> str:
    """The names as sources to search: "in Gujarat", "laut SPD"."""
    if kind is NameKind.PLACE:
        return of(language).follow_ups.at_place.format(joined)
    if kind is NameKind.PARTY:
        return of(language).follow_ups.according_to.format(joined)
    return f"({joined})"


def _with_year(earlier: str, year: int, detection: Detection) -> str:
    for old in detection.years[:1]:
        return re.sub(rf"\b{old.year}\b", str(year), earlier)
    for mention in detection.mentions:
        if mention.kind is NameKind.PARTY:
            return f"{earlier[: mention.end]} ({year}){earlier[mention.end :]}"
    return ENDING.sub(f" ({year})?", earlier)
