"""Alleged quotes: to whom and to which place they are attributed, by options or by the surrounding text."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from types import MappingProxyType

from bot.library.scoping import KnownNames
from core.answering.quote_check import QuoteCheck
from core.answering.quote_places import WRITTEN, Claimed
from core.domain.answers import STANDS, Verdict
from core.domain.documents import POLITICAL_TYPES, Document
from core.domain.registry import Registry
from core.evidence.quantities import quantities
from core.evidence.skeleton import skeleton
from core.evidence.text import OPENING
from core.language.languages import tags
from core.language.patterns import pattern
from core.library.references import SectionReference
from core.question.sections import read_sections
from core.question.turns import masked
from core.registry.attribution import (
    LEAST_QUOTED,
    LedIn,
    corrected,
    framings,
    is_either,
    is_frame,
    is_label,
    kind_in,
    law_in,
    name_in,
    names_paper,
    names_speaker,
    of_speaker,
    rejects_the_same,
    says,
    says_only_whose,
    titles_in,
    turns,
    turns_whoever,
)
from core.registry.detection import Detection, Detector, NameRole
from core.registry.foreign_sources import (
    foreign_constitution,
    foreign_law,
    is_one_of,
    kinds_named,
    place_beside,
    place_of_paper,
)
from core.registry.names import NameKind, fold, names_party, replaced, tokens
from core.registry.quotations import Quotation, goes_on, remarks_round, without_asides
from core.registry.registry import PartyTree, Suggestions, expand_party, find_party, named_party
from core.registry.titles import is_titled, years_of
from core.search.frame_reader import CHANGES, DENIES, MARKED, QUOTE, REMARKS, SAYS

_MOST_FRAMES = 4
"""Maximum frames around a quote: "Harbour Act: ... (s. 5) [1]"."""
_MOST_AROUND = 60
"""Maximum words around a quote that a head reads as a comment on it; more are a separate text."""
_BEGINS = re.compile(
    r"\W*(?:did|does|do|has|have|is|was|were|hat|haben|ist|war|steht|stand|stehen|stimmt|a-t|ont|est)\b",
    re.IGNORECASE,
)
"""Verbs that questions begin with."""

_PARTS = (" ", " [...] ")
"""What may be between the two parts of a quote in its document."""
_SENTENCE_ENDS = re.compile(r"[.!?…]\s+(?=\S)")

_LEAST_ASKED, _MOST_ASKING = 4, 30
"""Words of a quote that a text asks about, and of what it asks."""
OWN_WORDS = 0.3
"""Maximum share of the words around a marked sentence that are in the document beside it by chance."""
_LEAST_AROUND = 8
"""Minimum words around a quote for these to be alleged as well, if most are in the document."""
_MOST_READ = 150
"""Maximum words of a text in which other quotes are looked for."""
_MOST_BETWEEN = 14
"""Maximum words between the two parts of a quote ("...", it says there, "...")."""
_MOST_COMMENT = 8
"""Maximum words of a last sentence that may comment on a quote without marks, unless it is a question."""
_PLACE_OF_PARTY = 45
"""Maximum characters between a party and the place that it is said to be of."""
_MOST_UNSURE = 8
"""Maximum words of an ambiguous beginning that may deny something or be denied."""
_PAGE = re.compile(
    r"(?<![\w§])(?:S\.?|Seiten?|seiten?|SEITEN?|PAGES?|pp?\.|P\.|[Pp]ages?|pg\.?)\s?(?P<first>\d{1,4})(?!\w)"
    r"(?:(?P<following>\s?ff?\b\.?)|\s?(?:[-–/]|bis|to|à|(?P<beside>und|and|et|&|,))\s?(?:S\.|pp?\.|Seite|page)?\s?(?P<last>\d{1,4})(?!\w))?"
)
_BETWEEN = re.compile(r"\b(?:zwischen|between|entre)(?:\s\w+)?\s*$", re.IGNORECASE)
_SMALL_PAGE = re.compile(r"(?<!\w)s\.?\s?(?P<first>\d{1,4})(?:\s?[-–/]\s?(?P<last>\d{1,4}))?f{0,2}(?![\w(])")
"""The same in small letters, which means a section where laws are cited."""
_SPELT = pattern(r"(?<![\w-])(?:{asked.spelt_units})\s+(?=[^\W\d_])", re.IGNORECASE)
"""Units of a document before a number in words."""
_LONGEST_NUMBER = 60
"""Maximum characters of such a number."""
_ONE = re.compile(r"^(?:eins|one|un)\b", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:(?:Abs|Absatz|Nr|Nummer|Buchst|lit)\.?\s*\w{1,4}[,)]?|(?:§|\bArt\.?|\bArtikel)\s*\d{1,4}[a-z]?(?:\s*\(\w+\))*)\s*$"
)
"""Prefix of a provision's sentence: its abbreviation is also that of a page."""
_YEAR = re.compile(r"(?<![\d.,/§])(?<!§ )(?:19|20)\d\d(?![\d/]|[.,]\d)")
_DAY = re.compile(
    r"\b\d{1,2}(?:\.\s?\d{1,2}\.(?=\s?(?:19|20)\d\d)|(?:\.|st|nd|rd|th|er)?\s+[^\W\d]{3,9}\.?(?=\s+(?:19|20)\d\d))"
)
_CHAPTER = pattern(
    r"(?:\b(?:[Ii]m|[Ii]n|[Uu]nter|[Aa]us|der|dem|[Uu]nder|the|[Dd]ans|le|la)\s+)*(?:\b(?:{attribution.chapters})\s+(?:‹(?P<marked>[^›]{2,90})›"
    r"|(?:on|about|über|zum?|zur|sur)\s+(?:(?:the|die|den|das|der|la|le|les)\s|l['’])?(?P<topic>\w+(?:\s(?:and|und|et)\s\w+)?)"
    r"|(?P<title>[A-ZÄÖÜÉ](?:(?!\s+(?:{voices.saying}|{attribution.standing})\b)[^:,;()„“”\"«»\n]){1,80}))"
    r"|\b(?P<named>{attribution.forewords})\b)"
)
"""The title of a chapter, up to a verb, or what it is about."""
_MARKED = re.compile("‹([^›]+)›")
_TITLE_IN_FRAME = re.compile(
    r"^(?P<before>[^:„“”\"«»\n]{1,60})[„“\"«]\s?(?P<title>[^„“”\"«»:\n]{2,60}?)\s?[“”\"»](?P<behind>[^:„“”\"«»\n]{0,40}:\s*(?=[„“\"«]))"
)
_MARKED_CHAPTER = pattern(
    r"\b(?P<before>(?:{attribution.chapters})\s+)[„“\"«]\s?(?P<title>[^„“”\"«»]{2,90}?)\s?[“”\"»]"
)
_MARK = re.compile(
    r"\[\s*\d{1,3}\s*\]|\ba\.\s?a\.\s?O\.?|\bm\.\s?w\.\s?N\.?|\bi\.\s?(?:V\.\s?m\.|d\.\s?F\.)|\bi\.\s?O\.|\b(?:Fn|Rn|Rdnr|Anm|fn|n)\.\s?\d{1,4}"
    r"|(?<![⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹]+$|\b(?:op|loc)\.\s?cit\.?"
    r"|\b(?:(?:zuletzt\s)?(?:abgerufen|aufgerufen|besucht|eingesehen)|(?:letzter\s)?(?:Zugriff|Abruf)|(?:last\s)?(?:accessed|retrieved|visited)"
    r"|consultée?)\s?(?:am|vom|on|le)?:?\s?(?:\d{1,2}(?:\.|/|(?:\.|st|nd|rd|th|er)?\s[^\W\d]{3,9}\.?)\s?(?:\d{1,2}[./]\s?)?\d{2,4}|\d{4}-\d\d-\d\d)"
)
_LEVEL = re.compile(
    r",?\s*(?:al(?:inéa|\.)?|paragraphe|par\.|sub-?section|phrase)\s*(?P<value>\d{1,3})(?!\w)", re.IGNORECASE
)
_DOUBLE_MARKED = r"„[^„“”\"]+[“”\"]|“[^“”\"]+[”\"]|\"[^\"]+\"|«[^«»]+»|»[^«»]+«"
_QUOTED = re.compile(rf"{_DOUBLE_MARKED}|(?<!\w)[‚‘'][^\n]+[’‘'](?!\w)")
_QUOTED_PART = re.compile(rf"{_DOUBLE_MARKED}|(?<!\w)[‚‘'](?=\w)[^\n]+?(?<=[\w.,;!?])[’‘'](?!\w)")
"""The same, for one of several: quotes in single marks end as soon as they can."""
_OTHER_MARKS = re.compile(
    r"(?:,,|‚‚)([^,\n][^\n]{12,}?)(?:''|´´|``|‘‘|“|”)|``([^`\n]{12,}?)(?:''|´´|``|”)|‹\s?([^‹›\n]{12,})\s?›"
    r"|›\s?([^‹›\n]{12,})\s?‹|`([^`\n]{12,})`|<<\s?([^<>\n]{12,}?)\s?>>|>>\s?([^<>\n]{12,}?)\s?<<"
)
"""Quotes in marks of other kinds."""
_MOST_MARKED = 2_000
"""Maximum characters of a text in which they are looked for."""
_FOLLOWING = 1
"""Number of following pages meant by "f."; "ff." may mean many."""
_MANY = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedPlaces:
    """The places named in a text, and the text without them."""

    sections: tuple[SectionReference, ...] = ()
    pages: tuple[int, int] | None = None
    chapter: str = ""
    years: frozenset[int] = frozenset()
    refers: bool = False
    rest: str = ""


def _in_figures(text: str) -> str:
    """`text` with the numbers of pages and provisions in figures: "page twenty-five", "Artikel zwölf"."""
    for unit in reversed([*_SPELT().finditer(text)]):
        behind = _ONE.sub("1", text[unit.end() :])
        number = next(iter(quantities(behind[:_LONGEST_NUMBER])), None)
        if number is not None and number.span[0] == 0 and not number.unit:
            text = f"{text[: unit.end()]}{min(number.values)}{behind[number.span[1] :]}"
    return text


def claimed_places(text: str) -> ClaimedPlaces:
    """The places that `text` names; `refers`: it has a reference mark such as "[1]"."""
    text = _in_figures(text)
    chapter = _CHAPTER().search(text)
    rest, pages = _without(text, chapter) if chapter else text, None
    for found in _PAGE.finditer(text):
        if _SENTENCE.search(text[: found.start()]):
            continue
        first = int(found["first"])
        following = found["following"]
        behind = 0 if following is None else _MANY if "ff" in following else _FOLLOWING
        last = int(found["last"] or 0)
        between = _BETWEEN.search(text[: found.start()])
        if found["beside"] and last != first + 1 and not between:
            last = 0  # "pages 3 and 99": not what is between them
        pages = (first, max(last, first + behind))
        rest = _without(rest, found)
        break
    marks = [*_MARK.finditer(rest)]
    for mark in (*marks, *_DAY.finditer(rest)):
        rest = _without(rest, mark)
    years = [*_YEAR.finditer(rest)]
    for year in years:
        rest = _without(rest, year)
    sections, rest = _sections(rest)
    return ClaimedPlaces(
        sections=sections,
        pages=pages,
        chapter=next(filter(None, chapter.groups()), "").strip() if chapter else "",
        years=frozenset(int(year[0]) for year in years),
        refers=bool(marks),
        rest=rest,
    )


def with_usual_marks(text: str) -> str:
    """`text` with quotation marks around the one quote that is marked otherwise: ,,...'' ‹...› `...`."""
    if len(text) > _MOST_MARKED or _QUOTED.search(text):
        return text
    return _OTHER_MARKS.sub(lambda found: f"„{next(filter(None, found.groups())).strip()}“", text, count=1)


def with_chapter_parted(text: str) -> str:
    """`text` with different marks around a chapter title, so that they aren't taken for quotation marks."""
    text = _TITLE_IN_FRAME.sub(r"\g<before>‹\g<title>›\g<behind>", text)
    return _MARKED_CHAPTER().sub(r"\g<before>‹\g<title>›", text)


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + " " * len(found[0]) + text[found.end() :]


def _sections(text: str) -> tuple[tuple[SectionReference, ...], str]:
    """The provisions that `text` names in any language, and the text without them."""
    for language in tags():
        read = read_sections(text, language)
        if not read.references:
            continue
        rest, found = read.text, []
        for reference in reversed(read.references):
            end = reference.end
            if reference.instrument:
                end = rest.rfind(reference.instrument, reference.start, end)
            path = reference.path
            if level := _LEVEL.match(rest, end):
                path, end = path or (level["value"],), level.end()
            found.append(SectionReference(id=reference.id, path=path))
            rest = f"{rest[: reference.start]} {rest[end:]}"
        return tuple(found[::-1]), rest
    return (), text


@dataclass(frozen=True, slots=True, kw_only=True)
class Alleged:
    """The words of an alleged quote and what is claimed about them. `whole` is the full text if the words
    around the quote may be part of it; `lead` is then the text before it. `marked`: the words are a sentence
    in quotation marks, and a head is unsure of the text around them: it is alleged as well only if the
    document has it there."""

    words: str
    claimed: Claimed = field(default_factory=Claimed)
    whole: str = ""
    lead: str = ""
    marked: bool = False


class AllegedText:
    """Reads what `text` alleges: a quote, whose it is and where it is from ("SPD: ...", "Die SPD schreibt:
    „...“", "... (§ 5 HafenG)"), using the registry and the names of `documents`. An introduction to words in
    quotation marks is not part of them."""

    def __init__(self, text: str, names: KnownNames, documents: Sequence[Document]) -> None:
        self._text = text
        self._reader = _Frames(names, documents)
        self._own = _without_asides(text, self._reader)
        self._bare = _without_remarks(self._own, self._reader)
        self._around = self._reader.around(self._own)

    def frames(self) -> list[str]:
        """The input for a head: the frames that name a party, and all the text around the one quote."""
        parted = with_chapter_parted(self._bare)
        frames = [frame for led in framings(parted) if (frame := self._reader.frame(led))]
        return [*frames, self._around] if self._around else frames

    def alleged(
        self, odds: Mapping[str, float] = MappingProxyType({}), *, overheard: bool = False
    ) -> Alleged:
        """What the text alleges. `odds` of frames are a head's log-odds that they deny the words.
        `overheard`: it is from a conversation, where the text before a quote need not be a name ("Look here:
        ...")."""
        said = self._alleged(odds, overheard=overheard)
        around = self._own.replace(said.words, f" {IN_PLACE} ")
        if said.claimed.turned or around == self._own:
            return said
        law = "" if said.claimed.parties else self._reader.foreign(self._text, said)
        known = replace(said.claimed, unknown=said.claimed.unknown or law)
        return replace(said, claimed=self._reader.with_source(known, around))

    def _alleged(self, odds: Mapping[str, float], *, overheard: bool) -> Alleged:
        said = self._by_frames(odds)
        if (overheard or said.claimed.parties) and not _is_name(said.claimed.unknown):
            said = replace(said, claimed=replace(said.claimed, unknown="", similar=()))
        if (quoted := one_quoted(self._bare)) is None:
            return said
        words, around = quoted
        around_all = odds.get(self._around, 0.0)
        if around_all >= CHANGES:
            by = said.claimed if said.claimed.parties else self._reader.of_all(around)
            claimed = replace(by, unknown="", similar=(), turned=around)
            return Alleged(words=words, claimed=claimed, whole=self._text)
        if around_all <= REMARKS:
            claimed = replace(said.claimed, turned="")
            stranger = claimed.unknown and not _is_name(claimed.unknown)
            if claimed == Claimed() or stranger or said.claimed.turned:
                claimed = self._reader.of_all(around)
            return Alleged(words=words, claimed=claimed, whole=self._text)
        if around_all <= MARKED and not said.claimed.turned and is_sentence(words):
            known = said.claimed if said.claimed != Claimed() else self._reader.of_all(around)
            return Alleged(words=words, claimed=known, whole=self._text, marked=True)
        if not tokens(said.words.replace(words, "")):  # a question round a quote is none of its words
            said = replace(said, words=words)
        unread = said.claimed == Claimed() and (overheard or "?" in around)
        if not unread and not (said.claimed.turned and "?" in around):  # a question denies nothing
            return said
        return Alleged(words=words, claimed=self._reader.of_all(around), whole=self._text)

    def quoted_alone(self) -> tuple[str, Alleged] | None:
        """The text around the only quote, with IN_PLACE for that, if it may ask about it ("does the Basic Law
        say „…“, or not?"), and the quote alone with what that text claims; None for any other text."""
        quoted, around = one_quoted(self._own) or ("", "")
        if len(quoted.split()) < _LEAST_ASKED or len(around.split()) > _MOST_ASKING:
            return None
        return " ".join(around.split()), Alleged(words=quoted, claimed=self._reader.of_all(around))

    def _by_frames(self, odds: Mapping[str, float]) -> Alleged:
        """What the frames around the words claim, one inside another."""
        text, reader = self._text, self._reader
        said = Alleged(words=with_chapter_parted(self._bare), whole="" if self._bare == text else text)
        for _ in range(_MOST_FRAMES):
            read = next((each for led in framings(said.words) if (each := reader.read(led, odds))), None)
            if read is None:
                break
            led, claimed, sure = read
            said = Alleged(
                words=led.words,
                claimed=_both(said.claimed, claimed),
                whole=text if not sure or said.whole else "",
                lead=said.lead if led.behind or sure else led.before,
            )
        return said


OF_A_SENTENCE, STOPPED = 6, 4
"""Minimum words of a quote that is neither a name nor a topic; the second for one that ends with a full
stop."""


def is_sentence(quoted: str) -> bool:
    """Whether the words in quotation marks are a sentence."""
    stopped = quoted.rstrip("“”\"»«’'").endswith((".", "!", "?"))
    return len(quoted.split()) >= (STOPPED if stopped else OF_A_SENTENCE)


def is_question(text: str) -> bool:
    """Whether `text` ends as a question, or begins with a verb as those do that forget their mark."""
    return text.endswith("?") or bool(_BEGINS.match(text))


def marked_otherwise(text: str) -> Iterator[str]:
    """`text` with quotation marks around what else may be its quote: the two parts of one, with what is said
    between them behind; or what follows a colon, with and without a last sentence that comments on it, if the
    text has no quotation marks. Nothing of a long one."""
    if len(text.split()) > _MOST_READ:
        return
    quotes = [*_QUOTED_PART.finditer(text)]
    if len(quotes) == len(_PARTS):
        one, other = (re.sub(r"^\W+|[\s,“”\"»«’']+$", "", each[0]) for each in quotes)
        between = text[quotes[0].end() : quotes[1].start()].strip(" ,–-")
        rest = f"{between} {text[quotes[1].end() :]}".strip()
        if (
            min(len(one.split()), len(other.split())) >= LEAST_QUOTED
            and len(between.split()) <= _MOST_BETWEEN
        ):
            for joint in _PARTS:
                yield f"{text[: quotes[0].start()]}„{one}{joint}{other}“ {rest}".strip()
    if quotes:
        return
    starts = [0, *(found.end() for found in re.finditer(r":\s+", text))]
    for start in starts[:_MOST_FRAMES]:
        words = text[start:].strip()
        said, last = _without_comment(words)
        for quoted, behind in ((said, last), (words, "")):
            if quoted and len(quoted.split()) >= _LEAST_ASKED and (start or behind):
                yield f"{text[:start]}„{quoted}“ {behind}".strip()


def _without_comment(text: str) -> tuple[str, str]:
    """`text` without its last sentence, and that, if it is a question or short."""
    found = list(_SENTENCE_ENDS.finditer(text.rstrip()))
    at = found[-1].end() if found else 0
    last = text[at:].strip()
    comments = last.endswith("?") or len(last.split()) <= _MOST_COMMENT
    comments = comments and any(map(str.isalpha, last))  # signs may deny
    return (text[:at].strip(), last) if at and comments else ("", "")


class RoundQuotations:
    """Reads whose the quotations of a draft are said to be, from the text before and after each."""

    def __init__(self, names: KnownNames, documents: Sequence[Document]) -> None:
        self._reader = _Frames(names, documents)

    def frames(self, quotation: Quotation) -> list[str]:
        """The frames of a quotation that name a party and may deny its words, as a head reads them."""
        return [frame for led in _led(quotation) if (frame := self._reader.doubtful(led))]

    def claims(self, found: Sequence[Quotation], odds: Mapping[str, float]) -> list[Claimed]:
        """The claims about each; one that continues another has its source."""
        claims: list[Claimed] = []
        for each in found:
            claimed = self._claimed(each, odds)
            claims.append(_going_on(claimed, claims[-1]) if each.goes_on and claims else claimed)
        return claims

    def _claimed(self, quotation: Quotation, odds: Mapping[str, float]) -> Claimed:
        """The claims about a quotation. An author's sentences say more than whose the words are: that
        somebody denies these counts only if rules and the head agree."""
        claimed = Claimed()
        for led in _led(quotation):
            claimed = _both(claimed, self._reader.named(led, odds.get(self._reader.frame(led), 0.0)))
        return claimed


def _going_on(claimed: Claimed, before: Claimed) -> Claimed:
    """The claim about a quotation that continues the one `before`: its own page and provision, the other's
    party and document."""
    if any((claimed.parties, claimed.documents, claimed.jurisdictions, claimed.unknown)):
        return claimed
    return replace(
        before,
        page=claimed.page,
        last_page=claimed.last_page,
        sections=claimed.sections,
        chapter=claimed.chapter,
        turned=claimed.turned,
    )


def _led(each: Quotation) -> list[LedIn]:
    """The text around a quotation, in the form in which attributions are read."""
    marked = f"„{each.words}“"
    found = []
    if each.before:
        before = with_chapter_parted(each.before).rstrip(" :,")
        found.append(LedIn(before, marked, sure=each.before.endswith(":")))
    if each.behind:
        found.append(LedIn(with_chapter_parted(each.behind), marked, sure=each.signed, behind=True))
    return found


IN_PLACE = "„…“"
"""What stands in place of a quote in the text around it."""


def has_quote(text: str) -> bool:
    """Whether `text` has a quote in quotation marks."""
    return any(len(tokens(each[0])) >= LEAST_QUOTED for each in _QUOTED.finditer(with_usual_marks(text)))


def one_quoted(text: str) -> tuple[str, str] | None:
    """The only quote in quotation marks in `text`, and the text without its words; None if there is none,
    several, or nothing else."""
    quotes = [each for each in _QUOTED.finditer(text) if len(tokens(each[0])) >= LEAST_QUOTED]
    if len(quotes) != 1 or quotes[0][0] == text.strip():
        return None
    return quotes[0][0], f"{text[: quotes[0].start()]}{IN_PLACE}{text[quotes[0].end() :]}"


def _without_asides(text: str, reader: "_Frames") -> str:
    """`text` without sentences that have nothing to do with its only quote."""
    if (quoted := one_quoted(text)) is None:
        return text
    before, _, behind = text.partition(quoted[0])
    return f"{without_asides(before, reader.names_source)}{quoted[0]}{behind}".strip()


def _without_remarks(text: str, reader: "_Frames") -> str:
    """`text` without comments on its only quote, unless they name its source."""
    if (quoted := one_quoted(text)) is None:
        return text
    before, _, behind = text.partition(quoted[0])
    remarks = remarks_round(before, quoted[0], behind)
    kept = (
        side if not remark or reader.names_source(remark) else ""
        for side, remark in zip((before, behind), remarks, strict=True)
    )
    return quoted[0].join(kept).strip()


def _is_name(text: str) -> bool:
    """Whether `text` looks like a person's name."""
    words = text.split()
    return len(words) > 1 and all(word[:1].isupper() for word in words)


def _both(one: Claimed, other: Claimed) -> Claimed:
    """The claims before and after a quote combined; the first wins if both name somebody."""
    named = ("parties", "speaking", "jurisdictions", "documents")
    return replace(
        one,
        **{
            name: getattr(one, name) or getattr(other, name)
            for name in (*named, "sections", "chapter", "unknown")
        },
        similar=one.similar or other.similar,
        page=one.page or other.page,
        last_page=one.last_page or other.last_page,
        turned=one.turned or other.turned,
    )


def with_stated(claimed: Claimed, stated: Claimed) -> Claimed:
    """The claims read from around a quote, overridden by those that options `stated`."""
    whose = any((stated.parties, stated.jurisdictions, stated.documents, stated.unknown))
    if whose:
        claimed = replace(
            stated,
            sections=claimed.sections,
            chapter=claimed.chapter,
            page=claimed.page,
            last_page=claimed.last_page,
            turned=claimed.turned,
        )
    return claimed if stated.page is None else replace(claimed, page=stated.page, last_page=None)


class _Frames:
    """Reads the text around alleged quotes."""

    def __init__(self, names: KnownNames, documents: Sequence[Document]) -> None:
        self._names = names
        self._documents = documents
        self._detector = Detector(names.registry, documents)

    def of_all(self, around: str) -> Claimed:
        """The claim that all the text around a quote makes: that its party said the words, one of several, or
        that they are in the documents it names, in the edition, the provisions and on the pages that it
        names."""
        before, _, behind = around.partition(IN_PLACE)
        around = f"{self._of_speaker(before)} {behind}"
        places = claimed_places(around)
        found, rest = self._named_in(around)
        claimed = (
            self._of_parties(found, places.rest, one=True)
            if found.parties
            else self._of_documents(found, rest)
        )
        claimed = self._of_kind(claimed, LedIn(around, "", sure=True))
        own = [each for each in self._documents if self._is_claimed(each, claimed)]
        meant = tuple(each.id for each in own if years_of(each.fields) & places.years)
        claimed = replace(claimed, documents=meant) if meant else claimed
        return _at(claimed, places, around)

    @staticmethod
    def _is_claimed(document: Document, claimed: Claimed) -> bool:
        return document.id in claimed.documents or claimed.is_by(document.fields.parties)

    def _of_documents(self, found: Detection, rest: str) -> Claimed:
        """The claim that the words are in one of the documents named by `found`, or by title in `rest`."""
        if found.documents:
            return Claimed(documents=found.documents)
        law = law_in(rest)
        for name in (*titles_in(rest), *([law] if law else ())):
            if titled := tuple(each.id for each in self._documents if is_titled(each.fields, name)):
                return Claimed(documents=titled)
        return Claimed()

    def around(self, text: str) -> str:
        """All the text around the only quote in `text`, as a head reads it; "" if there is none, or so much
        that it is a separate text."""
        if (quoted := one_quoted(text)) is None:
            return ""
        before, quote, behind = quoted[1].partition(IN_PLACE)
        around = f"{self._uncontrasted(before)}{quote}{behind}"
        if len(tokens(around)) > _MOST_AROUND:
            return ""
        return self._masked(around)

    def _masked(self, text: str) -> str:
        """`text` with every party, document and law as one name: a head that has read whose words are denied
        knows nothing of the subjects of laws."""
        found = self._detector.detect(text)
        titles = [(each.start, each.end) for each in found.titles]
        named = [*found.party_stretches, *titles]
        if not titles and (law := law_in(text) or foreign_law(text, self._documents)):
            named.append((text.index(law), text.index(law) + len(law)))
        return masked(text, _disjoint(named))

    def names_source(self, around: str) -> bool:
        """Whether `around` names a party, a document or a place in one, or an unknown speaker."""
        found = self._detector.detect(around)
        if found.names or found.titles or claimed_places(around).rest != around:
            return True
        return says(around) and bool(name_in(LedIn(around, "", sure=True), around))

    def frame(self, led: LedIn) -> str:
        """The text around quoted words, with the words left out and all parties replaced by one name; "" if
        it names none."""
        before = self._of_speaker(led.before)
        found = self._detector.detect(before)
        if not found.parties or not led.words.startswith(OPENING):
            return ""
        said = self._masked(before)
        if led.behind:
            return f"{QUOTE} ({said})" if led.sure else f"{QUOTE} {said}"
        return f"{said}: {QUOTE}" if led.sure else f"{said} {QUOTE}"

    def doubtful(self, led: LedIn) -> str:
        """The frame if only a head can tell whether it denies the words, else "": encoders take a second to
        load."""
        frame = self.frame(led)
        if not frame:
            return ""
        _, rest = self._named_in(self._of_speaker(led.before))
        return frame if turns(rest, behind=led.behind) and not turns_whoever(rest) else ""

    def _of_speaker(self, before: str) -> str:
        """The text before or after a quote, without names that it corrects, or contrasts with the
        speaker's."""
        return self._uncontrasted(corrected(before))

    def _uncontrasted(self, before: str) -> str:
        parties = sorted(self._detector.detect(before).party_stretches)
        return of_speaker(before, parties) if len(parties) > 1 else before

    def _named_in(self, before: str) -> tuple[Detection, str]:
        """The names in the text before or after a quote, and the rest of that text."""
        said = claimed_places(before).rest
        found = self._detector.detect(said)
        own = [(each.start, each.end) for each in found.titles]
        return found, replaced(said, [*found.names, *own], " ")

    def read(self, led: LedIn, by_head: Mapping[str, float]) -> tuple[LedIn, Claimed, bool] | None:
        """What a frame claims, and whether it cannot be part of the words; None if it is not a frame."""
        before = self._of_speaker(led.before)
        places = claimed_places(before)
        found, rest = self._named_in(before)
        marked = led.words.startswith(OPENING)
        odds = by_head.get(self.frame(led), 0.0) if by_head else 0.0
        sure = odds <= SAYS
        denied = odds >= DENIES or (not sure and turns(rest, behind=led.behind))
        same = rejects_the_same(before, led.words)
        if led.behind and not led.sure and not found.names and goes_on(before):
            return None
        if (denied and not same) or turns_whoever(rest):
            short = len(tokens(before)) <= _MOST_UNSURE
            return self._turned(led, before, found) if marked or short else None
        if odds > SAYS and not (same or is_frame(rest)):
            return None
        led = replace(led, before=before)
        claimed = self._claimed(led, rest, found, places)
        placed = bool(
            places.sections or places.pages or places.chapter or places.refers or self._dated(claimed, before)
        )
        if claimed.unknown and not placed and led.behind and not led.sure:
            claimed = Claimed()  # only what signs a quote may be a name that nobody knows
        if claimed == Claimed() and not (marked or placed or says_only_whose(rest)):
            return None
        if claimed == Claimed() and led.behind and not (marked or placed) and not rest.strip(" .,"):
            return None
        sure = led.sure or (not led.behind and _is_registered(before, self._names.registry))
        return led, claimed, sure

    def named(self, led: LedIn, odds: float) -> Claimed:
        """What a sentence around words names: their source, an edition, pages; an unknown source only if it
        has the form of a person's or party's name."""
        before = self._of_speaker(led.before)
        led, places = replace(led, before=before), claimed_places(before)
        found, rest = self._named_in(before)
        if turns_whoever(rest) or (odds >= DENIES and turns(rest, behind=led.behind)):
            return replace(self._of_parties(found) if found.parties else Claimed(), turned=before)
        claimed = self._claimed(led, rest, found, places)
        if not led.behind and is_label(before) and not (claimed.parties or claimed.documents):
            claimed = replace(claimed, unknown="", similar=(), chapter="")
        named = _is_name(claimed.unknown) or names_party(claimed.unknown) or names_speaker(before)
        stranger = named and (led.sure or not led.behind)
        if stranger or self._dated(claimed, before):
            return claimed
        return replace(claimed, unknown="", similar=())

    @staticmethod
    def _dated(claimed: Claimed, before: str) -> bool:
        """Whether a missing edition is named."""
        return claimed.unknown == " ".join(before.split()) and bool(re.search(r"\d{4}", before))

    def _turned(self, led: LedIn, before: str, found: Detection) -> tuple[LedIn, Claimed, bool]:
        parties = self._of_parties(found) if found.parties else Claimed()
        return replace(led, before=before), replace(parties, turned=before), False

    def _claimed(self, led: LedIn, rest: str, found: Detection, places: ClaimedPlaces) -> Claimed:
        claimed = self._whose(led, rest, found)
        claimed = self._of_title(self._of_kind(claimed, led), led)
        if places.years:
            claimed = self._of_edition(claimed, places.years, rest, led)
        return replace(_at(claimed, places, led.before), chapter=places.chapter)

    def _whose(self, led: LedIn, rest: str, found: Detection) -> Claimed:
        party = named_party(self._names.registry, led.before)
        if party is not None:
            return _claimed_by_parties(self._names.registry, [party.name])
        if found.parties:
            return self._of_parties(found, claimed_places(led.before).rest)
        if (named := self._of_documents(found, rest)) != Claimed():
            return named
        others = name_in(replace(led, before=rest), rest) or law_in(rest)
        if others:
            return claimed_by(others, self._names)
        return Claimed(jurisdictions=tuple(place.key for place in found.places))

    def _of_title(self, claimed: Claimed, led: LedIn) -> Claimed:
        """The claim, restricted to the documents whose title is in quotation marks before the quote."""
        marked = _MARKED.search(led.before) if claimed.parties else None
        titled = tuple(each.id for each in self._documents if marked and is_titled(each.fields, marked[1]))
        return replace(claimed, documents=titled) if titled else claimed

    def _of_kind(self, claimed: Claimed, led: LedIn) -> Claimed:
        """The claim, restricted to the parties' documents of the kind named with them ("the manifesto")."""
        kind = kind_in(led.before) if claimed.parties else None
        own = [each for each in self._documents if claimed.is_by(each.fields.parties)]
        if kind is None or not all(each.fields.doc_type in POLITICAL_TYPES for each in own):
            return claimed
        meant = tuple(each.id for each in own if each.fields.doc_type is kind)
        if meant or not own:
            return replace(claimed, documents=meant)
        return Claimed(unknown=" ".join(led.before.split()))

    def _of_edition(self, claimed: Claimed, years: frozenset[int], rest: str, led: LedIn) -> Claimed:
        """The claim, restricted to the edition of a year if one is named with a party, a document or a kind
        of documents."""
        if claimed.documents:
            own = [each for each in self._documents if each.id in claimed.documents]
        elif claimed.parties:
            own = [each for each in self._documents if claimed.is_by(each.fields.parties)]
        elif names_paper(rest) and not claimed.unknown:
            own = [
                each
                for each in self._documents
                if not claimed.jurisdictions or each.fields.jurisdiction in claimed.jurisdictions
            ]
        else:
            return claimed
        if not own:
            return claimed
        meant = tuple(each.id for each in own if not (dated := years_of(each.fields)) or dated & years)
        if meant:
            return replace(claimed, documents=meant)
        return Claimed(unknown=" ".join(corrected(led.before).split()) or " ".join(map(str, sorted(years))))

    def foreign(self, text: str, said: Alleged) -> str:
        """The law or party that `text` names beside the quote and the library does not have; "" if there is
        none."""
        around = text.replace(said.words, " ")
        if constitution := foreign_constitution(around, self._documents, self._names.places):
            return constitution
        if not said.claimed.documents and (strangers := self._detector.detect(around).strangers):
            return strangers[0].name
        return "" if said.claimed.documents else foreign_law(around, self._documents) or law_in(around)

    def with_source(self, claimed: Claimed, around: str) -> Claimed:
        """The claim restricted to the documents of the kind that the text around a quote names, and unknown
        if it names a place or a kind of paper of which the library has none."""
        if claimed.unknown:
            return claimed
        around = around.replace(IN_PLACE, " ")
        own = [each for each in self._documents if self._may_be_claimed(each, claimed)]
        places = self._names.places
        place, only = ("", False) if claimed.parties else place_of_paper(around, places)
        covered = {place} if only else {place, *places.ancestors(place)}
        if place and own and not any(each.fields.jurisdiction in covered for each in own):
            return replace(claimed, unknown=places.name(place))
        if place and not claimed.documents and not claimed.jurisdictions:
            return self.with_source(replace(claimed, jurisdictions=(place,)), around)
        kinds = kinds_named(around, parties=bool(claimed.parties))
        if not (claimed.parties or claimed.documents or claimed.jurisdictions):
            kinds.pop("statute", None)  # any of them may be meant
        meant = tuple(each.id for each in own if is_one_of(each.fields, kinds))
        if kinds and own and not meant:
            return replace(claimed, unknown=next(iter(kinds.values())))
        return replace(claimed, documents=meant) if kinds and len(meant) < len(own) else claimed

    @staticmethod
    def _may_be_claimed(document: Document, claimed: Claimed) -> bool:
        """Whether a document is one of those that `claimed` leaves open."""
        fields = document.fields
        return (
            (not claimed.parties or claimed.is_by(fields.parties))
            and (not claimed.documents or document.id in claimed.documents)
            and (not claimed.jurisdictions or fields.jurisdiction in claimed.jurisdictions)
        )

    def _of_parties(self, found: Detection, text: str = "", *, one: bool = False) -> Claimed:
        """The claim that the parties in `text` said the words together, or `one` of them."""
        of_party = [each for each in found.mentions if each.kind is NameKind.PARTY]
        near = {
            place.key
            for place in found.mentions
            if any(abs(place.start - each.start) <= _PLACE_OF_PARTY for each in of_party)
        }
        places = [each.key for each in found.places if each.role is not NameRole.TOPIC and each.key in near]
        beside = (
            place_beside(text, each.start, each.end, self._names.places) for each in of_party if not each.tail
        )
        places += [place for place in beside if place and not places]
        named = [each.key for each in found.parties]
        parties = _claimed_by_parties(self._names.registry, named)
        one = one or is_either(text, sorted(found.party_stretches))
        if len(set(named)) > 1 and not one:  # whose of them the words are said to be is not told: of all
            tree = PartyTree(self._names.registry)
            sets = product(*(tree.owners(name) for name in dict.fromkeys(named)))
            parties = replace(parties, speaking=tuple(frozenset().union(*each) for each in sets))
        return replace(parties, jurisdictions=tuple(places))


def _at(claimed: Claimed, places: ClaimedPlaces, text: str) -> Claimed:
    """The claim, with the pages and provisions that `text` names; programmes have no sections."""
    first, last = places.pages or (None, None)
    small = _SMALL_PAGE.search(text) if claimed.parties and first is None else None
    if small is None:
        return replace(claimed, sections=places.sections, page=first, last_page=last)
    return replace(claimed, page=int(small["first"]), last_page=int(small["last"] or small["first"]))


def _disjoint(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges, of which those that overlap are one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def claimed_by(name: str, names: KnownNames) -> Claimed:
    """The claim made by naming `name`: a party, a place, or somebody unknown to the library."""
    party = find_party(names.registry, name)
    if not isinstance(party, Suggestions):
        return _claimed_by_parties(names.registry, [party.name])
    if names.places.names_one(name):
        return Claimed(jurisdictions=(names.jurisdiction(name),))
    return Claimed(unknown=name, similar=party.names)


def _claimed_by_parties(registry: Registry, names: Sequence[str]) -> Claimed:
    """The claim made by naming parties; for an alliance, that all its members said it."""
    tree = PartyTree(registry)
    return Claimed(
        parties=tuple(dict.fromkeys(each for name in names for each in expand_party(registry, name))),
        speaking=tuple(owners for name in names for owners in tree.owners(name)),
    )


def is_one_quote(said: Alleged, check: QuoteCheck) -> bool:
    """Whether `check`, of the full text, shows that the surrounding words belong to the quote."""
    if said.claimed.turned and check.verdict not in STANDS:
        return False  # who denies words does not quote the denial
    if check.verdict is Verdict.CUT and any(each.claimed for each in check.wording):
        return False  # what is said around the words is not in the document
    if check.verdict in WRITTEN and check.matches:
        more = len(skeleton(said.whole)) - len(skeleton(said.words))
        return len(skeleton(check.matches[0].quote.text)) > len(skeleton(said.words)) + more // 2
    if len(said.whole.split()) - len(said.words.split()) >= _LEAST_AROUND and belongs_around(
        said, said.whole, check
    ):
        return True
    begins = check.wording[0] if check.wording else None
    return bool(said.lead) and (
        begins is not None and begins.claimed is None and len(begins.source.split()) >= len(said.lead.split())
    )


def belongs_around(said: Alleged, text: str, check: QuoteCheck, share: float = 0.5) -> bool:
    """Whether `check`, of all of `text`, shows that more than this `share` of the words around those of
    `said` are in the document, too: more is alleged than they."""
    around = _counted(text) - _counted(said.words)
    found = _counted(" ".join(each.quote.text for each in check.matches[:1])) - _counted(said.words)
    return (around & found).total() > around.total() * share


def _counted(text: str) -> Counter[str]:
    return Counter(word.folded for word in tokens(text))


def _is_registered(name: str, registry: Registry) -> bool:
    """Whether `name` is a party or a place with its own row, and not a common word."""
    places = {fold(each) for row in registry.jurisdictions for each in (row.name, *row.aliases)}
    return fold(name) in places or named_party(registry, name) is not None
