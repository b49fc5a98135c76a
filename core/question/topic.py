"""The topic of a question, in a few of its own words, as a heading for an answer."""

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
"""Capitalised words that do not begin a sentence."""

_STOPS = re.compile(r"[,;:.?!]")

_JOINING = 3
"""Maximum distance in words between two words of a topic: "Mieten in teuren Städten"."""

_TOPIC = 60
"""Maximum characters of a topic."""


def topic(
    question: str, language: str, heard: frozenset[str] | None = None, beside: frozenset[str] = frozenset()
) -> str:
    """The topic of `question` in its own words: the stretch with the most words found by `sought` (nouns, if
    the language marks them) and the function words in between; if there are several, the last in the clause
    of the first. Its first noun is in its base form. Only words whose stems are among or within `heard`, if
    given, none whose stem is in `beside`, and neither the speaker nor a unit after a number, unless there is
    nothing else. Empty if there is none."""
    text = unicodedata.normalize("NFKC", question)
    asking = terms(" ".join(words("topics.asking")), language)
    said_of = {word for word in topic_words(question, language) if not word.isdigit()}
    wanted = {word for word in said_of if terms(word, language).isdisjoint(asking)} or said_of
    wanted = {word for word in wanted if terms(word, language).isdisjoint(beside)}
    if heard is not None:
        wanted = {word for word in wanted if shared(terms(word, language), heard)}
    words_found = [*WORDS.finditer(text)]
    meant = [n for n, word in enumerate(words_found) if not wanted.isdisjoint(WORD.findall(word[0]))]
    aside = _units(words_found) | _sources(text, words_found, language)
    runs = _runs(text, words_found, [n for n in meant if n not in aside] or meant)
    most = max(map(len, runs), default=0)
    longest = [(run[0], run[-1]) for run in runs if len(run) == most]
    begins = words_found[longest[0][0]].start() if longest else 0
    clause = [(n, last) for n, last in longest if not _STOPS.search(text[begins : words_found[n].start()])]
    if not clause:
        return ""
    first, last = clause[-1]
    noun = _base_form(words_found[first][0], tuple(word[0] for word in words_found[:first]), language)
    return noun + text[words_found[first].end() : words_found[last].end()] if noun else ""


def in_capitals(question: str, language: str, texts: Sequence[str]) -> str:
    """`question` with its nouns capitalised as inside the sentences of `texts`, if the language capitalises
    nouns and `question` has no capitals at all ("was kostet der eintritt ins freibad")."""
    if language not in tags() or not of(language).topics.nouns_have_capitals or question != question.lower():
        return question
    nouns = {word[0].lower(): word[0] for text in texts for word in _WITHIN.finditer(text)}
    return WORDS.sub(lambda word: nouns.get(word[0], word[0]), question)


def looked_for(question: str, language: str) -> tuple[str, ...]:
    """The result of `sought` without articles, contracted prepositions and words that only ask how much ("Wie
    hoch ist die Steuer?"), hyphenated compounds whole ("Vier-Tage-Woche")."""
    wanted = set(sought(question, language)) - words("names.articles")
    if language in tags() and of(language).topics.nouns_have_capitals:
        asking = {word for word in asking_how_much(question) if word[0].islower()}
        wanted = wanted - asking or wanted
    compounds = _HYPHENED.findall(unicodedata.normalize("NFKC", question))
    return tuple(dict.fromkeys(word for word in compounds if not wanted.isdisjoint(WORD.findall(word))))


def _runs(text: str, said: Sequence[re.Match[str]], meant: Sequence[int]) -> list[list[int]]:
    """The positions of words that belong together, connected by function words."""
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
    """Whether the text between two words of a topic allows them to form one."""
    return not between or between[0].lower() in words("topics.linking")


def _units(said: Sequence[re.Match[str]]) -> set[int]:
    """The positions of words that say what a number counts: "70 percent"."""
    return {n for n, (number, _) in enumerate(pairwise(said), 1) if number[0].isdigit()}


def _sources(text: str, said: Sequence[re.Match[str]], language: str) -> set[int]:
    """The positions of words that name a source: "laut Verfassung"."""
    if language not in tags():
        return set()
    hearing = of(language).follow_ups.according_to.format("").lower()
    before = ((n, text[max(0, word.start() - len(hearing)) : word.start()]) for n, word in enumerate(said))
    return {n for n, stretch in before if stretch.lower() == hearing}


# Topics given by name.

MAX_PARTS = 5
MAX_LISTED_WORDS = 12
"""Maximum words of a name that is read as a list; a longer one is a sentence."""

_BETWEEN = pattern(
    r"\s*[,;]\s*(?:(?:{topics.joining})\s+)?|\s+(?:{topics.joining}|&)\s+",
    re.IGNORECASE,
)

MAX_NAMED = 3
"""Maximum words of a topic named without a question."""

_LAW = pattern(r"{document_types.act}|{document_types.rules}|{document_types.regulation}")

MAX_TOPIC = 8
"""Maximum words after "what do the parties say about"; more ask something specific."""

_COMPARE = pattern(r"^\W*(?:{kinds.comparing})(?=\W)", re.IGNORECASE)
"""A command to compare, at the beginning of a line that is not a question."""

_MARKS = " .,;:!?/&–-"
_CLAUSE = re.compile(r",\s")
_ELIDED = re.compile(r"^[ldLD]['’](?=\w)")


def topic_of_all(question: str) -> str:
    """The topic of a question to all parties ("Was wollen die Parteien beim Klimaschutz?": "Klimaschutz"), so
    that it finds the same as the topic alone; words that only connect names are dropped. Any other question,
    or one that says more than a topic, is returned unchanged."""
    around = around_all_parties(question)
    tying = words("topics.leading") | words("topics.asking")
    if around is None:
        if question.rstrip().endswith("?"):
            return question
        rest = _COMPARE().sub("", question, count=1)
        ends = words("topics.joining") | (tying if rest != question else frozenset())
        return _without_ends(rest, ends) or question
    before, after = (_ELIDED.sub("", _without_ends(text, tying)) for text in around)
    named = after or before
    told_apart = bool(after and before) or _CLAUSE.search(named) or len(named.split()) > MAX_TOPIC
    return named if named and not told_apart else question


def says_topic(text: str) -> bool:
    """Whether anything is left of `text` without the words that only ask or connect names."""
    tying = words("topics.leading") | words("topics.asking") | words("topics.joining")
    return bool(_without_ends(text, tying))


def is_bare_topic(text: str) -> bool:
    """Whether `text` may be just the name of a topic: few words, all nouns if the language marks them, no
    number, and no kind of law."""
    bare = _without_ends(text, frozenset())
    few = 0 < len(bare.split()) <= MAX_NAMED and not any(letter.isdigit() for letter in bare)
    if not few or kind_of(bare) is not QuestionKind.FACT or _LAW().search(bare.lower()):
        return False
    return topic(bare, question_language(bare, detect(bare)[0])) == bare


def _without_ends(text: str, tying: frozenset[str]) -> str:
    """`text` without punctuation and the words `tying` at its ends."""
    said = text.split()
    while said and _bare(said[-1]) in {"", *tying}:
        said = said[:-1]
    while said and _bare(said[0]) in {"", *tying}:
        said = said[1:]
    return " ".join(said).strip(_MARKS)


def _bare(word: str) -> str:
    return word.strip(_MARKS).lower()


def parts_of(name: str) -> list[str]:
    """The items that a name lists: "Mieten, Löhne und Schulen" has three. Names that are sentences, and lists
    of word stems ("Land- und Forstwirtschaft"), are one."""
    parts = [part for part in _BETWEEN().split(" ".join(name.split())) if part]
    stems = any(part.endswith(("-", "‐")) or len(part) < 4 for part in parts)
    listed = len(name.split()) <= MAX_LISTED_WORDS and not name.endswith("?") and not stems
    return parts[:MAX_PARTS] if listed and len(parts) > 1 else [name]


# Words as in a dictionary or a heading: nouns without the case endings from their sentence.  simplemma's
# full-form dictionaries, which already distinguish words from slips (`core.evidence.dictionary`), know which
# forms belong together. A plural stays a plural; only case endings are removed.

_TAIL = 4
"""Minimum letters of the last part of a compound that no dictionary has as a whole."""

_ADJECTIVES = 2
"""Maximum words between an article and its noun."""


def _base_form(noun: str, before: tuple[str, ...], language: str) -> str | None:
    """The base form of `noun` from a sentence; `before` are the preceding words, nearest last. Unchanged if
    the language does not decline nouns; None if no dictionary has it."""
    if language not in tags() or not of(language).topics.nouns_have_capitals:
        return noun
    *first, last = noun.split("-")
    found = _declined_back(last, _is_singular(before, language), language)
    return None if found is None else "-".join([*first, found])


def _is_singular(before: tuple[str, ...], language: str) -> bool:
    """Whether a preceding article shows a singular in a case other than the nominative."""
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
    if tail == stem or (singular and tail.startswith(stem)):  # not "Solo" for "Soli"
        return head + _as_tail(stem, head)
    plural = tail.removesuffix("n")
    if plural != tail and plural != stem and _lemma(plural, language) == stem and _is_known(plural, language):
        return head + _as_tail(plural, head)
    return noun


def _known_part(noun: str, language: str) -> tuple[str, str]:
    """The part of `noun` in a dictionary, all of it or the last part of a compound, and what precedes it."""
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
