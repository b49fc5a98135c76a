"""Who is named as the speaker: the document's own party, or somebody else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.language.patterns import pattern

_I = re.IGNORECASE
_CAPITAL = "[A-ZÄÖÜÉ]"
_OURS = pattern(r"\b(?:{voices.ourselves})\b", _I)
_MINE = pattern(r"\b(?:{voices.singular})\b", _I)
_SPEAKS = pattern(r"\b(?:{voices.saying})\b(?!-)", _I)
_OTHERS = pattern(r"\b(?:{voices.others})", _I)
_OTHERS_SPEAK = pattern(
    r"\b(?:{voices.others})\w*(?:\s+[\w,'’()/-]+){0,5}?\s+(?:{voices.saying}|{voices.wanting})\b"
    r"|\b(?:{voices.saying}|{voices.wanting})\s+(?:\w+\s+){0,2}(?:{voices.others})",
    _I,
)
_OUR_OTHERS = pattern(r"\b(?:{voices.our})\s+(?:\w+\s+)?(?:{voices.others})", _I)
_WANTS = pattern(r"\b(?:{voices.wanting})\b")
_PLAIN = pattern(r"^\W*(?:{voices.plain_frames})\W*$|\b(?:{voices.agreeing})\b", _I)
_THING = pattern(r"^\W*(?:{voices.things})\b", _I)
_NUMBER = r"(?:^|[:–—-]\s)\W*(?:\d+(?:\.\d+)*\.?\s+)?"
_REJECTING = pattern(_NUMBER + r"(?:{voices.rejecting_headings})", _I)
_TESTIMONY = pattern(_NUMBER + r"(?:{voices.testimony_headings})", _I)
_UNTRUTH = pattern(r"\b(?:{voices.untruths})\b", _I)
_DROPPED = pattern(
    _NUMBER + r"(?:{voices.dissents})"
    r"|(?:[:–—(/]\s*|\s-\s|\b(?:{voices.motions})\w*\s(?:.*\s)?)(?:{voices.dropped})\W*$",
    _I,
)
_REPLIES = pattern(r"\w\W+(?:{voices.replies})", _I)
_OPPOSING = pattern(r"\b(?:{voices.opposing})\b", _I)
_EXPOSING = pattern(r"\b(?:{voices.exposing})\b", _I)
_ASKING = pattern(_NUMBER + r"(?:{voices.asking})\b", _I)
_OBLIGING = pattern(r"\b(?:{voices.obliging})\b", _I)
_SOMEBODY = r"(?:(?!(?:{voices.anybody}))(?:{voices.others})\w*|{voices.coalitions})"
_SOMEBODY_IN_HEADING = pattern(rf"\b(?:{_SOMEBODY}|(?:{{voices.others}}))", _I)
_SAYS_OR_WANTS = pattern(r"\b(?:{voices.saying}|{voices.wanting}|{voices.stances})\b", _I)
_PLANS = pattern(r"\b(?:{voices.planning})\b")
_CLAIM_OF = pattern(
    rf"\b(?:{{voices.claims}})\s+(?:{{voices.belonging}})\s*(?:[\w'’-]+\s+){{0,2}}?{_SOMEBODY}"
    rf"|\b{_SOMEBODY}(?:['’]s?)?\s+(?:{{voices.claims}})\b",
    _I,
)
_CLAIM = pattern(r"\b(?:{voices.claims})\s+(?:{voices.belonging})\s*(?:[\w'’-]+\s+){0,2}?", _I)
_TOLD_US = pattern(r"\W*\b(?:{voices.told_us})\b", _I)
"""Phrases for something "we" are told, which is not our own view."""
_OUR_POSITION = pattern(r"\W*(?:{voices.our})\s+(?P<position>(?:{voices.claims}|{voices.positions}))\b", _I)
_INFINITIVE = re.compile(r"\s[a-zäöüß]+(?:e[lr]?n|tun)\W*$")
_BODY = pattern(r"\b(?:{voices.own_bodies})\b", _I)
_ROLE = pattern(
    r"\b(?:{voices.own_roles})\w*\b(?!\s+(?:der|des|von|of|de|du|d['’])\s*(?:the\s+)?" + f"(?-i:{_CAPITAL}))",
    _I,
)
_GENERIC = pattern(r"(?:{voices.party_nouns})", _I)
_PARTY = pattern(r"(?:^|(?<=\s))\w*(?:{voices.collectives})(?!\w)", _I)
_INITIALS = re.compile(r"\b(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])[A-ZÄÖÜ]\w{2,5}\b(?!-)")
"""Matches a name made of initials: "FDP", "AfD"."""
_WORD = re.compile(r"[^\W\d_]\w*")
_WE = pattern(r"\b(?:{refutations.we})\b", _I)
_READS = pattern(r"\b(?:{refutations.reading})\W*$", _I)
_ABOUT = re.compile(r"\b(?:über|about|on|sur|zu|gegen|against|contre|around|rund um)\b", re.IGNORECASE)
_NAMED_PARTY = re.compile(
    r"[\w-]+ (?:Party|List)\b|[\w-]*(?:partei|liste|party)\b|\b\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*\b"
)
_FRAME = re.compile(r"(?P<frame>[^:„“”\"»«?!]{3,160}?)\s?:(?:\s+(?P<said>\S.*))?", re.DOTALL)
_FRAME_WORDS = 20
_QUOTATION_MARKS = "„“”\"»«‚‘'’‟"
_INFLECTION = 2
"""Letters that inflection may add to a name."""
_STEM = 4
"""Letters shared by inflected forms of a word."""


def own_names(parties: Sequence[str], title: str) -> tuple[str, ...]:
    """The words by which a document of `parties` refers to them, casefolded; if no parties are known, those
    in its `title`. A name made of words common to many parties is one phrase."""
    if not parties:
        head = title.partition(":")[0]
        parties = [head] if len(head.split()) <= 2 else _NAMED_PARTY.findall(title)
    found: dict[str, None] = {}
    for name in parties:
        for part in name.split("/"):
            words = [word for word in _WORD.findall(part) if word != word.lower() and len(word) > 1]
            telling = [word for word in words if not _GENERIC().fullmatch(word)]
            found |= dict.fromkeys(word.casefold() for word in telling or [part.strip()])
    return tuple(found)


def is_of_others(text: str) -> bool:
    """Whether a sentence reports what others say or want."""
    return bool(_OTHERS_SPEAK().search(text)) and not is_in_our_name(text)


def is_named_other(name: str) -> bool:
    """Whether a name refers to others ("the mayor", "FDP")."""
    return bool(_SOMEBODY_IN_HEADING().search(name) or _INITIALS.search(name)) and not is_in_our_name(name)


def is_party(name: str) -> bool:
    """Whether a name is that of others, or made as parties' are ("Küstenliste")."""
    return is_named_other(name) or bool(_PARTY().search(name))


def is_in_our_name(text: str) -> bool:
    """Whether a sentence is about "us", and not "our opponents"."""
    return bool(_OURS().search(_OUR_OTHERS().sub("", text)))


@dataclass(frozen=True, slots=True)
class Speakers:
    """Distinguishes the document's own voice from others'. `names` come from `own_names`; `capitals`: a
    sentence after a colon begins with a capital, as in German."""

    names: tuple[str, ...]
    capitals: bool = False

    def is_own(self, text: str) -> bool:
        """Whether the speaker is the document's own party or speaks for it ("our candidate")."""
        words = [word for word in _WORD.findall(text) if word != word.lower()]
        own = [word for word in words if self._names(word)]
        if any(word not in own for word in _INITIALS.findall(text)):
            return False
        folded = text.casefold()
        return bool(own or _ROLE().search(text) or any(n in folded for n in self.names if " " in n))

    def is_named(self, text: str) -> bool:
        """Whether `text` names the document's own party, also in capitals."""
        folded = text.casefold()
        return any(re.search(rf"\b{re.escape(name)}", folded) for name in self.names)

    def nearness(self, name: str) -> float:
        """How certainly the name of a column or row is that of the document's own party: 0 if none of its
        words are, 1 if one is inflected ("Seedorfer Union"), 2 if one is identical."""
        folded = name.casefold()
        if any(known in folded for known in self.names if " " in known):
            return 2.0
        found = [word.casefold() in self.names for word in _WORD.findall(name) if self._names(word)]
        return 1.0 + max(found) if found else 0.0

    def is_whole(self, name: str) -> bool:
        """Whether a name consists only of words of the document's own party: "Vale Echo" is a newspaper."""
        words = [word for word in _WORD.findall(name) if word != word.lower()]
        return bool(words) and all(self._names(word) or _GENERIC().fullmatch(word) for word in words)

    def _names(self, word: str) -> bool:
        folded = word.casefold()
        return any(folded.startswith(n) and len(folded) - len(n) <= _INFLECTION for n in self.names)

    def reports(self, frame: str) -> bool:
        """Whether the text before a colon attributes what follows to others."""
        if len(frame.split()) > _FRAME_WORDS or _PLAIN().search(frame):
            return False
        named = bool(_OTHERS().search(frame) or _INITIALS.search(frame))
        speaks = _SPEAKS().search(frame) or (
            _WANTS().search(frame) or _READS().search(frame) if named else None
        )
        if speaks is None or "," in frame[speaks.end() :]:  # its content is before the colon
            return False
        if is_in_our_name(frame) or _MINE().search(frame) or self.is_own(frame):
            return False
        return named or not (_BODY().search(frame) or _THING().search(frame))

    def heading_over(self, heading: str) -> str:
        """The kind of text under a heading: "rejecting" for what others want or wrongly say; "testimony";
        "dropped" for motions that were not carried; "answered" for objections with a reply each; or ""."""
        if _DROPPED().search(heading):
            return "dropped"
        if _REJECTING().search(heading):
            return "rejecting"
        if _TESTIMONY().search(heading) and not _WE().search(heading):
            return "testimony"
        if _is_heard(heading):
            return "rejecting"
        if is_in_our_name(heading) and _REPLIES().search(heading):
            return "answered"
        teller = _ABOUT.split(heading)[0] if _UNTRUTH().search(heading) else heading  # "Myths about us"
        if is_in_our_name(teller) or self.is_own(teller) or _OBLIGING().search(heading):
            return ""
        asks = bool(_ASKING().search(heading))
        acts = bool(_INFINITIVE.search(heading)) and not asks  # "Vorurteile abbauen"
        if _UNTRUTH().search(heading):
            opposes = (acts or _OPPOSING().search(heading)) and not _EXPOSING().search(heading)
            return "" if opposes else "rejecting"
        named = _SOMEBODY_IN_HEADING().search(heading) or _INITIALS.search(heading)
        if asks and (_SPEAKS().search(heading) or _PLANS().search(heading)):
            return "rejecting"
        if asks and named and _SAYS_OR_WANTS().search(heading):
            return "rejecting"
        claims = _CLAIM_OF().search(heading) or _claims_of_initials(heading)
        return "rejecting" if claims and not acts else ""

    def is_answered_by(self, heading: str, ours: str) -> bool:
        """Whether `heading` names what others say or want while its counterpart `ours` names what "we" do
        ("The council's plans", "Our plans"; "What they want", "What we want")."""
        if self.is_own(heading) or _OBLIGING().search(heading):
            return False
        theirs = is_named_other(heading) or (_OUR_OTHERS().search(heading) and not is_in_our_name(heading))
        if theirs and is_in_our_name(ours):
            return bool(_ASKING().match(heading) and _ASKING().match(ours))
        if is_in_our_name(heading):
            return False
        if found := _OUR_POSITION().match(ours):
            named = heading.casefold().split()
            return len(named) > 1 and found["position"].casefold() in named and not is_in_our_name(heading)
        pairs = zip(heading.split(), ours.split(), strict=False)
        differing = next((pair for pair in pairs if not _is_same_word(*pair)), None)
        if differing is None or not _ASKING().match(heading):
            return False
        return bool(_OURS().fullmatch(differing[1]) and not _OURS().fullmatch(differing[0]))

    def told_from(self, sentence: str) -> int | None:
        """Where in a sentence the words of others begin that it introduces without quotation marks ("The
        chamber says: ..."); its end if they all follow it; None if it introduces none."""
        found = _FRAME.fullmatch(sentence)
        if found is None or (found["said"] or "")[:1] in tuple(_QUOTATION_MARKS):
            return None
        if not self.reports(found["frame"]) or (self.capitals and (found["said"] or "")[:1].islower()):
            return None
        return found.start("said") if found["said"] else len(sentence)


def _is_same_word(one: str, other: str) -> bool:
    """Whether two words are the same, inflected or not ("rechnet", "rechnen")."""
    one, other = one.casefold(), other.casefold()
    return one == other or (len(one) > _STEM and one[:_STEM] == other[:_STEM])


def _is_heard(heading: str) -> bool:
    """Whether a heading names something wrong that "we" are told ("Excuses we have been given")."""
    named = _TOLD_US().sub("", heading)
    untrue = named != heading and (_UNTRUTH().search(named) or _ASKING().fullmatch(named))
    return bool(untrue and not _OBLIGING().search(heading))


def _claims_of_initials(heading: str) -> bool:
    return any(_INITIALS.match(heading, found.end()) for found in _CLAIM().finditer(heading))
