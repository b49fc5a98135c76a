"""References as people write them in questions: "art 20 gg", "the second paragraph of Article 6",
"Artikel XX", "rule 4 sub rule 2", "Annexure A", "RERA s 14", "GG 103 Abs. 2".

A question is rewritten into the form that references have in texts, then read like a text. Documents
themselves are read strictly: what is a slip in a question means something else there.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.language.languages import every
from core.language.patterns import pattern, words
from core.library.references import SectionReference, article_value, parse_section_references, section_id
from core.registry.detection import Detection, Detector
from core.registry.names import NAMELESS, Mention, fold, tokens

_LEVELS = r"(?P<level>{asked.levels})"
_COUNTED = pattern(rf"\b(?P<number>\d{{1,2}})(?:\.|st|nd|rd|th)\s+{_LEVELS}(?!\w|\s*\(?\d)", re.IGNORECASE)
_APART = pattern(rf"\b{_LEVELS}(?![^\W\d_])\s*\(?(?P<value>\d{{1,2}}[a-z]?|[a-z])\)?(?!\w)", re.IGNORECASE)
_SPLIT = re.compile(r"\b(sub|unter)[ -](?=(?:section|rule|clause|paragraph|absatz))", re.IGNORECASE)
_SHORT = re.compile(r"\b(sub)-?sec\.?(?=\s*\(?\d)", re.IGNORECASE)
_ROMAN_HEAD = re.compile(
    r"(?P<head>\b(?:art(?:icle|ikel)?s?|sec(?:tion)?|rule|§)\.?\s*)(?P<roman>[IVXL]{1,7}|premier)(?![\w.])",
    re.IGNORECASE,
)
_LETTER_HEAD = re.compile(
    r"(?<![\w'’.-])(?P<letter>[sr])\.?\s?(?=(?!(?:19|20)\d\d\b(?!\s?\())\d{1,4}(?:\s?\(|\b(?!\s*[%€$])))"
)
_LETTER_HEADS = {"s": "section ", "r": "rule "}
_NO_HEAD = re.compile(
    r"(?P<law>(?<![\w-])[A-ZÄÖÜ](?=\w*[A-ZÄÖÜ])[A-ZÄÖÜa-zäöü-]{1,8})\s+(?=(?!(?:19|20)\d\d[\s?.!]*$)\d{1,4}[a-z]?"
    r"(?:\s*\(|,?\s+(?:[Aa]bs|[Aa]bsatz|[Ll]it|[Nn]r|[Pp]ara)\b|\s*[?.!]*$))"
)
"""A law's initials followed by a number that can only be a provision's: "GG 103 Abs. 2", "RERA 18(2)"."""
_GENERIC = re.compile(
    r"\b(?:(?:clause|provision)\s+(?=\d)|(?:point|n[or]\.|nummer|punkt|para(?:graph)?\.?)\s+(?=\d{1,3}\.\d))",
    re.IGNORECASE,
)
"""Words for a provision that may also mean a part of one; its sign if nothing else is named."""
_SMALL_NUMBER = re.compile(r"\b(?:ziffer|ziff\.?|bestimmung|klausel)\s+(?=\d)", re.IGNORECASE)
_SMALL_CODE = re.compile(r"\b(art(?:icle|\.)?\s*)([lrd])\.?\*{0,2}\.?\s?(?=\d)", re.IGNORECASE)
_SMALL_ARTICLE = re.compile(r"\bart(?=\s*(?:\d|[LRD]\.\s?\d))", re.IGNORECASE)
_GLUED = re.compile(r"(?<=\d)(?=[A-ZÄÖÜ]{2,}(?!\w))")
_LETTER_APART = re.compile(r"(§\s*\d{1,4})\s(?=[a-z](?:\W*$|\s+(?:[A-Z]|des|der|im)))")
_PARAGRAPH = re.compile(r"\bparagra(?:ph|f)(?:en|s)?(?=\s*\d)", re.IGNORECASE)
_ANNEX = re.compile(
    r"\b(?:annex(?:ure)?|appendix|anhang)\s+['\"‘“(]?(?P<label>[A-Z]{1,2}|\d{1,2}|[IVXL]{1,5})(?!\w)['\"’”)]?",
    re.IGNORECASE,
)
_THOSE_OF_GERMAN = "de"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """The direction of a question about a provision. `citing` asks what cites (or implements) it, otherwise
    what it cites; `wanted` are the kinds of unit that may answer, empty if any may. `points`: it asks what
    the provision's own words refer to; `under`: it asks for something under the provision, not for another
    one ("which rule ...")."""

    citing: bool
    wanted: frozenset[str]
    points: bool = False
    under: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSections:
    """The sections that a question asks for: the question in the form that references have in texts, and the
    `references` and `names` in it, whose `start` and `end` are offsets in `text`. `bearing` is that of the
    first reference; `neighbours` are, by reference, the words after and before it, without articles; `term`
    is what the question wants defined. `words` are all its words, `beside` those other than references, names
    and their frames, both folded."""

    text: str = ""
    references: tuple[SectionReference, ...] = ()
    names: Detection = field(default_factory=Detection)
    bearing: Bearing | None = None
    neighbours: tuple[tuple[str, str], ...] = ()
    term: str | None = None
    words: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()

    def terms(self, laws: Collection[str]) -> list[str]:
        """Candidates for the term to be defined; `laws` are the folded words that laws are called by."""
        return writings(self.term, laws) if self.term else []


def asked_sections(question: str, language: str, named: Detection, names: Detector) -> AskedSections:
    """The sections that `question` asks for. It names what is `named`, and is searched for `names` again if
    rewritten."""
    sections = read_sections(question, language)
    text, found = sections.text, named if sections.text == question else names.detect(sections.text)
    whole = (*found.titles, *(each for each in found.mentions if not each.tail))
    taken: tuple[SectionReference | Mention, ...] = (*sections.references, *found.titles, *found.mentions)
    return replace(
        sections,
        names=found,
        bearing=bearing_of(text, sections.references[0]) if sections.references else None,
        neighbours=tuple(_neighbours(text, sections.references)),
        term=None if sections.references else term_of(" ".join(_without(text, whole).split())),
        words=_folded(text),
        beside=_folded(_without(text, taken)) - words("asked.frame"),
    )


def _folded(text: str) -> frozenset[str]:
    return frozenset(word.folded for word in tokens(text))


def _without(text: str, taken: Iterable[SectionReference | Mention]) -> str:
    """`text` with spaces in place of the ranges `taken`, which may overlap."""
    for each in taken:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def _neighbours(text: str, references: Iterable[SectionReference]) -> Iterator[tuple[str, str]]:
    words_left = [word for word in tokens(text) if word.folded not in words("asked.before_laws")]
    for reference in references:
        after = next((word.text for word in words_left if word.start >= reference.end), "")
        yield after, next((word.text for word in reversed(words_left) if word.end <= reference.start), "")


def read_sections(question: str, language: str) -> AskedSections:
    """The sections that `question` asks for, before names are looked for."""
    text = _written_over(question)
    found = parse_section_references(text, language)
    if not found and language == _THOSE_OF_GERMAN:
        text = _PARAGRAPH.sub("§", text)
        found = parse_section_references(text, language)
    if not found and (generic := _GENERIC.search(text)):
        rewritten = f"{text[: generic.start()]}§ {text[generic.end() :]}"
        found = parse_section_references(rewritten, language)
        text = rewritten if found else text
    return AskedSections(text=text, references=_divided(text, found) or _annexes(text))


def _divided(text: str, found: Sequence[SectionReference]) -> tuple[SectionReference, ...]:
    """The references; if a question has only one, with the sub-division named elsewhere in the question."""
    if len(found) != 1 or found[0].path:
        return tuple(found)
    [only] = found
    apart = next(
        (each for each in _APART().finditer(text) if not only.start <= each.start() < only.end), None
    )
    return (replace(only, path=(apart["value"].casefold(),)) if apart else only,)


def _written_over(question: str) -> str:
    text = _GLUED.sub(" ", question)
    text = _LETTER_APART.sub(r"\1", text)
    text = _SPLIT.sub(r"\1-", text)
    text = _SHORT.sub(r"\1-section", text)
    text = _COUNTED().sub(lambda found: f"{found['level']} {found['number']}", text)
    for language in every():
        for number, ordinal in enumerate(language.asked.ordinals, start=1):
            levels = "|".join(language.asked.levels)
            text = re.sub(rf"\b(?:{ordinal})\s+({levels})(?!\w)", rf"\1 {number}", text, flags=re.IGNORECASE)
    text = _LETTER_HEAD.sub(lambda found: _LETTER_HEADS[found["letter"]], text)
    text = _SMALL_NUMBER.sub("Ziffer ", text)
    text = _SMALL_CODE.sub(lambda found: f"{found[1]}{found[2].upper()}. ", text)
    text = _NO_HEAD.sub(r"\g<law> § ", text)
    text = _ROMAN_HEAD.sub(lambda found: f"{found['head']}{article_value(found['roman'])}", text)
    return _SMALL_ARTICLE.sub("art.", text)


def _annexes(text: str) -> tuple[SectionReference, ...]:
    return tuple(
        SectionReference(id=section_id("annex", found["label"]), start=found.start(), end=found.end())
        for found in _ANNEX.finditer(text)
    )


# The direction in which a question follows references from the provision it names.

PROVISIONS = frozenset({"section", "rule", "regulation", "art", "par"})

_KINDS = ("rule", "section", "regulation", "art", "par", "form", "annex", "recital", "schedule")
_NOUNS = tuple(
    (kind, pattern(rf"(?<!\w)(?:{{provisions.{kind}}})(?!\w)(?!\s*['\"‘“(]?\d)")) for kind in _KINDS
)
_ARTICLE = r"(?:(?:{provisions.articles})\s+)?"
_SUBJECT = pattern(
    r"\b(?:{provisions.verbs_before})\s+(?:(?:{provisions.between_verb_and_unit})\s+)?" + _ARTICLE + "$"
)
_SUBJECT_OF_WHOM = pattern(
    r"\b(?:{provisions.of_whom})\b.*\b(?:{provisions.verbs_of_whom})\s+" + _ARTICLE + "$"
)
_PASSIVE = pattern(r"\b(?:{provisions.passive})\b")
_WITHIN = pattern(r"\b(?:{provisions.within})\s+(?:(?:{provisions.within_articles})\s+)?$")
_ACTIVE_BEHIND = pattern(r"\s*(?:(?:{provisions.belonging}) [\w ]{1,40}\s)?(?:{provisions.active_behind})\b")
_ABOUT_ITS_BASIS = pattern(r"\b(?:{provisions.basis})\b")
_ASKING = pattern(r"\b(?:{provisions.asking})\b(?:\s+[\w-]+){0,3}")
"""Where the wanted unit is named ("which rule"); "the Gujarat rules" further on only say where to search."""
_OBJECT = pattern(r"\b(?:{provisions.object_asked})\b")
_POINTING = pattern(r"\b(?:{provisions.pointing})\b")
_DOUBLE_NAME = pattern(r"\b[^\W\d_a-zß-ÿ]\w+ (?:{motions.conjunctions}) [^\W\d_a-zß-ÿ]\w+")
_UNDER_IT = pattern(
    r"\b(?:{provisions.carrying_out})(?:\s+(?:{provisions.carrying_out_articles}))?\s*$", re.IGNORECASE
)


def bearing_of(question: str, named: SectionReference) -> Bearing:
    """The bearing of a question that names a provision. Rules implement sections, so a question for rules
    that names a section asks what cites it, and vice versa."""
    wanted = _wanted_kinds(question)
    citing = _asks_what_cites(question, named, wanted)
    points = not citing and wanted <= PROVISIONS and bool(_POINTING().search(fold(question)))
    under = not wanted and bool(_UNDER_IT().search(question[: named.start]))
    return Bearing(citing=citing, wanted=wanted, points=points, under=under)


def _wanted_kinds(question: str) -> frozenset[str]:
    """The kinds of unit the question asks for: nouns not followed by a number."""
    folded = fold(_DOUBLE_NAME().sub(NAMELESS, question))
    asking = _ASKING().search(folded)
    if asking is None:
        return frozenset()
    return frozenset(
        kind
        for kind, nouns in _NOUNS
        for noun in nouns().finditer(folded)
        if asking.start() < noun.start() < asking.end()
    )


def _asks_what_cites(question: str, named: SectionReference, wanted: frozenset[str]) -> bool:
    if wanted and named.kind in ("rule", "form", "annex") and wanted <= {"section"}:
        return False
    if named.kind in ("section", "par") and wanted and wanted <= {"rule", "form", "annex", "regulation"}:
        return True
    folded = fold(question)
    at = len(fold(question[: named.start]))
    before, after = folded[:at].rstrip() + " ", folded[at:]
    if _PASSIVE().search(after) or _PASSIVE().search(before):
        return not _WITHIN().search(before)
    if not _ASKING().search(before) and _ACTIVE_BEHIND().match(fold(question[named.end :])):
        return False
    if _ABOUT_ITS_BASIS().search(folded):
        return False
    return not (_SUBJECT().search(before) or _SUBJECT_OF_WHOM().search(before) or _OBJECT().search(before))


# Terms whose definition is asked for: "What is a promoter?", "Wie ist „Einwilligung“ definiert?".

_LONGEST = 6
_DEFINED = pattern(
    r"^\W*(?:{asked.defining_before})\s+(?P<term>.{2,80}?)(?:\s+(?:{asked.defining_behind}))?\W*$",
    re.IGNORECASE,
)
_UNDER = pattern(r"(?:\s+(?:{scope.sources}|{scope.articles}))+\s*$", re.IGNORECASE)
_BEHIND = pattern(r"[\s\"'“”‘’«»]+(?:\(|(?:{scope.sources})\s)(?=(?P<law>.*))", re.IGNORECASE)
"""Where the name of a law may begin after a term: in brackets, or after "under"."""
_MEANT = pattern(r"\W+(?:{asked.defining_behind})$", re.IGNORECASE)
_QUOTES = " \"'“”„‘’‚«»?!."


def term_of(question: str) -> str | None:
    """The term whose definition `question` asks for, None if it asks for something else."""
    match = _DEFINED().match(question.strip())
    if match is None:
        return None
    term, under_law = _UNDER().subn("", match["term"].strip(_QUOTES))
    term = _MEANT().sub("", term) if under_law else term
    inside = tokens(term)
    while inside and inside[0].folded in words("names.articles"):
        inside = inside[1:]
    return term[inside[0].start : inside[-1].end] if 1 <= len(inside) <= _LONGEST else None


def writings(term: str, names: Collection[str]) -> list[str]:
    """`term`, and the shorter terms that remain if its end names a law: "allottee under the RERA act".
    `names` are the words, folded, that laws are called by."""
    found = [term]
    for law in _BEHIND().finditer(term):
        if {word.folded for word in tokens(law["law"])} <= words("asked.frame").union(names):
            found.append(_MEANT().sub("", term[: law.start()]).rstrip(_QUOTES))
    return [each for each in found if each]
