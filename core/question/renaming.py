"""Names in the place of those of the question before, with the articles, cases and verbs that they take."""

import re
from collections.abc import Sequence

from core.language.languages import of
from core.language.name_forms import Case, case_behind, drawn_together
from core.language.patterns import pattern
from core.registry.detection import Detection, Detector, NameRole
from core.registry.names import Mention, NameKind

_JOINING = pattern(
    r"(?:\s*[,/&])?(?:\s*\b(?:{follow_ups.joining})\b)?(?:\s*\b(?:{follow_ups.joining_articles})\b)?\s*$",
    re.IGNORECASE,
)
_EVERYBODY = pattern(r"\b(?:{follow_ups.everybody})\b", re.IGNORECASE)
ENDING = re.compile(r"(?<![\s?.!])[\s?.!]*$")
_BEFORE = re.compile(r"(?:\b(?P<preposition>[^\W\d_]+) )?\b(?P<article>[^\W\d_]+) $")
_BESIDE = tuple(re.compile(rf"\b(?P<verb>\w+){before} $") for before in ("", r" \w+"))
_BEHIND = re.compile(r"^ (?P<verb>\w+)\b")


def renamed(earlier: str, fresh: Detection, told: str, language: str, names: Detector) -> str:
    """`earlier` with the names of `fresh`, found in `told`, in the place of its own of the same sort."""
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
    """The names of one sort."""
    return [m for m in (*detection.mentions, *detection.titles) if m.kind is kind]


def _distinct(mentions: Sequence[Mention]) -> list[Mention]:
    """One mention for each stretch."""
    return list({(m.start, m.end): m for m in reversed(mentions)}.values())[::-1]


def _name(mention: Mention, told: str, names: Detector) -> str:
    """The registered name, so that it is found again wherever it stands; as written for documents."""
    written = told[mention.start : mention.end]
    return written if mention.kind is NameKind.DOCUMENT else names.called(mention.key)


def with_names(
    earlier: str,
    kind: NameKind,
    keys: Sequence[str],
    called: Sequence[str],
    fresh: Detection,
    language: str,
    names: Detector,
) -> str:
    """`earlier` with the names `called` (by `keys` in the registry) in the place of its own of that sort, at
    its end where it has none."""
    old = _replaceable(kind, names.detect(earlier), fresh)
    if not old and kind is NameKind.PARTY and (everybody := _EVERYBODY().search(earlier)):
        return _of_these(earlier, everybody.span(), keys, language, names)
    if not old:
        return ENDING.sub(f" {where(kind, _enumerated(called, language), language)}?", earlier)
    for mention in old[:0:-1]:
        earlier = _JOINING().sub("", earlier[: mention.start]) + earlier[mention.end :]
    before, behind = earlier[: old[0].start], earlier[old[0].end :]
    if kind is not NameKind.PARTY:
        return f"{before}{_enumerated(called, language)}{behind}"
    plural = len(keys) > 1 or names.party_forms(keys[0], language).plural
    before, behind = _agreeing(before, behind, language, plural=plural)
    before, called = _behind_article(before, old[0].key, keys, language, names) or (before, called)
    return f"{before}{_enumerated(called, language)}{behind}"


def _of_these(
    earlier: str, everybody: tuple[int, int], keys: Sequence[str], language: str, names: Detector
) -> str:
    """A question of all parties as one of the parties `keys`."""
    forms = [names.party_forms(key, language) for key in keys]
    start, end = everybody
    before, behind = _agreeing(
        earlier[:start], earlier[end:], language, plural=len(forms) > 1 or forms[0].plural
    )
    return f"{before}{_enumerated([each.cases[Case.NOMINATIVE] for each in forms], language)}{behind}"


def _enumerated(called: Sequence[str], language: str) -> str:
    last = f" {of(language).follow_ups.conjunction} ".join([", ".join(called[:-1]), called[-1]])
    return last if len(called) > 1 else called[0]


def _agreeing(before: str, behind: str, language: str, *, plural: bool) -> tuple[str, str]:
    """What stands before and behind the names, with the verb beside them in the number that they need."""
    pairs = [pair.split(" = ") for pair in of(language).follow_ups.verbs]
    agreed = {form: pair[plural] for pair in pairs for form in pair}
    for text, beside in ((before, _BESIDE[0]), (before, _BESIDE[1]), (behind, _BEHIND)):
        found = beside.search(text)
        verb = agreed.get(found["verb"].lower()) if found else None
        if found and verb:
            written = verb.capitalize() if found["verb"][0].isupper() else verb
            changed = f"{text[: found.start('verb')]}{written}{text[found.end('verb') :]}"
            return (changed, behind) if text is before else (before, changed)
    return before, behind


def _behind_article(
    before: str, old: str, new: Sequence[str], language: str, names: Detector
) -> tuple[str, Sequence[str]] | None:
    """What stands before the parties `new` in the place of `old`, and `new` with the articles that they take
    there; None where `old` has none."""
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
    """The mentions that give way: those that say where to look rather than what is spoken of. A place to
    look in does not take the place of one that is spoken of."""
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
    """Names as those of where to look: "in Gujarat", "laut SPD"."""
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
