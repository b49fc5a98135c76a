"""Abbreviations, names and rare words that a question is about and the library never mentions ("TTDSG",
"Krollmannreihe").

Neither encoder knows them, and a question with little else is close to anything. Any quote would be about
something else, so nothing is quoted (decision 0029).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.domain.documents import GLOBAL, Edition
from core.domain.ids import VersionId
from core.evidence.dictionary import beginnings, is_listed, is_plain_compound, is_word, may_be_slip
from core.evidence.skeleton import skeleton
from core.language.languages import every, of
from core.language.patterns import pattern
from core.ports.index import PassageIndex
from core.ports.models import LexicalEncoder
from core.registry.detection import EUROPEAN_UNION, Detector
from core.registry.slips import vocabulary
from core.registry.strangers import are_keywords
from core.registry.towns import FORMED

_WORD = re.compile(r"[^\W_]+")
_ABBREVIATION = re.compile(
    r"(?<!\w)(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])([A-ZÄÖÜ]{3,8}(?=s?(?!\w))|[A-Za-zÄÖÜäöü]{3,8}(?!\w))"
)
_NAME = re.compile(
    r"(?<![\w'’„“\"«])(?<!(?:Herrn|Madam) )(?<!(?:Herr|Frau) )(?<!Mrs )(?<!M[rs] )"
    r"[A-ZÄÖÜ][a-zäöüßàâéèêëîïôûùç]{4,}(?!\w)"
)
"""A capitalised word that is not a person's name in an address and not in quotation marks."""
_PLACE = re.compile(r"(?<![\w'’„“\"«-])[^\W\d_]{5,}(?![\w-])")
_SMALL = re.compile(r"(?<![\w„“\"«-])[a-zàâçéèêëîïôöûùüœ]{5,}(?![\w-])")
_ARTICLE = pattern(r"\b(?:(?:{strangers.articles}) |l['’])$")
_WHERE = re.compile(r"(?<!\w)(?:[Ii]n|[Àà]) $")
"""Words before a place name; nouns have an article there, or are plural."""
_BEGINNING = 6
"""Letters that forms of a word share."""
_LONG = 8
_LITTLE = 3
"""Maximum letters of a word that initials skip: "Goods and Services Tax"."""
_SHORT_NAME = 2
"""Maximum words of a place name; longer ones contain words that occur anywhere ("Republic of Korea")."""
_FEW = 3
"""Maximum words that may all be in capitals without being shouting."""


def unknown_abbreviations(
    content: str, language: str, texts: Sequence[str], named: Collection[str]
) -> list[str]:
    """Abbreviations in `content` that are in neither a dictionary nor the language files, not among the words
    `named` (of names), and neither used nor spelt out in any of `texts`."""
    if _is_shouted(content):
        return []
    found = (each[1] for each in _ABBREVIATION.finditer(content) if each[1].casefold() not in named)
    return [word for word in dict.fromkeys(found) if not _is_known(word, language, texts)]


def unknown_words(
    content: str,
    language: str,
    texts: Sequence[str],
    named: Collection[str],
    names: Detector,
    *,
    same_language: bool,
) -> dict[str, str]:
    """Capitalised words in what `content` asks (and lower-case ones where nouns have no capitals) that are in
    no dictionary, not among the words `named` (of names), and do not begin any word in `texts`, each with the
    words that would show that it is mentioned: itself and the possible beginnings of such a compound.
    Compounds of plain words are included if the library is in the `same_language` as the question; in another
    language they would be worded differently. Known places and words formed like towns are included if they
    say where ("in Hamburg", "in Kleinbach") and no document applies everywhere."""
    places = {} if names.holds_everywhere else places_asked(content, names, named)
    asked = dict.fromkeys([*places, *(each[0] for each in _NAME.finditer(_asking(content)))])
    candidates = [word for word in asked if word in places or not is_listed(skeleton(word), language)]
    candidates += _small_unknown(_asking(content), language)
    if not candidates or _is_shouted(content):
        return {}
    written = " ".join(texts).casefold()
    found = {}
    for word in candidates:
        folded = word.casefold()
        if folded in named or folded[:_BEGINNING] in written or folded in _in_language_files():
            continue
        in_same_german = same_language and language == "de"
        if word not in places and not in_same_german and is_plain_compound(skeleton(word)):
            continue
        found[word] = " ".join(sorted({folded, *(places.get(word) or beginnings(skeleton(word)))}))
    return found


def _small_unknown(asking: str, language: str) -> Iterator[str]:
    """The words of `asking` in lower case that no dictionary has, in a language whose nouns have no capitals.
    The French dictionary lacks common adverbs, so there an article must show that it is a noun."""
    if of(language).topics.nouns_have_capitals:
        return
    for each in _SMALL.finditer(asking):
        noun = language == "en" or _ARTICLE().search(asking[: each.start()])
        if noun and not is_word(skeleton(each[0]), language):
            yield each[0]


def places_asked(content: str, names: Detector, named: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The words of `content` that say where and are not among the words `named`, each with the names of that
    place: known places, words formed like towns, and names that are in no dictionary. In text without
    capitals, and at the end of a few words that are not a sentence, only known places count."""
    asking = _asking(content)
    small, ends = asking == asking.lower(), len(asking.rstrip(" .!?")) if are_keywords(asking) else -1
    known = {
        each[0]: names.place_names(each[0])
        for each in _PLACE.finditer(asking)
        if (each.end() == ends or (small and _WHERE.search(asking[: each.start()])))
        and each[0].casefold() not in named
        and names.is_place(each[0])
    }
    return known | {
        each[0]: names.place_names(each[0])
        for each in _NAME.finditer(asking)
        if each[0].casefold() not in named
        and _WHERE.search(asking[: each.start()])
        and (names.is_place(each[0]) or _is_name(each[0]))
    }


def _is_name(word: str) -> bool:
    plain = skeleton(word)
    return not is_listed(plain, "de") and bool(FORMED.fullmatch(word) or not is_plain_compound(plain))


def holds_everywhere(edition: Edition) -> bool:
    """Whether a document applies everywhere."""
    return edition.document.fields.jurisdiction in (GLOBAL, EUROPEAN_UNION)


async def mentioning(
    places: Iterable[Sequence[str]],
    editions: Sequence[Edition],
    index: PassageIndex,
    lexical: LexicalEncoder,
) -> frozenset[VersionId]:
    """The versions that mention each of `places` by one of its names, in a passage or in their own names."""
    called = {
        each.version.id: skeleton(f"{each.document.fields.title} {each.document.file}") for each in editions
    }
    found = frozenset(called)
    for names in places:
        short = " ".join(name for name in names if len(name.split()) <= _SHORT_NAME)
        mentioned = {
            version for version, title in called.items() if any(skeleton(name) in title for name in names)
        }
        for (collection, language), versions in by_index(editions):
            terms = await lexical.query(short, language)
            mentioned |= await index.mentioning(collection, terms, versions)
        found &= mentioned
    return found


def may_be_slips(words: Iterable[str], language: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Those of `words` that may be misspellings of a word in `texts` or in a dictionary."""
    near = vocabulary(texts)
    return tuple(
        word
        for word in words
        if process.extractOne(
            skeleton(word), near.keys(), scorer=OSA.distance, score_cutoff=1 if len(word) < _LONG else 2
        )
        or may_be_slip(skeleton(word), language)
    )


def _asking(content: str) -> str:
    """The interrogative sentences, if there are also others: where somebody lives is not what is asked."""
    sentences = re.split(r"(?<=[.!?])\s+", content)
    asking = [each for each in sentences if each.endswith("?")]
    return " ".join(asking) if asking else content


async def never_mentioned(
    words: Mapping[str, str],
    editions: Sequence[Edition],
    index: PassageIndex,
    lexical: LexicalEncoder,
) -> tuple[str, ...]:
    """Those of `words` for which no passage of `editions` has one of the associated words."""
    missing = []
    for word, forms in words.items():
        for (collection, language), versions in by_index(editions):
            if await index.mentioning(collection, await lexical.query(forms, language), versions):
                break
        else:
            missing.append(word)
    return tuple(missing)


def by_index(editions: Sequence[Edition]) -> Iterator[tuple[tuple[str, str], list[VersionId]]]:
    """The versions by collection and language."""

    def key(edition: Edition) -> tuple[str, str]:
        return edition.document.collection, edition.document.fields.language

    for place, own in groupby(sorted(editions, key=key), key=key):
        yield place, [edition.version.id for edition in own]


def _is_shouted(content: str) -> bool:
    said = _WORD.findall(content)
    return len(said) > _FEW and 2 * sum(word.isupper() for word in said) > len(said)


def _is_known(word: str, language: str, texts: Sequence[str]) -> bool:
    if word.casefold() in _in_language_files() or is_word(skeleton(word), language):
        return True
    written = re.compile(rf"(?<!\w){word}", re.IGNORECASE)
    spelled = re.compile(
        r"\b" + rf"\W+(?:\w{{1,{_LITTLE}}}\W+)?".join(rf"{each.upper()}\w+" for each in word)
    )
    return any(written.search(text) or spelled.search(text) for text in texts)


@cache
def _in_language_files() -> frozenset[str]:
    """Words of the subjects and of documents' wordings, in lower case."""
    texts = [text for each in every() for text in each.everyday.values()]
    texts += [words[0] for each in every() for words in each.subjects.values()]
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))
