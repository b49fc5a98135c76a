"""What a question is about, in the few of its own words that stand above an answer."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from core.domain.search import QuestionKind
from core.language import lemmas
from core.language.identification import detect
from core.language.languages import of, tags
from core.language.patterns import pattern, words
from core.language.terms import WORD, WORDS, shared, terms
from core.question.kinds import around_all_parties, kind_of
from core.question.language import question_language
from core.question.subject import sought, topic_words
from core.question.wanted import asking_how_much

_HYPHENED = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")
_WITHIN = re.compile(r"(?<=[\w,;]\s)[A-ZÄÖÜ][\w-]+")
"""Words with a capital that do not begin a sentence."""

_STOPS = re.compile(r"[,;:.?!]")

_JOINING = 3
"""Words from one word of a topic to the next at most: "Mieten in teuren Städten"."""

_TOPIC = 60
"""Characters of a topic at most."""


def topic(
    question: str, language: str, heard: frozenset[str] | None = None, beside: frozenset[str] = frozenset()
) -> str:
    """What `question` is about, as it says it: the stretch with most of the words that `sought` finds, of its
    nouns where the language shows them, and the little words between; of several the last in the clause of
    the first. Its first noun is in its base form. Only words whose stems are among or within `heard`, where
    that is given, none whose stem is in `beside`, and neither who says it nor a unit behind a number, unless
    there is nothing else. Empty where it has none."""
    text = unicodedata.normalize("NFKC", question)
    asking = terms(" ".join(words("topics.asking")), language)
    said_of = {word for word in topic_words(question, language) if not word.isdigit()}
    wanted = {word for word in said_of if terms(word, language).isdisjoint(asking)} or said_of
    wanted = {word for word in wanted if terms(word, language).isdisjoint(beside)}
    if heard is not None:
        wanted = {word for word in wanted if shared(terms(word, language), heard)}
    said = [*WORDS.finditer(text)]
    meant = [n for n, word in enumerate(said) if not wanted.isdisjoint(WORD.findall(word[0]))]
    aside = _units(said) | _sources(text, said, language)
    runs = _runs(text, said, [n for n in meant if n not in aside] or meant)
    most = max(map(len, runs), default=0)
    longest = [(run[0], run[-1]) for run in runs if len(run) == most]
    begins = said[longest[0][0]].start() if longest else 0
    clause = [(n, last) for n, last in longest if not _STOPS.search(text[begins : said[n].start()])]
    if not clause:
        return ""
    first, last = clause[-1]
    noun = _base_form(said[first][0], tuple(word[0] for word in said[:first]), language)
    return noun + text[said[first].end() : said[last].end()] if noun else ""


def in_capitals(question: str, language: str, texts: Sequence[str]) -> str:
    """`question` with its nouns as `texts` write them within their sentences, where the language has capitals
    for nouns and `question` none at all ("was kostet der eintritt ins freibad")."""
    if language not in tags() or not of(language).topics.nouns_have_capitals or question != question.lower():
        return question
    nouns = {word[0].lower(): word[0] for text in texts for word in _WITHIN.finditer(text)}
    return WORDS.sub(lambda word: nouns.get(word[0], word[0]), question)


def looked_for(question: str, language: str) -> tuple[str, ...]:
    """What `sought` finds but articles and prepositions with them, and words that only ask how much ("Wie
    hoch ist die Steuer?"), compounds with hyphens whole ("Vier-Tage-Woche")."""
    wanted = set(sought(question, language)) - words("names.articles")
    if language in tags() and of(language).topics.nouns_have_capitals:
        asking = {word for word in asking_how_much(question) if word[0].islower()}
        wanted = wanted - asking or wanted
    said = _HYPHENED.findall(unicodedata.normalize("NFKC", question))
    return tuple(dict.fromkeys(word for word in said if not wanted.isdisjoint(WORD.findall(word))))


def _runs(text: str, said: Sequence[re.Match[str]], meant: Sequence[int]) -> list[list[int]]:
    """The places of words that belong together, those tied by little words."""
    runs: list[list[int]] = []
    for n in meant:
        stretch = text[said[runs[-1][0]].start() : said[n].end()] if runs else ""
        near = runs and n - runs[-1][-1] <= _JOINING and len(stretch) <= _TOPIC
        if near and not _STOPS.search(stretch) and _tied([each[0] for each in said[runs[-1][-1] + 1 : n]]):
            runs[-1].append(n)
        else:
            runs.append([n])
    return runs


def _tied(between: Sequence[str]) -> bool:
    """Whether what stands between two words of a topic lets them be one."""
    return not between or between[0].lower() in words("topics.linking")


def _units(said: Sequence[re.Match[str]]) -> set[int]:
    """The places of words that say what a number counts: "70 percent"."""
    return {n for n, (number, _) in enumerate(pairwise(said), 1) if number[0].isdigit()}


def _sources(text: str, said: Sequence[re.Match[str]], language: str) -> set[int]:
    """The places of words that say who is heard: "laut Verfassung"."""
    if language not in tags():
        return set()
    hearing = of(language).follow_ups.according_to.format("").lower()
    return {n for n, word in enumerate(said) if text[: word.start()].lower().endswith(hearing)}


# What the name of a topic asks for.

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


# Words as a dictionary or a heading has them: nouns without the case that their sentence gave them.
#
# Which forms belong together is known by the full-form dictionaries of simplemma, which already tell words
# from slips (`core.evidence.dictionary`). A plural stays a plural; only endings of cases go.

_TAIL = 4
"""Letters at least of the last part of a compound that no dictionary has whole."""

_ADJECTIVES = 2
"""Words between an article and its noun at most."""


def _base_form(noun: str, before: tuple[str, ...], language: str) -> str | None:
    """`noun` of a sentence in its base form; `before` are the words in front of it, nearest last. As it is
    where the language does not decline nouns; None where no dictionary tells."""
    if language not in tags() or not of(language).topics.nouns_have_capitals:
        return noun
    *first, last = noun.split("-")
    found = _declined_back(last, _is_singular(before, language), language)
    return None if found is None else "-".join([*first, found])


def _is_singular(before: tuple[str, ...], language: str) -> bool:
    """Whether an article in front says that one thing is meant, in another case than the first."""
    oblique = of(language).topics.oblique_articles
    for n, word in enumerate(reversed(before)):
        if word.lower() in oblique:
            return True
        if n >= _ADJECTIVES or not (word.islower() and word.endswith(("en", "er", "es"))):
            return False
    return False


@lru_cache(maxsize=4096)
def _declined_back(noun: str, singular: bool, language: str) -> str | None:
    head, tail = _known_part(noun, language)
    if not tail:
        return noun if noun.isupper() or len(noun) <= _TAIL or not singular else None
    stem = _lemma(tail, language)
    if singular or tail == stem:
        return head + _as_tail(stem, head)
    plural = tail.removesuffix("n")
    if plural != tail and plural != stem and _lemma(plural, language) == stem and _is_known(plural, language):
        return head + _as_tail(plural, head)
    return noun


def _known_part(noun: str, language: str) -> tuple[str, str]:
    """What a dictionary has of `noun`, all of it or the last part of a compound, and what stands before
    that."""
    for at in range(max(1, len(noun) - _TAIL + 1)):
        tail = noun[at:].capitalize() if at else noun
        if (at == 0 or at >= _TAIL) and _is_known(tail, language) and _lemma(tail, language)[:1].isupper():
            return noun[:at], tail
    return noun, ""


def _as_tail(word: str, head: str) -> str:
    return word.lower() if head else word


def _lemma(word: str, language: str) -> str:
    return lemmas.lemma(word, language)


def _is_known(word: str, language: str) -> bool:
    return lemmas.is_known(word, language)
