"""To whom an alleged quote is attributed, judging by the text before it ("NAME:", "laut NAME") or after it
("(NAME)", "sagt NAME").

Only texts are read here; checking whether the registry has a name is up to the caller.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from core.domain.answers import LeftOut
from core.domain.documents import DocumentType
from core.evidence.guards import is_negation
from core.evidence.left_out import leads_into
from core.evidence.skeleton import skeleton
from core.evidence.text import OPENING, tokens_of
from core.language.patterns import pattern, words
from core.registry.names import fold, tokens

MOST_WORDS, LONGEST = 6, 80
"""Maximum words and characters of a name."""

_MOST_BEFORE = 14
"""Maximum words before a quote; more are a separate text."""
_MOST_BEFORE_UNSURE = 5
"""The same if the preceding words may be part of the quote."""
LEAST_QUOTED, _MOST_BEHIND = 3, 6
"""Minimum words of a quote followed by an attribution, which may have as many words as the quote, or this
many."""
_MOST_SMALL = 2
"""Maximum words of a name in lower case."""

_WORD = re.compile(r"[^\W_]+(?:[-–&/.][^\W_]+)*")
_PARTING = re.compile(r"[^\w\s'’.]")
_BEHIND = ".,;:!?…)"
_EDGES = " \n\t.,!?…()[]–—-"
_STOPS = " \n\t.,;:!?…"
_SIGNING = tuple("([–—-")
"""What precedes the name of the person or party quoted."""
_COLON = re.compile(r"(?s)([^:]*+(?::(?!\s)[^:]*+)*+):\s+(.*)")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_BRACKETS = {")": "(", "]": "["}
_DASHED = re.compile(r"(?:\s[–—-]{1,2}\s*|\n\s*[–—-]{1,2}\s*)(?=\S)")
_SOURCE = re.compile(
    r"(?<=\S)\s+"
    r"(?:[(\[]?(?:Quelle|Nachweis|Fundstelle|Beleg|[Zz]it(?:iert|\.) nach|[Ss]ource)\s?:|\|)\s+(?=\S)"
)
_CORRECTED = re.compile(
    r"\W*(?:nicht|not|non|pas|ce n['’]est pas)\b[^:]*?,?\s(?:sondern|but|mais)\s(?P<other>[^:]+)",
    re.IGNORECASE,
)
_DESPITE = pattern(
    r"^\s*(?:{attribution.despite})\b(?:[^,:;]{1,60},\s*|[^,:;]{1,60}?\s(?=(?:{voices.saying})\b))"
    r"|(?<=\S)\s(?:{attribution.despite})(?:\s\w+){1,3}\s*$",
    re.IGNORECASE,
)
_HEDGED = pattern(r"\b(?:{attribution.hedging})(?!\w),?\s*", re.IGNORECASE)
_SAYS_MOST = pattern(
    r"^\s*(?:{attribution.nobody})\b[^:;,]{0,30}?\b(?:{voices.saying})\b[^:;,]{0,30}?\b(?:{attribution.as_much_as})\s",
    re.IGNORECASE,
)
_COUNTERS = pattern(
    r"\b(?:{attribution.countering})\b(?!\s+sich\b)(?P<between>[^:;,]*?)\s(?:{attribution.countering_ends})\s*$"
)
_LONGEST_DENIAL = 100
"""Maximum characters before a party that are read for what says that it is not meant."""
_NOT_OF = pattern(
    r"(?<!\w)(?:{attribution.not_of})(?:\s+(?:{attribution.not_of_behind})(?!\w)|\s*(?<=['’]))*\s*$",
    re.IGNORECASE,
)
_EITHER_OF = pattern(r"(?<!\w)(?:{attribution.either_of})(?!\w)", re.IGNORECASE)
_CLAUSE_ENDS = pattern(r"[,;:.!?–—]\s+|\s-\s+|(?<!\w)(?:{attribution.but})(?!\w)", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[.!?]\s+(?=[^\W\d_])")
_JOINED = re.compile(r"[\s,]*(?:\b(?:und|and|et|oder|or|ou)\b)?[\s,]*$", re.IGNORECASE)
_NOT_BEFORE = (
    "in",
    "an",
    "zu",
    "auf",
    "mit",
    "von",
    "bei",
    "aus",
    "vor",
    "laut",
    "für",
    "nach",
    "über",
    "unter",
)
_ADDRESSED = pattern(
    "".join(rf"(?<!\b{word})" for word in (*_NOT_BEFORE, "durch", "gegen", "wegen", "neben"))
    + r"\s(?:{attribution.addressed})\s*$",
    re.IGNORECASE,
)
_LISTS = ("attribution.around", "attribution.papers", "names.articles", "names.frame", "topics.asking")
_LABEL = pattern(r"(?:{attribution.labels})(?:(?<=\s)|\b).*", re.IGNORECASE)
_TITLED = pattern(r"\b(?:{attribution.titled})\s+(?-i:[A-ZÄÖÜÉÈ])", re.IGNORECASE)
_BODY = pattern(r"(?:{attribution.bodies})(?:en|e|s|es|n)?\b", re.IGNORECASE)
_SAYING = pattern(r"\b(?:{voices.saying}|{attribution.standing})\b", re.IGNORECASE)
_AND_SAYS = pattern(
    r"\b(?:{attribution.linking})\s+(?:{voices.saying}|{attribution.standing})\b", re.IGNORECASE
)
_TURNING = pattern(r"\b(?:{attribution.turning})\b")
_TURNING_WHOEVER = pattern(r"{attribution.turning_whoever}")
_REJECTS = pattern(r"\b(?:{attribution.rejecting})\s+(?:\w{1,5}\s)?(?P<thing>[^\W\d]{4,})", re.IGNORECASE)
_ENDING = re.compile(r"(?:ungen|ung|en|e|s|n)$")
_LEAST_STEM = 4
_KINDS = {
    DocumentType.COALITION_AGREEMENT: pattern("{document_types.coalition_agreement}"),
    DocumentType.BASIC_PROGRAMME: pattern("{document_types.basic_programme}"),
    DocumentType.MANIFESTO: pattern("{document_types.manifesto}"),
}
_ASKED = re.compile(r"([“”\"»«])\s*\?+\s*$")
"""The question mark after a quote, if the question asks whether it is real."""
_ASKS = re.compile(r"(?:ist|sind|war|is|are|was|est|sont)\b", re.IGNORECASE)
_EITHER = re.compile(r"\b(?:oder|or|ou)\b|\?", re.IGNORECASE)

_LAW_ON = re.compile(
    r"\b(?P<kind>\w+)\s+(?:sur|relati\w+\s+(?:à|aux?)|du|de|des|on|of|about|concerning|über)\s+"
    r"(?:(?:la|le|les|the|die|das|den)\s+|l['’]\s?)?(?P<matter>[^\W\d]{4,})",
    re.IGNORECASE,
)
_TITLE_WORD = re.compile(r"[^\W_]+(?:[-/.’'][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class LedIn:
    """The text before an alleged quote (after it if `behind`), and the quote. `sure`: a colon and quotation
    marks separate them; otherwise that text may as well belong to the quote ("Wohnen: ...")."""

    before: str
    words: str
    sure: bool
    behind: bool = False


def framings(text: str) -> Iterator[LedIn]:
    """The ways to split `text` into a quote and an introduction or a following attribution; none if it is
    just a quote."""
    for led in (_led_in(text), _led_out(text.strip())):
        if led is not None:
            yield led


def _led_out(text: str) -> LedIn | None:
    end = max((n for n, letter in enumerate(text) if letter in OPENING), default=0)
    quote, after = text[: end + 1], text[end + 1 :]
    if text.startswith(OPENING) and after.strip(_EDGES) and after[0] not in ":;":
        quoted_count, after_count = (len(_WORD.findall(each)) for each in (quote, after))
        is_single = quoted_count >= LEAST_QUOTED and not any(mark in quote[1:-1] for mark in OPENING)
        signed = after.lstrip(_STOPS).startswith(_SIGNING)
        named = is_single and after_count <= (_MOST_BEFORE if signed else max(quoted_count, _MOST_BEHIND))
        return LedIn(_bare(after), quote, sure=signed, behind=True) if named else None
    if text.startswith(OPENING):
        return None
    return _in_brackets(text) or _raised(text) or _behind_source(text) or _behind_dash(text)


def _in_brackets(text: str) -> LedIn | None:
    """`text` without the bracket at its end."""
    whole = text.rstrip(_STOPS)
    if whole[-1:] not in _BRACKETS:
        return None
    closing, depth = whole[-1], 0
    for at in range(len(whole) - 1, 0, -1):
        depth += (whole[at] == closing) - (whole[at] == _BRACKETS[closing])
        if not depth:
            words, inner = whole[:at].rstrip(), whole[at + 1 : -1].strip()
            inside = inner if closing == ")" else f"[{inner}]"
            is_bracketed = words and inner and "\n" not in inner
            return LedIn(inside, words, sure=words.endswith(OPENING), behind=True) if is_bracketed else None
    return None


def _raised(text: str) -> LedIn | None:
    """`text` without the footnote mark at its end."""
    words = text.rstrip(_RAISED)
    return LedIn(text[len(words) :], words, sure=False, behind=True) if words not in ("", text) else None


def _behind_source(text: str) -> LedIn | None:
    """`text` without what is marked at its end as its source ("Source: ...", "| title | p. 1")."""
    source = _SOURCE.search(text)
    if source is None or len(_WORD.findall(text, source.end())) > _MOST_BEFORE:
        return None
    return LedIn(text[source.end() :].strip(_EDGES), text[: source.start()].rstrip(), sure=False, behind=True)


def _behind_dash(text: str) -> LedIn | None:
    """`text` without what follows its last dash."""
    dashes = [*_DASHED.finditer(text)]
    if not dashes or len(_WORD.findall(text, dashes[-1].end())) > _MOST_BEFORE:
        return None
    after = text[dashes[-1].end() :].strip(_EDGES)
    return LedIn(after, text[: dashes[-1].start()].rstrip(), sure=False, behind=True) if after else None


def _bare(behind: str) -> str:
    """The text after a quote, without its bracket or leading dash."""
    inner = behind.strip().rstrip(_STOPS)
    if inner[:1] == "(" and inner[-1:] == ")":
        return inner[1:-1].strip()
    return inner.lstrip(" \n\t.,!?…–—-").rstrip(" \n\t,–—-")


def _led_in(text: str) -> LedIn | None:
    at = next((n for n, letter in enumerate(text) if letter in OPENING), len(text))
    before, marked = text[:at].strip(), text[at:].strip()
    if before and marked and _is_closed(marked):
        return LedIn(before.rstrip(" :,"), _ASKED.sub(r"\1", marked), sure=before.endswith(":"))
    led = _COLON.fullmatch(text)
    if led is None or not led[1].strip() or any(mark in led[1] for mark in OPENING):
        return None
    return LedIn(led[1].strip(), led[2].strip(), sure=led[2].strip().startswith(OPENING))


def turns(around: str, *, behind: bool) -> bool:
    """Whether the text around a quote, after (`behind`) or before it, says that somebody denies, rejects or
    opposes it, or that it is false, without asking whether it is. Known names are left out of `around`."""
    around_words = [word.folded for word in tokens(around)]
    if any(is_negation(skeleton(word[0])) for word in _WORD.finditer(around)):
        return True
    false = not words("attribution.untrue").isdisjoint(around_words)
    if false and (_EITHER.search(around) or (not behind and _ASKS.match(around.strip()))):
        return False
    denied = leads_into(tokens_of((word, False, False) for word in around.split())) is LeftOut.DENIES
    return false or denied or _TURNING().search(" ".join(around_words)) is not None


def turns_whoever(around: str) -> bool:
    """Whether `around`, without known names, certainly denies the quote, whoever is named: "removed from the
    programme of X", "critics of X say"."""
    return _TURNING_WHOEVER().search(" ".join(word.folded for word in tokens(around))) is not None


def rejects_the_same(before: str, words: str) -> bool:
    """Whether the words before a quote reject what the quote itself rejects: "X is against tolls: 'We want no
    tolls'"."""
    found = _REJECTS().search(before)
    if found is None or any(is_negation(skeleton(word[0])) for word in _WORD.finditer(before)):
        return False
    skeletons = [skeleton(word[0]) for word in _WORD.finditer(words)]
    thing = _ENDING.sub("", skeleton(found["thing"]))
    same = len(thing) >= _LEAST_STEM and any(word.startswith(thing) for word in skeletons)
    return same and any(map(is_negation, skeletons))


def kind_in(text: str) -> DocumentType | None:
    """The kind of parties' papers that `text` names."""
    kinds = (DocumentType.COALITION_AGREEMENT, DocumentType.BASIC_PROGRAMME, DocumentType.MANIFESTO)
    return next((kind for kind in kinds if _KINDS[kind]().search(text.lower())), None)


def says_only_whose(around: str) -> bool:
    """Whether `around` contains only words that accompany names."""
    return all(not _is_other(word) for word in _parts(around))


def is_frame(around: str) -> bool:
    """Whether the text around a quote, without known names, only says whose it is: names, words that
    accompany them, and one further word, which may say how it was said, or that it was said if otherwise
    there are only known names. An independent sentence that the quote continues ("X buys it, for") does not
    count."""
    parts = _parts(around)
    others = [word for word in parts if _is_other(word) and not word[0].isupper()]
    if len(_WORD.findall(around)) > _MOST_BEFORE or len(others) > 1:
        return False
    says = _SAYING().search(around) is not None
    if not says and parts and fold(parts[-1]) in words("attribution.joining"):
        return False
    if not others:
        return True
    alone = not any(_is_other(word) and word[0].isupper() for word in parts)
    return not _AND_SAYS().search(around) and (says or alone)


def _parts(around: str) -> list[str]:
    """The words of `around` without numbers."""
    return [word[0] for word in _WORD.finditer(around) if not word[0].isdigit()]


def corrected(before: str) -> str:
    """The attribution stripped of hearsay ("allegedly"), of a name corrected first ("nicht X, sondern Y"), in
    spite of what, to whom, and how much more clearly than others."""
    before = _HEDGED().sub("", before)
    if found := _CORRECTED.match(before):
        return found["other"].strip()
    if not before.strip() or not (_SAYING().search(before) or _COUNTERS().search(before)):
        return before
    speaker = _SAYS_MOST().sub("", _DESPITE().sub("", before, count=1), count=1)
    speaker = _ADDRESSED().sub("", _COUNTERS().sub(r"sagt\g<between>", speaker))
    return speaker.strip() or before


def of_speaker(before: str, parties: Sequence[tuple[int, int]]) -> str:
    """`before`, the text before a quote, without what it says of those of `parties` (start, end; in order)
    that did not say the words: "X, not Y", "X is against it, but Y:". Unchanged if nobody is left."""
    said = [each for each in parties if _denied_from(before, each[0]) is None]
    if not said or len(parties) < 2:
        return before
    gone = [each for each in parties if each not in said]
    sentences = [end.end() for end in _SENTENCE_ENDS.finditer(before) if end.end() <= said[0][0]]
    if gone and sentences and all(each[1] <= sentences[-1] for each in gone):
        return before[sentences[-1] :]
    if len(said) < 2 or not _is_apart(before[said[-2][1] : said[-1][0]]):
        return _without_parties(before, gone)
    ends = [end.end() for end in _CLAUSE_ENDS().finditer(before)]
    first = max((end for end in ends if end <= parties[0][0]), default=0)
    cut = max(end for end in ends if said[-2][1] < end <= said[-1][0])
    rest = _without_parties(before[cut:], [(start - cut, end - cut) for start, end in gone if start >= cut])
    return f"{before[:first]}{rest}"


def is_either(text: str, parties: Sequence[tuple[int, int]]) -> bool:
    """Whether `text` names `parties` (start, end) as those of which one said something: "X or Y?"."""
    between = [text[one[1] : other[0]] for one, other in pairwise(sorted(parties))]
    return bool(between) and any(_EITHER_OF().search(each) for each in between)


def _is_apart(between: str) -> bool:
    """Whether two parties are in different clauses."""
    others = sum(_is_other(word[0]) for word in _WORD.finditer(between))
    return others > 0 and bool(_CLAUSE_ENDS().search(between))


def _denied_from(text: str, start: int) -> int | None:
    """Where the words begin that say that whoever is named from `start` on is not meant; None without any."""
    first = max(0, start - _LONGEST_DENIAL)
    found = _NOT_OF().search(text[first:start])
    return first + found.start() if found else None


def _without_parties(text: str, parties: Sequence[tuple[int, int]]) -> str:
    """`text` without `parties` and what says that they are not meant."""
    for start, end in sorted(parties, reverse=True):
        denied = _denied_from(text, start)
        begin = start if denied is None else denied
        first = max(0, begin - _LONGEST_DENIAL)
        text = f"{text[:first]}{_JOINED.sub('', text[first:begin])} {text[end:]}"
    return text


def name_in(led: LedIn, before: str) -> str:
    """The name to which the words are attributed, as written in `before`, the text before a quote without
    known names. Empty if there is none."""
    all_words = [*_WORD.finditer(before)]
    most = _MOST_BEFORE if led.sure else _MOST_BEFORE_UNSURE
    if len(_WORD.findall(led.before)) > most:
        return ""
    if not any(letter.isupper() for letter in led.before):
        others = [word for word in all_words if _is_other(word[0]) and not word[0].isdigit()]
        return _spelt(before, others) if len(others) <= _MOST_SMALL else ""
    return _spelt(before, max(_runs(before, all_words), key=len, default=[]))


def _runs(before: str, found: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Runs of capitalised words, with the small words that occur inside names. A first word is capitalised
    anyway: before an unknown verb it is not a name."""
    runs: list[list[re.Match[str]]] = [[]]
    for number, word in enumerate(found):
        large = word[0][0].isupper() or word[0][0].isdigit()
        following = found[number + 1][0] if number + 1 < len(found) else ""
        begins = number == 0 and following[:1].islower() and _is_other(following)
        if number and _PARTING.search(before, found[number - 1].end(), word.start()):
            runs.append([])
        if _is_other(word[0]) and large and not begins:
            runs[-1].append(word)
        elif not (runs[-1] and fold(word[0]) in words("registered.links")):
            runs.append([])
    return [run for run in runs if run and not all(word[0].isdigit() for word in run)]


def _spelt(text: str, name: list[re.Match[str]]) -> str:
    spelt = text[name[0].start() : name[-1].end()] if name else ""
    return spelt if len(name) <= MOST_WORDS and len(spelt) <= LONGEST else ""


def _is_other(word: str) -> bool:
    """Whether `word` is not one that accompanies names."""
    return fold(word) not in _around()


@cache
def _around() -> frozenset[str]:
    return frozenset(fold(word) for name in _LISTS for word in words(name))


def names_paper(text: str) -> bool:
    """Whether `text` has a word for documents that are identified by year."""
    return not words("attribution.papers").isdisjoint(word.folded for word in tokens(text))


def law_in(text: str) -> str:
    """The name of a law by its subject, in lower case ("loi sur la pêche"); "" if there is none."""
    for found in _LAW_ON.finditer(text):
        if fold(found["kind"]) in words("attribution.papers") and not says_only_whose(found["matter"]):
            return found[0]
    return ""


def titles_in(text: str) -> Iterator[str]:
    """Possible document titles in `text`, longest first: runs of capitalised words, with the small words that
    occur inside names; in lower-case text, all words that don't accompany names."""
    title_words = list(_TITLE_WORD.finditer(text))
    links = words("registered.links") | words("names.articles")
    runs: list[list[re.Match[str]]] = [[]]
    for word in title_words:
        apart = runs[-1] and re.search(r"[^\w\s'’.&-]", text[runs[-1][-1].end() : word.start()])
        if apart:
            runs.append([])
        if word[0][0].isupper() or (runs[-1] and fold(word[0]) in links):
            runs[-1].append(word)
        else:
            runs.append([])
    for run in sorted(filter(None, runs), key=len, reverse=True):
        while run and (run[-1][0][0].islower()):
            run.pop()
        for first in range(len(run)):
            named = run[first:]
            if any(not says_only_whose(word[0]) for word in named):
                yield text[named[0].start() : named[-1].end()]
    small = [word[0] for word in title_words if not says_only_whose(word[0])]
    if small and not any(word[0][0].isupper() for word in title_words):
        yield " ".join(small)


def _is_closed(marked: str) -> bool:
    """Whether a quote that begins with a quotation mark is complete: another mark ends it, or there is no
    other."""
    return marked.rstrip(_BEHIND).endswith(OPENING) or not any(mark in marked[1:] for mark in OPENING)


def names_speaker(text: str) -> bool:
    """Whether `text` has a word for a body that can say something ("Rechnungshof"), or one that stands before
    the name of a person."""
    return _BODY().search(text) is not None or _TITLED().search(text) is not None


def is_label(before: str) -> bool:
    """Whether the text before a quote only says what it is about, or its number ("Core demand:", "On
    pensions:", "Social justice:"), and not whose words follow."""
    lead_in = before.strip(_EDGES + ":")
    if says(lead_in) or len(lead_in.split()) > MOST_WORDS or names_speaker(lead_in):
        return False
    return _LABEL().fullmatch(lead_in) is not None


def says(text: str) -> bool:
    """Whether `text` has a word for saying, or for being written somewhere."""
    return _SAYING().search(text) is not None
