"""Alleged quotes: whose words they are said to be, by options or by what stands before or behind them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.library.scoping import KnownNames
from core.answering.quote_check import QuoteCheck
from core.answering.quote_places import WRITTEN, Claimed
from core.domain.documents import Document
from core.domain.ids import DocumentId
from core.domain.registry import Registry
from core.evidence.speech import OPENING
from core.registry.attribution import LedIn, corrected, is_frame, led_in, name_in
from core.registry.detection import Detection, Detector, NameRole
from core.registry.names import fold, replaced, tokens
from core.registry.registry import Suggestions, expand_party, find_party, named_party

_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_SECTION = re.compile(
    r"(?:§|Art\.?|Artikel|Article|Section|Sec\.?|Abschnitt|Rule|Regel|Paragraph|Paragraf)\s*(\d{1,4}[a-z]?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alleged:
    """The words of an alleged quote and what is claimed of them. `before` is what was written before them, or
    all of it where a name stands behind them, where that may be a part of them."""

    words: str
    claimed: Claimed = field(default_factory=Claimed)
    before: str = ""


def alleged(text: str, names: KnownNames, documents: Sequence[Document]) -> Alleged:
    """What `text` alleges: a quote, and whose it is ("SPD: ...", "Die SPD schreibt: „...“"), by the registry
    or one of `documents`. What leads in to words between quotation marks is none of them."""
    led = led_in(text)
    if led is None:
        return Alleged(words=text)
    led = replace(led, before=corrected(led.before))
    named = Detector(names.registry, documents).detect(led.before).names
    if not is_frame(led.before, replaced(led.before, named, " ")):
        return Alleged(words=text)
    section = _SECTION.fullmatch(led.before)
    if section:
        return Alleged(words=led.words, claimed=Claimed(section=section[1].casefold()), before=led.before)
    claimed = _of_edition(led, _claimed(led, names, documents), documents)
    if led.behind:
        return _with_behind(text, led, claimed)
    if claimed == Claimed() and not led.sure:
        return Alleged(words=text)
    sure = led.sure or _is_registered(led.before, names.registry)
    return Alleged(words=led.words, claimed=claimed, before="" if sure else led.before)


def _of_edition(led: LedIn, claimed: Claimed, documents: Sequence[Document]) -> Claimed:
    """The claim, of the edition of a year where one is named beside a party."""
    years = {int(year) for year in _YEAR.findall(led.before)}
    own = [each for each in documents if set(each.fields.parties) & set(claimed.parties)]
    if not years or not own:
        return claimed
    meant = tuple(each.id for each in own if not _years(each) or _years(each) & years)
    return replace(claimed, documents=meant) if meant else Claimed(unknown=led.before)


def _years(document: Document) -> set[int]:
    fields = document.fields
    titled = {int(year) for year in _YEAR.findall(fields.title)}
    return titled or ({fields.valid_from.year} if fields.valid_from else set())


def _with_behind(text: str, led: LedIn, claimed: Claimed) -> Alleged:
    """Words behind a quote: only what signs it may be a name that nobody knows."""
    if led.sure:
        return Alleged(words=led.words, claimed=claimed)
    known = Claimed() if claimed.unknown else claimed
    if known == Claimed() and not text.strip().startswith(OPENING):
        return Alleged(words=text)
    return Alleged(words=led.words, claimed=known, before=text)


def claimed_by(name: str, names: KnownNames) -> Claimed:
    """What naming `name` claims: a party, a place, or somebody whom the library does not know."""
    party = find_party(names.registry, name)
    if not isinstance(party, Suggestions):
        return Claimed(parties=expand_party(names.registry, party.name))
    if names.places.names_one(name):
        return Claimed(jurisdictions=(names.jurisdiction(name),))
    return Claimed(unknown=name, similar=party.names)


def is_one_quote(before: str, check: QuoteCheck) -> bool:
    """Whether `check`, of words with what was written `before` them, shows that this is the beginning of the
    quote: it stands there, too."""
    begins = check.wording[0] if check.wording else None
    stands = (
        begins is not None and begins.claimed is None and len(begins.source.split()) >= len(before.split())
    )
    return check.verdict in WRITTEN or stands


def _claimed(led: LedIn, names: KnownNames, documents: Sequence[Document]) -> Claimed:
    party = named_party(names.registry, led.before)
    if party is not None:
        return Claimed(parties=expand_party(names.registry, party.name))
    found = Detector(names.registry, documents).detect(led.before)
    if found.parties:
        return _of_parties(found, names)
    if titled := found.documents or _titled(led.before, documents):
        return Claimed(documents=titled)
    others = name_in(led, replaced(led.before, found.names, " "))
    if others:
        return claimed_by(others, names)
    return Claimed(jurisdictions=tuple(place.key for place in found.places))


def _is_registered(name: str, registry: Registry) -> bool:
    """Whether `name` is that of a party or of a place with a row of its own: no common word."""
    places = {fold(each) for row in registry.jurisdictions for each in (row.name, *row.aliases)}
    return fold(name) in places or named_party(registry, name) is not None


def _titled(name: str, documents: Sequence[Document]) -> tuple[DocumentId, ...]:
    """The documents with `name`, of two words at least, in their title: editions of a series have no short
    name that is known."""
    words = [word.folded for word in tokens(name)]
    part = " ".join(words)
    titles = {each.id: " ".join(word.folded for word in tokens(each.fields.title)) for each in documents}
    return tuple(key for key, title in titles.items() if len(words) > 1 and f" {part} " in f" {title} ")


def _of_parties(found: Detection, names: KnownNames) -> Claimed:
    parties = (name for each in found.parties for name in expand_party(names.registry, each.key))
    places = (each.key for each in found.places if each.role is not NameRole.TOPIC)
    return Claimed(parties=tuple(dict.fromkeys(parties)), jurisdictions=tuple(places))
