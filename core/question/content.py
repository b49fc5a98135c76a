"""What a question asks, without the words that only say where to look.

"Wie steht die AfD zu Atomkraft" is searched in the AfD's programme. There the name carries no information;
worse, it attracts covers, prefaces and letterheads, which are all about the name. So names that narrow the
search, and the words around them ("laut", "nach den Plänen der", "2025 programme"), are taken out of what the
encoders see. Measured in `benchmarks/retrieval.py`.
"""

import re
from collections.abc import Collection, Iterable

from core.language.patterns import pattern, words
from core.registry.detection import Detection, nearest_preposition
from core.registry.names import PROGRAMME_WORD, Mention, NameKind

_ARTICLE = r"\b(?:{scope.articles})"
_SOURCE = r"(?:{scope.sources})"
_PLANS = r"(?:{scope.plans})"
_ELECTION = r"(?:{scope.elections})"
_YEAR = r"(?:19|20)\d\d"

_BEFORE = pattern(
    rf"(?:\b{_SOURCE}\s+)?(?:{_ARTICLE}\s+)?(?:\b{_PLANS}\s+)?(?:\b{_SOURCE}\s+)?(?:\b{_ARTICLE}\s+)?$",
    re.IGNORECASE,
)
_AFTER = pattern(
    rf"^(?:['’]s?\b)?(?:-\w*(?:{{scope.plans_in_compounds}})\w*)?(?:\s+(?:{_YEAR}\s+)?{_PLANS}\b)?"
    rf"(?:\s*\(?(?:\b(?:{{scope.before_year}})\s+)?\b{_YEAR}\b\)?)?",
    re.IGNORECASE,
)
_ELECTION_PHRASE = pattern(
    rf"(?:\b(?:{_SOURCE})\s+)?(?:{_ARTICLE}\s+)?\b(?:{_YEAR}\s+(?:{_ELECTION}|{_PLANS})|(?:{_ELECTION}|{_PLANS})\s+"
    rf"(?:(?:{{scope.between_election_and_year}})\s+)?{_YEAR})\b",
    re.IGNORECASE,
)
_EMPTIED = re.compile(rf"\s*\(\s*[,;/]?\s*(?:{_YEAR})?\s*\)")
"""Brackets that contained a name, perhaps with its edition."""

_OF_YEAR = pattern(
    rf"\s*\(\s*(?:(?:{{scope.before_year}})\s+)?(?P<within>{_YEAR})\s*\)"
    rf"|(?:(?:^|\s+)(?:{{scope.before_year}}))?(?:^|\s+)(?P<alone>{_YEAR})(?![\w/–-])",
    re.IGNORECASE,
)
"""A year by itself, not in a range or a number."""

_LEAST_LETTERS = 8
TOPIC_LETTERS = 4
"""Minimum letters of a topic named alone ("Bahn"); a question with so few would not be one."""

_LETTERS = re.compile(r"[^\W\d_]+")


def narrowing_stretches(
    detection: Detection, parties: Collection[str], places: Collection[str], documents: Collection[str] = ()
) -> list[tuple[int, int]]:
    """Where the question names `parties`, `places` and `documents` in its scope, and parties that are not
    registered or not asked. Names that are the topic stay: a compound ("AfD-Verbot"), a place that does
    something ("Wie viele Stimmen hat Bayern?"), and a document that something opposes, or an event."""
    kept = words("names.party_topic") | words("names.event")
    titles = [
        (mention.start, mention.end)
        for mention in detection.titles
        if mention.key in documents and nearest_preposition(mention.before) not in kept
    ]
    strangers = [(stranger.start, stranger.end) for stranger in detection.strangers]
    return (
        titles
        + strangers
        + [*detection.unasked]
        + [
            (mention.start, mention.end)
            for mention in detection.mentions
            if mention.key in (parties if mention.kind is NameKind.PARTY else places)
            and not _about(mention)
            and not (mention.kind is NameKind.PLACE and _acts(mention))
        ]
    )


def _acts(place: Mention) -> bool:
    """Whether a place is the subject of a sentence: next to a verb that takes it as subject."""
    verbs = words("names.beside_subjects")
    return nearest_preposition(place.before) in verbs or (not place.before and place.after in verbs)


def _about(mention: Mention) -> bool:
    return bool(mention.tail) and not PROGRAMME_WORD().search(mention.tail)


def names_only(text: str) -> bool:
    """Whether all words of `text` name something, like keywords: none is an interrogative or merely connects
    names."""
    tying = words("topics.leading") | words("topics.asking") | words("topics.joining")
    return tying.isdisjoint(word.lower() for word in _LETTERS.findall(text))


def content_of(question: str, names: Iterable[tuple[int, int]], *, least: int | None = None) -> str:
    """`question` without the ranges `names` (start, end), the words connecting them, and phrases that name an
    election or edition; the question itself if fewer letters than `least` would be left, by default fewer for
    keywords ("Rente SPD") than for a sentence."""
    text = question
    for start, end in sorted(names, reverse=True):
        if "(" in text[start:end] and ")" not in text[start:end] and text[end : end + 1] == ")":
            end += 1
        text = f"{_BEFORE().sub('', text[:start], count=1)} {_AFTER().sub('', text[end:], count=1)}"
    text = " ".join(_ELECTION_PHRASE().sub(" ", text).split())
    text = _EMPTIED.sub("", re.sub(r"\s+([?!.,;:])", r"\1", text)).lstrip(" ,;:")
    if least is None:
        least = TOPIC_LETTERS if names_only(text) else _LEAST_LETTERS
    return text if sum(letter.isalpha() for letter in text) >= least else question


def without_years(text: str, years: Collection[int]) -> str:
    """`text` without `years` and the words connecting them ("aus 2013", "in 2013"); ranges stay."""
    return _OF_YEAR().sub(
        lambda found: "" if int(found["within"] or found["alone"]) in years else found[0], text
    )
