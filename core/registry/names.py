"""Finds registered names in a question: word boundaries, simple inflection, the longest match first.

Only spelling is decided here, not what a name means for the search (see `detection`). Inflection is a list of
endings. Letter case carries meaning ("Grüne" is a party, "grüne" a colour), so it must match unless the whole
question is in lower case, as in chats.
"""

import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from core.language import lemmas
from core.language.languages import every, tags
from core.language.patterns import pattern
from core.language.patterns import words as spoken

_INITIALS = r"(?<![\w.])(?:[^\W\d_]\.){2,}[^\W\d_](?!\w)(?:\.(?=\s+[^\W_]))?"
"""Matches three or more letters separated by full stops, which are one word: "C.D.U."."""
_TOKEN = re.compile(rf"{_INITIALS}|[^\W_]+(?:\.(?=\w\.))?", re.UNICODE)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_ACRONYM_ENDINGS = frozenset({"", "s"})
_NO_ENDING = frozenset({""})
_COMPOUND = pattern("(?:{registered.compound_links})?(?:{registered.programmes})")
PROGRAMME_WORD = pattern("{registered.programmes}")
"""Matches the folded beginning of a word for a party's programme or demands."""
_NOT_NAMES = frozenset({"PDF"})
"""Capitalised spellings of common words although a registered name has the same letters."""
_OTHER_UNIONS = pattern("{registered.other_unions}")
_UNIONS_OF = pattern("{registered.unions_of}")
_DESCRIBED = pattern("{registered.described}")
_ALSO = pattern("{strangers.also}")
_PARTY_NOUN = pattern("(?:{voices.party_nouns})", re.IGNORECASE)
_PARTY_NAMED = pattern(r"(?:{voices.party_nouns})(?:en|s|n)?\b", re.IGNORECASE)
_LEAST_NOUN = 4
"""Minimum letters: articles begin the names of parties, and are in many words."""
_LISTED = re.compile(r"\s*[,/&]\s*")
_GAP = re.compile(r"\s*[-–/&.’']?\s*")
_GAP_IN_TITLE = re.compile(r"\s*[-–/&.’',:()]{0,2}\s*[(]?")
_QUOTES = frozenset("\"'„“”‚‘’«»‹›")
_FILE_ENDING = re.compile(r"\.(?:pdf|docx?|xlsx?|odt|ods|html?|txt|md|csv|pptx?)\b", re.IGNORECASE)
NAMELESS = "X"
"""Placeholder for a name when only the words around it matter."""
_SHORT = 3
_LONGEST_ACRONYM = 5


def names_party(text: str) -> bool:
    """Whether `text` has a word for a party, or one that ends in such a word ("Hafenpartei")."""
    return any(len(found[0]) >= _LEAST_NOUN for found in _PARTY_NAMED().finditer(text))


class NameKind(StrEnum):
    """The kind of thing a name belongs to."""

    PARTY = "party"
    PLACE = "place"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Name:
    """One spelling of `key`: a party's canonical name, a place's code or a document's id.

    `rank` decides between keys with the same spelling: the lowest wins, and ties are all kept. `ordinary`:
    its words also mean something else, so they name a document only if the context supports it.
    """

    text: str
    kind: NameKind
    key: str
    rank: int = 0
    ordinary: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a question, characters `start` to `end`. `tail` is the folded rest of a compound ("programm"
    in "Linken-Programm"), `before` the folded preceding words, nearest last, `after` the following one."""

    kind: NameKind
    key: str
    start: int
    end: int
    tail: str = ""
    before: tuple[str, ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    folded: str
    start: int
    end: int


_JOINING = pattern("(?:{follow_ups.joining}|{strangers.joining}|vs)")


def replaced(text: str, stretches: Iterable[tuple[int, int]], name: str) -> str:
    """`text` with `name` in place of the characters of each of `stretches` (start, end)."""
    for start, end in sorted(stretches, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def fold(text: str) -> str:
    """`text` in lower case, umlauts written out, accents dropped: the form used for comparison."""
    small = unicodedata.normalize("NFC", text).casefold().translate(_UMLAUTS)
    if small.isascii():
        return small
    decomposed = unicodedata.normalize("NFD", small)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def tokens(text: str) -> list[_Token]:
    """The words and numbers of `text`."""
    matches = (
        (m[0].replace(".", "") if m[0].count(".") > 1 else m[0], *m.span()) for m in _TOKEN.finditer(text)
    )
    return [_Token(word, fold(word), start, end) for word, start, end in matches]


class NameMatcher:
    """Finds names in questions. Build once per registry; matching takes well under a millisecond."""

    def __init__(self, names: Iterable[Name]) -> None:
        self._by_start: dict[str, list[tuple[tuple[_Token, ...], Name]]] = defaultdict(list)
        alone = defaultdict(set)
        for name in names:
            alone[name.key].add(fold(name.text))
            parts = tuple(tokens(name.text))
            if parts:
                self._by_start[parts[0].folded[:2]].append((parts, name))
        self._alone = dict(alone)
        parties = [
            parts
            for known in self._by_start.values()
            for parts, name in known
            if name.kind is NameKind.PARTY and parts[-1].folded not in _articles()
        ]
        self._party_begins = {parts[0].folded for parts in parties} - _articles()
        self._party_ends = {parts[-1].folded for parts in parties}

    def find(self, text: str) -> list[Mention]:
        """Mentions in `text` in reading order; several at one place only if names are shared."""
        words = tokens(text)
        small = not any(letter.isupper() for letter in text)
        found = [hit for at in range(len(words)) for hit in self._at(text, words, at, small)]
        if not small:
            found += self._in_lists(text, words, found)
        found.sort(key=lambda hit: (hit[1].start - hit[1].end, hit[1].start, hit[0]))
        best: dict[tuple[int, int], int] = {}
        kept: dict[tuple[int, NameKind, str], Mention] = {}
        for rank, mention in found:
            stretch = (mention.start, mention.end)
            if any(a < mention.end and mention.start < b for a, b in best if (a, b) != stretch):
                continue
            if best.setdefault(stretch, rank) == rank:
                kept.setdefault((mention.start, mention.kind, mention.key), mention)
        return sorted(kept.values(), key=lambda mention: mention.start)

    def _in_lists(
        self, text: str, words: Sequence[_Token], found: Sequence[tuple[int, Mention]]
    ) -> list[tuple[int, Mention]]:
        """Parties in lower case in a list with one of `found`, or with each other: "SPD, volt und linke"."""
        listed: list[tuple[int, Mention]] = []
        begins = {hit.start for _, hit in found if hit.kind is NameKind.PARTY}
        ends = {hit.end for _, hit in found if hit.kind is NameKind.PARTY}
        again = bool(begins)
        while again:
            again = False
            for at, word in enumerate(words):
                if word.start in begins or not word.text.islower():
                    continue
                for rank, hit in self._at(text, words, at, small=True):
                    if (
                        hit.kind is NameKind.PARTY
                        and not hit.tail
                        and text[hit.start : hit.end].islower()
                        and _is_listed(text, words, hit, begins, ends)
                    ):
                        listed.append((rank, hit))
                        begins.add(hit.start)
                        ends.add(hit.end)
                        again = True
        return listed

    def _at(self, text: str, words: Sequence[_Token], at: int, small: bool) -> Iterable[tuple[int, Mention]]:
        for parts, name in self._by_start.get(words[at].folded[:2], ()):
            tail = self._matches(text, words, at, parts, name, small)
            if tail is None or not _joined(text, words[at : at + len(parts)], name):
                continue
            mention = _mention(text, words, at, len(parts), name, tail)
            alone = len(parts) == 1 and not tail and name.kind is not NameKind.DOCUMENT
            if alone and _is_little(words[at], parts[0], at):
                continue
            if (
                name.kind is NameKind.PARTY
                and not tail
                and _only_describes(text, words, at, len(parts), small)
            ):
                continue
            if name.ordinary and not _is_meant(text, words, at, len(parts)):
                continue
            if not _is_something_else(text, words, at, name):
                yield name.rank, mention

    def _matches(
        self, text: str, words: Sequence[_Token], at: int, parts: tuple[_Token, ...], name: Name, small: bool
    ) -> str | None:
        """The folded rest of a compound, "" for a plain match, None for no match."""
        if at + len(parts) > len(words) or not words[at].folded.startswith(parts[0].folded):
            return None
        if name.kind is NameKind.PARTY and not small:
            small = _is_written_small(words, at, parts)
        if (
            name.kind is NameKind.PARTY
            and not small
            and (begin := _begin_with_article(words, at, parts)) >= 0
        ):
            large = at > 0 and words[at].text == parts[0].text
            shown = large or _shown_by_capitals(parts, words[at + len(parts) - 1])
            small = not shown and self._spoken_of(text, words, begin, at + len(parts), small)
            if self._needs_article(parts, name) and not (shown or small):
                return None
        elif self._needs_article(parts, name) and not self._spoken_of(text, words, at, at + 2, small):
            return None
        tail: str | None = ""
        for position, part in enumerate(parts):
            last = position == len(parts) - 1
            tail = _match_word(
                part,
                words[at + position],
                name,
                last=last,
                small=small,
                single=len(parts) == 1,
                initials=len(part.text) < _SHORT
                and (position > 0 or (small and self._are_initials(words, at, parts, name))),
            )
            if tail is None:
                return None
        return tail

    def _are_initials(self, words: Sequence[_Token], at: int, parts: tuple[_Token, ...], name: Name) -> bool:
        """Whether two lower-case letters are a party's initials: not a function word, and asked about or next
        to another party ("que disent lr et ps")."""
        word = words[at]
        if name.kind is not NameKind.PARTY or len(parts) != 1 or word.folded != parts[0].folded:
            return False
        if not (len(word.text) == 2 and parts[0].text.isupper()) or word.folded in _little():
            return False
        before = [each.folded for each in words[max(0, at - 3) : at] if each.folded not in _articles()]
        after = [each.folded for each in words[at + 1 : at + 4] if each.folded not in _articles()]
        if (before and before[-1] in _asking()) or (after and after[0] in _speaking()):
            return True
        ahead = next((each for each in reversed(before) if not _joins(each)), "")
        behind = next((each for each in after if not _joins(each)), "")
        return ahead in self._party_ends or behind in self._party_begins

    def _needs_article(self, parts: tuple[_Token, ...], name: Name) -> bool:
        """Whether, like "Die Basis", an article and a common noun are a name only if the article is
        capitalised or the noun acts as a speaker."""
        if (
            len(parts) != 2
            or parts[0].text not in spoken("registered.capital_articles")
            or _is_acronym(parts[1].text)
        ):
            return False
        return parts[1].folded not in self._alone[name.key]

    def _spoken_of(self, text: str, words: Sequence[_Token], begin: int, end: int, small: bool) -> bool:
        """Whether the article and noun from `begin` to `end` stand for somebody: "sagt die Basis" and "Die
        Basis zur Pflege?"; in lower case unless the noun is the basis of something."""
        before = words[begin - 1].folded if begin else ""
        after = words[end].folded if end < len(words) else ""
        if after in spoken("registered.noun_complements"):
            return False
        if small:
            return before not in spoken("registered.noun_heads")
        if end < len(words) and words[end].text[0].isupper() and _is_space(text, words[end - 1], words[end]):
            return False  # "die grünen Dächer"
        if begin:
            listed = begin > 1 and _joins(before) and words[begin - 2].folded in self._party_ends
            return before in _asking() or listed
        mark = end == len(words) or not _is_space(text, words[end - 1], words[end])
        return mark or after in _speaking() or self._begins_party(words, end)

    def _begins_party(self, words: Sequence[_Token], at: int) -> bool:
        """Whether another party is named from word `at` on, in a list with the previous one."""
        if not _joins(words[at].folded):
            return False
        rest = words[at + 1 : at + 3]
        rest = rest[1:] if rest and rest[0].folded in spoken("names.articles") else rest[:1]
        return any(
            name.kind is NameKind.PARTY and parts[0].text == word.text
            for word in rest
            for parts, name in self._by_start.get(word.folded[:2], ())
        )


def _is_listed(
    text: str, words: Sequence[_Token], hit: Mention, begins: Collection[int], ends: Collection[int]
) -> bool:
    """Whether another party, of those that begin and end at these characters, precedes or follows `hit` in a
    list, and nothing follows that `hit` may describe ("SPD und grüne Energie")."""
    before = [word for word in words if word.end <= hit.start]
    after = [word for word in words if word.start >= hit.end]
    while before and before[-1].folded in _articles():
        before.pop()
    gap = text[before[-1].end : hit.start] if before else ""
    if len(before) > 1 and _ALSO().fullmatch(before[-1].folded):
        before.pop()
    joined = bool(before) and before[-1].end in ends
    following = text[hit.end : after[0].start] if after else "."
    ended = not following.isspace() or _ALSO().fullmatch(after[0].folded)
    first = 1 if after and _ALSO().fullmatch(after[0].folded) else 0
    rest = [word for word in after[first : first + 2] if word.folded not in _articles()]
    leads = bool(rest) and rest[0].start in begins
    if leads and (first or _LISTED.fullmatch(following)):
        return True
    return joined and bool(leads or ended or after[0].folded in _speaking()) and "." not in gap


def _is_written_small(words: Sequence[_Token], at: int, parts: Sequence[_Token]) -> bool:
    """Whether a party is named in lower case among capitalised words: by initials that are not a word or only
    a German noun, by a long word that is in no dictionary, by three words or more, by two of which one is not
    a word, is a German noun or a word for a party, or by words that act as a speaker."""
    candidates = words[at : at + len(parts)]
    if not all(word.text.islower() for word in candidates):
        return False
    bare = [part for part in parts if part.folded not in _articles()]
    before = next((word.folded for word in reversed(words[:at]) if word.folded not in _articles()), "")
    after = words[at + len(parts)].folded if at + len(parts) < len(words) else ""
    if len(bare) == 1:
        low = bare[0].text.lower()
        if len(low) >= _SHORT and _is_acronym(bare[0].text):
            return not _is_a_word(low) or _is_noun(low)
        unknown = len(low) > _LONGEST_ACRONYM and not _is_a_word(low)
        return unknown or (before in _asking() and after in _about())
    if len(bare) >= _SHORT:
        return True
    party = spoken("registered.party")
    if any(word.folded in party or not _is_a_word(word.text) or _is_noun(word.text) for word in candidates):
        return True
    return before in _asking() or after in _speaking()


def _is_noun(word: str) -> bool:
    """Whether a word in lower case is a German noun, which people write so only in haste."""
    return lemmas.lemma(word, "de")[:1].isupper()


@lru_cache(maxsize=4096)
def _is_a_word(word: str) -> bool:
    """Whether `word`, as written, belongs to a supported language and is not initials in lower case."""
    return any(lemmas.is_known(word, tag) and not lemmas.lemma(word, tag)[1:2].isupper() for tag in tags())


def is_ordinary(name: str) -> bool:
    """Whether a document's name, apart from years, is one common word: "Rente", "budget 2026". Words that
    only name documents ("Hausordnung") don't count."""
    dateless = [word for word in tokens(name) if not word.folded.isdigit()]
    significant = [word for word in dateless if word.folded not in _little()] or dateless[:1]
    if len(significant) != 1 or _is_acronym(significant[0].text):
        return False
    [word] = significant
    kinds = spoken("names.document_kinds")
    if any(word.folded.endswith(kind) for kind in kinds):
        return False
    return _is_a_word(word.text.lower()) or _is_a_word(word.text.capitalize())


def _is_meant(text: str, words: Sequence[_Token], at: int, length: int) -> bool:
    """Whether an ordinary word names a document: in quotation marks, with a file extension, after "laut" or
    "the file", or in a question about its contents."""
    begin, end = words[at].start, words[at + length - 1].end
    if text[begin - 1 : begin] in _QUOTES and text[end : end + 1] in _QUOTES and begin:
        return True
    if _FILE_ENDING.match(text, end):
        return True
    before = [word.folded for word in words[max(0, at - 3) : at]]
    while before and before[-1] in spoken("names.articles") - spoken("names.merged"):
        before.pop()
    last = before[-1] if before else ""
    if last in spoken("names.before_documents") or before[-2:] == ["according", "to"]:
        return True
    says = spoken("names.document_says")
    asked = any(word.folded in says for word in words)
    inside = last in spoken("names.place_source") or last in ("im", "dans")
    return asked and (inside or last in says) and len(words[at].text) > _SHORT


def _begin_with_article(words: Sequence[_Token], at: int, parts: tuple[_Token, ...]) -> int:
    """Where the article of a name begins, inside it or before it; -1 if it has none."""
    articles = _articles()
    if len(parts) == 2 and parts[0].folded in articles:
        return at
    alone = len(parts) == 1 and not _is_acronym(parts[0].text) and at and words[at - 1].folded in articles
    return at - 1 if alone else -1


def _shown_by_capitals(parts: Sequence[_Token], word: _Token) -> bool:
    """Whether capitalisation shows that a noun after an article is a name: "Die PARTEI", "Les
    Écologistes"."""
    if parts[-1].text.isupper():
        return word.text.isupper()
    return word.text[0].isupper() and any(
        parts[0].text in each.registered.capital_articles and not each.topics.nouns_have_capitals
        for each in every()
    )


def _is_space(text: str, one: _Token, other: _Token) -> bool:
    return text[one.end : other.start].isspace()


@cache
def _articles() -> frozenset[str]:
    return spoken("names.articles") | {fold(each) for each in spoken("registered.capital_articles")}


@cache
def _asking() -> frozenset[str]:
    return frozenset(map(fold, spoken("topics.asking")))


@cache
def _in_rows() -> frozenset[str]:
    return frozenset(map(fold, spoken("topics.joining")))


def _joins(word: str) -> bool:
    """Whether a folded word stands between the names of a list."""
    return word in _in_rows() or bool(_JOINING().fullmatch(word))


@cache
def _about() -> frozenset[str]:
    """Words that introduce a topic: "zum", "about"."""
    return frozenset(map(fold, spoken("follow_ups.about")))


@cache
def _speaking() -> frozenset[str]:
    """Words that may follow a speaker: those introducing a topic, or verbs of saying and wanting."""
    return _about() | (_asking() & frozenset(map(fold, spoken("names.frame"))))


@cache
def _little() -> frozenset[str]:
    """Question words, articles, prepositions and the like, which are never taken for names."""
    fields = ("topics.leading", "topics.linking", "names.articles", "sentences.openers", "names.frame")
    return frozenset(fold(word) for field in fields for word in spoken(field) if word.isalpha())


def _is_little(word: _Token, part: _Token, at: int) -> bool:
    """Whether it is a function word that merely looks like a one-word name; it is a name if written exactly
    so, with capitals that nothing else explains."""
    if word.folded not in _little():
        return False
    shown = (at > 0 and word.text[0].isupper()) or (word.text.isupper() and len(word.text) > 1)
    return word.text != part.text or not shown


@cache
def adjective_language(word: str) -> str | None:
    """The language in which `word`, in lower case, is an inflected adjective or a noun derived from one."""
    for tag in tags():
        lemma = lemmas.lemma(word, tag)
        large = word.capitalize()
        noun = tag == "de" and lemmas.lemma(large, tag) == large
        if noun or lemma == word or not lemma[:1].islower():
            continue
        if lemmas.is_known(word, tag):
            return tag
    return None


def _only_describes(text: str, words: Sequence[_Token], at: int, length: int, small: bool) -> bool:
    """Whether the only word of a party's name, or the one after its article, is used as an adjective: "grüne
    Energie", "Labour law", "the left lane"."""
    if length > 1 and not (length == 2 and words[at].folded in spoken("names.articles")):
        return False
    word, low = words[at + length - 1], words[at].text.lower()
    following = words[at + length] if at + length < len(words) else None
    if following and not _is_space(text, word, following):
        following = None
    if following and _DESCRIBED().fullmatch(following.folded):
        return True
    if length > 1:
        return False
    before = words[at - 1].folded if at else ""
    listed = at > 0 and (_joins(before) or not _is_space(text, words[at - 1], words[at]))
    inside = small and at > 0 and not listed
    # whether it can be one at all: the dictionaries take seconds to load
    german = following is not None and (
        low.endswith(("er", "es", "em"))
        or (inside and before not in _asking() | spoken("names.articles") | _in_rows())
    )
    french = inside and before not in _asking() | _little()
    if german and following is not None and _may_be_noun(following, small):
        return adjective_language(low) == "de" or (french and adjective_language(low) == "fr")
    return french and adjective_language(low) == "fr"


def _may_be_noun(word: _Token, small: bool) -> bool:
    """Whether, in German, it is a capitalised word, or a lower-case one that the dictionary capitalises."""
    if not small:
        return word.text[0].isupper() and word.text[1:].islower()
    large = word.text.capitalize()
    known = lemmas.is_known(large, "de")
    return known and lemmas.lemma(large, "de")[:1].isupper()


def _match_word(
    part: _Token, word: _Token, name: Name, *, last: bool, small: bool, single: bool, initials: bool
) -> str | None:
    if not word.folded.startswith(part.folded):
        return None
    rest = word.folded[len(part.folded) :]
    written = _as_written(word.text, part.folded)
    law = single and name.kind is NameKind.DOCUMENT and _is_no_word(part.folded)
    short = small and initials and name.kind is NameKind.PARTY
    if not (small and law) and not short and not _case_agrees(part.text, written, small):
        return None
    if rest in _endings(part, name, last=last):
        return ""
    may_compound = last and single and name.kind is NameKind.PARTY and len(part.folded) > _SHORT
    return rest if may_compound and _COMPOUND().match(rest) else None


@lru_cache(maxsize=8192)
def _as_written(word: str, folded: str) -> str:
    """The beginning of `word` that folds to `folded`, which may be longer ("ü") than it."""
    lengths = range(1, len(word) + 1)
    return next((word[:end] for end in lengths if fold(word[:end]).startswith(folded)), word)


def _endings(part: _Token, name: Name, *, last: bool) -> frozenset[str]:
    if part.folded in spoken("registered.links") or part.folded.isdigit():
        return _NO_ENDING
    if len(part.text) < _SHORT:  # "BWS" is a slip for BSW, not the genitive of "BW"
        return _NO_ENDING
    if _is_acronym(part.text) or len(part.text) <= _SHORT:
        return _ACRONYM_ENDINGS
    endings = _NO_ENDING | spoken("registered.endings")
    return endings | spoken("registered.place_endings") if last and name.kind is NameKind.PLACE else endings


def _is_no_word(folded: str) -> bool:
    """Whether, like "gg", it is only consonants: those mean nothing else, so they may be short in
    all-lower-case text."""
    return not set(folded) & set("aeiouy")


def _is_acronym(text: str) -> bool:
    """Whether it is an acronym (SPD, CDU, BSW, AfD, BüSo): at least two capitals in at most five letters."""
    return len(text) <= _LONGEST_ACRONYM and sum(letter.isupper() for letter in text) > 1


def _case_agrees(name: str, written: str, small: bool) -> bool:
    if small and not name.islower():
        long = name.isupper() and len(name) > _LONGEST_ACRONYM
        return len(name) >= _SHORT and not (long and _is_a_word(name.lower()))
    if fold(name) in spoken("registered.links") or not name[0].isupper():
        return True
    if len(name) > 1 and name.isupper():
        return written.isupper()
    if len(name) <= _SHORT and _is_acronym(name):
        return written == name or (written.isupper() and written not in _NOT_NAMES)
    return written[0].isupper()


def _joined(text: str, words: Sequence[_Token], name: Name) -> bool:
    """Whether only spaces, hyphens, slashes, full stops and ampersands separate the words of a name; in
    titles, and in names containing them, also brackets and commas."""
    marked = name.kind is NameKind.DOCUMENT or not {",", "("}.isdisjoint(name.text)
    gap = _GAP_IN_TITLE if marked else _GAP
    return all(gap.fullmatch(text[a.end : b.start]) for a, b in itertools.pairwise(words))


def _mention(text: str, words: Sequence[_Token], at: int, length: int, name: Name, tail: str) -> Mention:
    last = words[at + length - 1]
    following = words[at + length] if at + length < len(words) else None
    end = last.end
    if not tail and following and text[last.end : following.start] in "-–" and following.start > last.end:
        noun = _PARTY_NOUN().fullmatch(following.folded) and not PROGRAMME_WORD().match(following.folded)
        if noun and name.kind is NameKind.PARTY:
            end = following.end  # "die Volt-Partei"
        else:
            tail = following.folded
    before = tuple(word.folded for word in words[max(0, at - 4) : at])
    after = following.folded if following else ""
    return Mention(name.kind, name.key, words[at].start, end, tail, before, after)


def _is_another(text: str, words: Sequence[_Token], at: int, name: Name) -> bool:
    """Whether a capitalised adjective before the name shows that it is part of another party's: "die Freie
    Union"."""
    before, beyond = words[at - 1], words[at - 2]
    joined = _is_space(text, before, words[at]) and _is_space(text, beyond, before)
    alone = name.text.isalpha() and not _is_acronym(name.text)
    adjective = before.text[0].isupper() and before.folded not in spoken("names.articles")
    return joined and alone and adjective and adjective_language(before.text.lower()) == "de"


def _is_something_else(text: str, words: Sequence[_Token], at: int, name: Name) -> bool:
    """Whether the name is used for something else: "230 Volt", "Bankenunion", "African Union", "union rep",
    "US-Republikaner"."""
    is_union = fold(name.text) == "union"
    if is_union and at + 1 < len(words) and _UNIONS_OF().match(words[at + 1].folded):
        return True
    if at == 0:
        return False
    previous = words[at - 1]
    if at > 1 and name.kind is NameKind.PARTY and _is_another(text, words, at, name):
        return True
    hyphenated = text[previous.end : words[at].start] in ("-", "–")
    if hyphenated and previous.folded in spoken("registered.keeps_out"):
        return True
    if name.kind is NameKind.PARTY and previous.folded.isdigit() and not hyphenated:
        # a year may precede a party; another number makes it a unit unless it has a party's capitals
        if len(previous.folded) < 4 and text[previous.end] == ".":
            return True  # "in der 9. SSW"
        return len(previous.folded) != 4 and not _is_acronym(name.text)
    return is_union and bool(_OTHER_UNIONS().match(previous.folded) or _is_whose(text, words, at))


def _is_whose(text: str, words: Sequence[_Token], at: int) -> bool:
    """Whether an article and a capitalised word before it make a longer name: "the Farmers Union"."""
    before = words[at - 1]
    return (
        at > 1
        and words[at - 2].folded in _articles()
        and before.text.istitle()
        and _is_space(text, before, words[at])
        and before.folded not in _articles()
    )
