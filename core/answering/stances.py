"""Who wants or rejects a thing, if the quoted sentence shows it; otherwise unknown.

"Wer will die Vermögensteuer?" is close to anything that mentions it, including "lehnen wir ab". The clause of
a sentence that names the topic is searched for words saying what should happen to the thing (introduce, keep,
abolish), the writer's stance on that (support, reject), and a negation; together they give a direction or
none (decision 0033).
"""

import asyncio
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.answering.extractive.naming import CLAUSES, TO_DO, WISHING, is_own
from core.answering.extractive.statements import commits
from core.errors import FundstelleError
from core.evidence.contrasts import poles
from core.evidence.guards import is_negation
from core.evidence.skeleton import skeleton
from core.language.terms import WORD, is_function_word, terms
from core.ports.models import Embedder
from core.question.heads import packaged, plain
from core.question.usual_words import said_alike
from core.question.who import CLOSING, CONCLUDED, Stance, is_act

_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_TO_BE = re.compile(r"\b(?:soll|sollen|muss|müssen|should|must|doit|doivent)\b", re.IGNORECASE)
"""Phrases saying that something should be, whoever says it."""
_FIGURATIVE = re.compile(r"[„“”»«\"?]")
"""Signs that a sentence is a question, or has words of somebody else."""
_NO_VIEW = re.compile(
    r"\b(?:kein\w*|nicht|no|not|aucune|pas de)\b(?: [\w-]+){0,4} (?:haltung|meinung|position|linie|einig\w*"
    r"|geeinigt|entschieden|festgelegt|view|line|opinion|agreed|decided)\b"
    r"|\b(?:uneinig|uneins|unentschieden|gespalten|undecided|divided|divisés?|partagés?)\b",
    re.IGNORECASE,
)
"""Phrases saying that the writers take no side."""
_INSTEAD = re.compile(r"\b(?:an)?statt\b|\binstead of\b|\bau lieu d", re.IGNORECASE)
_BEGUN = re.compile(r"[^\W\d_]+(?=-[^\W\d_])")
"""First parts of hyphenated words that make it a different thing ("NATO-Ziele")."""
_ENDED = re.compile(r"(\w+)-(\w+)(?![\w-])")
"""Hyphenated words whose last part is not the same thing as alone ("Energie-Soli")."""
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)* (?:(?:Millionen|Milliarden|Mio\.?|Mrd\.?|million|billion) )?[^\W\d]+")
"""A figure with what it counts, which is not a thing anybody wants."""
_SPLIT = re.compile(r"(\w+)-[ \n]?(\w+)")
_MARKED = re.compile(r"(?:\b(?:sogenannte[nrsm]?|so-called) )?[„“”»«\"](\w+)[“”»«\"]")
_REST = frozenset({"rest"})
"""Words that may precede a thing without changing it."""
_PARTS = re.compile(r"[:;]\s|\s[–—-]\s")
"""Separators of statements in a sentence, each of which is read separately."""
_ENDS = re.compile(
    r"\b(?:ersetz\w*|stopp\w*|rücknahme|rückgängig|abgezogen|abzug|abzieh\w*|ausstieg|aussteigen"
    r"|austr(?:itt|eten)|einstell\w*|schluss|ende|weg mit|beseitig\w*|replac\w*|halt|withdraw\w*|remplac\w*"
    r"|arrêt\w*|fin)\b"
)
"""Words for ending a thing besides abolishing it."""
_DEMANDS = re.compile(
    r"\b[a-zäöüß]{3,}n\W*$|!\W*$|\b(?:überfällig|nötig|notwendig|needed|necessary|nécessaire)\b"
)
"""Demands without a finite verb: "Das Tempolimit erhalten"."""
_PURPOSE = re.compile(r"\bum [^,;]*\bzu \w+n\b,?|\bbekämpf\w*")
"""Purposes: "um Armut zu bekämpfen"."""
_WITHOUT = re.compile(r"\b(?:ohne|without|sans)\b(?! (?:\w+ )?X\b)", re.IGNORECASE)
"""Negations of something other than the topic."""
_RESTRICTED = re.compile(
    r"\W*(?:auf|für|bei|on|for|sur|pour)\b"
    r"(?!\W+(?:(?:\w+ )?\d|(?:null|zero|zéro|all\w*|every\w*|each|tous|toutes)\b))",
    re.IGNORECASE,
)
"""Words after a thing that restrict it to a part: "auf Hauptstraßen"."""
_AT_ALL = re.compile(
    r"\b(?:generell\w*|allgemein\w*|grundsätzlich\w*|jede\w*|flächendeckend\w*|general\w*|any|blanket"
    r"|général\w*|tout\w*)\b",
    re.IGNORECASE,
)
"""Words for a thing as such, wherever it is."""
_ANOTHER_KIND = re.compile(
    r"\b(?:digital|virtuell|elektronisch|virtual|electronic|numérique)\w*", re.IGNORECASE
)
"""Adjectives that make it another thing: the digital euro is not the euro."""
_SPREAD = 14
"""Maximum words of a clause in which a predicate certainly applies to the topic."""


def stance(text: str, topic: frozenset[str], language: str, speakers: Sequence[str] = ()) -> Stance:
    """The stance of a text of `speakers` on the thing with the terms `topic` (`topic_terms`); UNKNOWN if it
    shows none, or both."""
    found = {way for each in sentences_of(text) if (way := of_sentence(each, topic, language, speakers))}
    return found.pop() if len(found) == 1 else Stance.UNKNOWN


def as_named(text: str, topic: frozenset[str], language: str) -> str:
    """`text` with everyday words replaced by those of documents, and with the terms `topic` in one word
    without quotation marks: "Verbrennerverbot" for "Verbrenner-Verbot"."""

    def joined(found: re.Match[str]) -> str:
        whole = found[1] + found[2].lower()
        return whole if _names_part(topic, whole, language) else found[0]

    def bare(found: re.Match[str]) -> str:
        return found[1] if _names_part(topic, found[1], language) else found[0]

    text = said_alike(unicodedata.normalize("NFC", text), language)
    return _MARKED.sub(bare, _SPLIT.sub(joined, text))


def sentences_of(text: str) -> list[str]:
    """The sentences of a quote."""
    return _SENTENCES.split(text)


def may_show(sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str]) -> bool:
    """Whether a sentence may show its writer's stance on a topic: it is not a question, contains no words or
    wishes of somebody else, is unconditional, is not about the past, and does not merely take place within
    the topic ("im Asylrecht")."""
    text = sentence.casefold()
    past = poles("tense", text, language) == {"done"}
    if past or _shows_nothing(sentence) or poles("condition", text, language):
        return False
    if not is_own(sentence, speakers) and WISHING.search(sentence):
        return False
    clauses = [each for each in CLAUSES.split(sentence) if names(topic, each, language)]
    return bool(clauses) and not _is_at(topic, clauses[0], language)


def _shows_nothing(sentence: str) -> bool:
    """Whether a sentence is a question, has words of somebody else, or says that its writers take no side."""
    return bool(_FIGURATIVE.search(sentence) or _NO_VIEW.search(sentence))


def _is_at(topic: frozenset[str], clause: str, language: str) -> bool:
    """Whether something is said to happen within the topic, with it or because of it."""
    written = WORD.findall(clause)
    said = [word.casefold() for word in written]
    first = next(n for n, word in enumerate(said) if _names_part(topic, word, language))
    before = said[:first]
    while before and before[-1] not in _AT and _describes(before[-1]) and len(said[:first]) - len(before) < 3:
        before.pop()
    if language == "de" and len(before) > 1 and before[-1] in _TOWARDS:  # "die Förderung für X"
        noun = written[len(before) - 2]
        return noun[0].isupper() and len(before) > 2 and not is_act(noun, language)
    return bool(before) and before[-1] in _AT and not (len(before) > 1 and is_act(before[-2], language))


def of_sentence(
    sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str], *, amount: bool = False
) -> Stance | None:
    """The stance of a sentence; None if it does not name the topic. If somebody else may be speaking in it,
    or another clause denies or rejects something, it shows nothing. `amount`: the stance to more of the
    topic, as opposed to less."""
    clauses = [each for each in CLAUSES.split(sentence) if each.strip()]
    naming = [each for each in clauses if names(topic, each, language)]
    if not naming:
        return None
    own = is_own(sentence, speakers) or (amount and TO_DO.search(clauses[0]))
    if len(naming) > 1 or not (own or (len(clauses) == 1 and _TO_BE.search(sentence))):
        return Stance.UNKNOWN
    if any(_turns(each, language) for each in clauses if each is not naming[0]):
        return Stance.UNKNOWN
    if _shows_nothing(sentence) or not _is_object(topic, naming[0], language, amount=amount):
        return Stance.UNKNOWN
    if amount and _is_restricted(topic, naming[0], language):
        return Stance.UNKNOWN
    way = _of_clause(naming[0], language, amount=amount)
    partly = way is Stance.AGAINST and _IN_PART.search(naming[0]) and not amount
    return Stance.UNKNOWN if partly else way


def _is_object(topic: frozenset[str], clause: str, language: str, *, amount: bool = False) -> bool:
    """Whether a clause is about the topic itself, rather than something it has, does or costs: "abuse of the
    wealth tax", "exceptions from it", "wealth tax loopholes"."""
    words = WORD.findall(clause)
    at = [n for n, word in enumerate(words) if _names_part(topic, word, language)]
    first, last = at[0], at[-1]
    if last - first >= 2 * len(topic) or len(at) > 2 * len(topic):
        return False
    after = words[last + 1 : last + 2]
    if language == "en" and after and not _may_follow(after[0], language):
        return False
    before = [word.casefold() for word in words[:first]]
    while (
        before
        and before[-1] not in _OF | _BESIDE
        and not is_act(before[-1], language)
        and _describes(before[-1])
    ):
        before.pop()
    if len(before) > 2 and before[-1] in _TOWARDS:  # "staff for the tax", but "we are for the tax"
        return words[len(before) - 2].casefold() in _STANDING
    if not before or before[-1] not in _OF | _BESIDE:
        return True
    if before[-1] in _BESIDE:
        return False
    # "Abschaffung der Vermögensteuer", "abolition of the wealth tax"; a verb or a pronoun before "der"
    head = words[len(before) - 2] if len(before) > 1 else ""
    if head.casefold() in _BESIDE or "".join(words[:first][len(before) - 3 : len(before) - 2]) in _SPOKEN_OF:
        return False
    noun = head[:1].isupper() and len(before) > 2 if language == "de" else bool(head)
    changed = amount and poles("opposites.amount", head.casefold(), language)
    return not noun or bool(changed) or is_act(head, language)


def _names_part(topic: frozenset[str], word: str, language: str) -> bool:
    return not {term.replace("nss", "ns") for term in terms(word, language)}.isdisjoint(
        term.replace("nss", "ns") for term in topic
    )


def _may_follow(word: str, language: str) -> bool:
    return is_function_word(word.casefold(), language) or is_act(word, language) or word in _AGAIN


def _describes(word: str) -> bool:
    """Whether it is an article or an adjective before a noun, judging by its ending."""
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
_SPOKEN_OF = frozenset({"zur", "zum", "über", "nach", "bei", "about", "on"})
"""Prepositions before an act that is merely mentioned: "Empfehlungen zur Erhöhung des Mindestlohns"."""
_AT = frozenset(
    {
        "bei",
        "beim",
        "von",
        "vom",
        "aus",
        "in",
        "im",
        "nach",
        "wegen",
        "trotz",
        "unter",
        "zwischen",
        "über",
        "um",
    }
    | {"from", "by", "under", "about", "at", "over", "within", "par", "dans", "sur"}
)
"""Prepositions before the place where something happens."""
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
"""Words that may say that only a part of a thing should go."""
_AGAIN = frozenset({"again", "now", "immediately", "altogether", "entirely", "nationwide"})


def _turns(clause: str, language: str) -> bool:
    """Whether a clause may reverse what the adjacent one says."""
    text = clause.casefold()
    rejects = poles("opposites.side", text, language) or "end" in poles("opposites.existence", text, language)
    return bool(rejects or poles("condition", text, language)) or _denials(clause) > 0


def _denials(clause: str) -> int:
    return sum(is_negation(skeleton(word)) for word in WORD.findall(clause))


def names(topic: frozenset[str], clause: str, language: str) -> bool:
    """Whether a clause names the whole topic itself, not only a compound that begins or ends with it."""
    clause = _AMOUNT.sub(" ", _INSTEAD.split(clause)[0])
    if any(_names_part(topic, each[0], language) for each in _BEGUN.finditer(clause)):
        return False
    ended = (each for each in _ENDED.finditer(clause) if _names_part(topic, each[2], language))
    if any(not terms(each[1], language) <= topic | _REST for each in ended):
        return False
    wanted, said = ({term.replace("nss", "ns") for term in each} for each in (topic, terms(clause, language)))
    if any(not terms(each[0], language) <= topic for each in _ANOTHER_KIND.finditer(clause)):
        return False
    return (
        bool(wanted)
        and wanted <= said
        and any(_names_part(topic, each, language) for each in WORD.findall(clause))
    )


def _is_restricted(topic: frozenset[str], sentence: str, language: str) -> bool:
    """Whether a sentence is about a part of the topic only: "a speed limit on main roads"."""
    clause = next((each for each in CLAUSES.split(sentence) if names(topic, each, language)), sentence)
    ends = [each.end() for each in WORD.finditer(clause) if _names_part(topic, each[0], language)]
    return bool(ends) and bool(_RESTRICTED.match(clause, ends[-1])) and not _AT_ALL.search(clause)


def _of_clause(clause: str, language: str, *, amount: bool) -> Stance:
    clause = _INSTEAD.split(clause)[0]
    text = clause.casefold()
    if poles("condition", text, language) or len(clause.split()) > _SPREAD:
        return Stance.UNKNOWN
    side, existence = poles("opposites.side", text, language), poles("opposites.existence", text, language)
    denials = _denials(clause)
    done = "done" in poles("tense", text, language) and not poles("tense", text, language) & {"ahead"}
    if CLOSING.search(text) and not CONCLUDED.search(text):
        existence = existence | {"end"}
    ends = "end" in existence
    if len(side) > 1 or (ends and len(existence) > 1) or denials > 1 or (side and denials):
        return Stance.UNKNOWN
    changes = poles("opposites.amount", text, language) if amount else existence
    if (changes or existence) and not side and done:  # what somebody did once
        return Stance.UNKNOWN
    if len(changes) > 1 or not (side or changes or ends or poles("asking_for", text, language)):
        return Stance.UNKNOWN
    if amount and not (changes or ends or "against" in side):  # who wants a thing may not want more of it
        return Stance.UNKNOWN
    way = (-1 if ends or "down" in changes else 1) * (-1 if "against" in side else 1) * (-1 if denials else 1)
    return Stance(way)


# In addition to these rules a head reads a sentence's stance on a topic, since parties want and reject things
# in more ways than rules foresee. `benchmarks/train_stance.py` trains it.
#
# All topics are replaced by the same word, and so are all speaking parties: only what is said counts.

WEIGHTS = Path(__file__).with_name("stance.npz")

KINDS = ("wants", "rejects")
"""The classes of the head, besides neither."""

THRESHOLD = 1.5
"""Log-odds of a kind against neither from which a sentence is classified so."""

TOPIC = "X"
"""Replaces the words of any topic."""

SPEAKER = "Partei Y"
"""Replaces the name of the speaker."""

_REMEMBERED = 1000
"""Maximum sentences whose odds are cached."""

_READ_ROUND = 12
"""Words before and after a topic that show what is said about it."""

_TOPICS = re.compile(rf"\b{TOPIC}(?:[\s-]+{TOPIC}\b)+")


class StanceReader:
    """Reads sentences. `encoders` must be those that the head was trained with; with others it finds
    nothing."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)
        self._known: dict[str, tuple[float, float]] = {}

    async def stance(
        self, sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str] = ()
    ) -> int:
        """1 if `sentence` of `speakers` clearly wants the thing with the terms `topic`, -1 if it clearly
        rejects it as such, else 0."""
        if not self._encoders:
            return 0
        parts = [each for each in _PARTS.split(sentence) if names(topic, each, language)] or [sentence]
        said = [_masked(each, topic, language, speakers) for each in parts]
        found = {way for each in said if (way := await self._read(each, language))}
        way = found.pop() if len(found) == 1 else 0
        return 0 if way < 0 and any(_is_restricted(topic, each, language) for each in parts) else way

    async def _read(self, said: str, language: str) -> int:
        """The stance of a part of a sentence, in the direction shown by its words for rejecting and
        ending."""
        way = _balance(said, language)
        wants, rejects = await self.odds(_near(said))
        if way > 0 and not _demands(said, language):
            return 0
        own, other = (wants, rejects) if way > 0 else (rejects, wants)
        return way if own >= max(THRESHOLD, other) else 0

    async def odds(self, text: str) -> tuple[float, float]:
        """The log-odds that a masked sentence wants, and that it rejects, its topic, each against neither."""
        if text in self._known:  # the same sentences are read for choosing, ordering and notices
            return self._known[text]
        try:
            vectors = [await encoder.query(plain(text)) for encoder in self._encoders]
        except FundstelleError:  # the letters alone are not enough evidence
            return -np.inf, -np.inf
        wants, rejects = await asyncio.to_thread(packaged(WEIGHTS).odds, plain(text), vectors)
        if len(self._known) == _REMEMBERED:
            self._known.clear()
        self._known[text] = float(wants), float(rejects)
        return self._known[text]


def _demands(said: str, language: str) -> bool:
    """Whether anybody wants anything in it: a thing alone is no demand."""
    begins = poles("opposites.existence", said.casefold(), language)
    return bool(commits(said, present=True) or _DEMANDS.search(said) or begins)


def _balance(said: str, language: str) -> int:
    """-1 if the text rejects, ends or denies something, 1 if it does none or two of these: rejecting the end
    of a thing means wanting it."""
    text = _PURPOSE.sub("", said.casefold())
    ended = ("opposites.existence", "asked_for", "opposites.permission")
    ends = _ENDS.search(text) or any(poles(axis, text, language) & {"end", "forbidden"} for axis in ended)
    clause = next((each for each in CLAUSES.split(said) if TOPIC in each), said)
    turns = (
        ends,
        "against" in poles("opposites.side", text, language),
        _denials(_WITHOUT.sub("", clause)),
    )
    return -1 if sum(map(bool, turns)) % 2 else 1


NOBODY_READS = StanceReader()
"""A reader that leaves everything to the rules."""


def _masked(sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str] = ()) -> str:
    """`sentence` with the words of the topic replaced by TOPIC, and the names of `speakers` by SPEAKER."""
    wanted = {_plain(term) for term in topic}
    text = WORD.sub(
        lambda found: TOPIC if wanted & set(map(_plain, terms(found[0], language))) else found[0], sentence
    )
    for name in sorted(speakers, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", SPEAKER, text)
    return _TOPICS.sub(TOPIC, text).lstrip(" -–—•●▪✔")


def _near(text: str) -> str:
    """The clauses of a masked sentence that name the topic, and their neighbours; of long ones only the words
    nearest to it."""
    words = text.split()
    at = [n for n, word in enumerate(words) if TOPIC in word]
    if not at:
        return text
    return " ".join(words[max(0, at[0] - _READ_ROUND) : at[-1] + _READ_ROUND + 1])


def _plain(term: str) -> str:
    return term.replace("nss", "ns")
