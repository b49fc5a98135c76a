"""Kinds of question by rules, German and English; a plain fact question unless something says otherwise."""

import re
from collections.abc import Sequence

from core.domain.search import QuestionKind
from core.registry.names import NAMELESS, fold, replaced
from core.search.chatter import chatter

_REFERENCE = r"(?:\b(?:sections?|rules?|articles?|artikeln?|art\.?|regeln?) ?\d|§ ?\d)"
_REFERRING = (
    r"\b(?:implement|give[sn]? effect|prescrib|carr(?:y|ies) out|made under|refer|cite|mention|requir|"
    r"umsetz|setzt|verweis|bezieh|zitier|ausfuehr|konkretisier|nennt)"
)
_RULE_WANTED = (
    r"\b(?:which|what|welche[nrs]?) "
    r"(?:rule|form|section|article|provision|regel|formular|paragraph|vorschrift|artikel|norm)"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_RULES: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = (
    (
        QuestionKind.DOCUMENT,
        _any(
            r"\b(?:welche|was fuer|which|what) (?:dokumente|programme|quellen|unterlagen|gesetze|documents|"
            r"sources|files|programs|manifestos)\b.{0,40}\b(?:hast|habt|gibt|kennst|liegen|vorhanden|bibliothek|bestand|"
            r"you have|do you|are there|available|library)",
            r"\b(?:what|was) (?:is|ist) in (?:the|der) (?:library|bibliothek)",
            r"\b(?:list|liste|zeige?|show|schick\w*|send)\b.{0,25}"
            r"\b(?:documents|dokumente|programme?|manifesto|pdf)\b",
        ),
    ),
    (
        QuestionKind.CONFLICT,
        _any(
            r"\bwiderspr\w+|\bkollidier\w+|\bunvereinbar|\bvereinbar mit|\bim einklang mit",
            r"\bconflict(?:s|ing)?\b(?! of)|\bcontradict\w*|\binconsistent|\bincompatible",
            r"\bconsistent with|\bin line with",
        ),
    ),
    (
        QuestionKind.COMPARE,
        _any(
            r"\bvergleich\w*|\bunterschied\w*|\bunterscheide\w*|\bgegenueberstell\w*",
            r"\bim gegensatz zu\b|\bjeweils\b",
            r"\b(?:was|wie) (?:sagen|wollen|fordern|planen|stehen) die parteien",
            r"\bcompar\w+|\bdifferences?\b|\bdiffers?\b|\bversus\b|\bvs\b",
            r"\bside by side\b|\bdo the parties\b|\beach party\b",
        ),
    ),
    (
        QuestionKind.CROSS_REFERENCE,
        _any(
            rf"(?:{_REFERRING}|{_RULE_WANTED}).{{0,90}}{_REFERENCE}",
            rf"{_REFERENCE}.{{0,60}}\b(?:implement(?:s|ed)?|cite[sd]?|refer(?:s|red)?|mention(?:s|ed)?|umgesetzt"
            r"|zitiert|verwiesen|genannt|erwaehnt)\b",
        ),
    ),
    (
        QuestionKind.PENALTY,
        _any(
            r"\bpenal\w+|\bfine[sd]\b|\b(?:a|what|which|the|maximum|of) fine\b",
            r"\bpunish\w*|\bimprison\w*|\bjail\b",
            r"\bstraf(?:e|en|bar|mass|rahmen)\b|\bbestraf\w*|\b(?:geld|freiheits)strafe\w*|\bbussgeld\w*",
            r"\bsan[ck]tion\w*|\bordnungswidrig\w*",
        ),
    ),
    (
        QuestionKind.TEMPORAL,
        _any(
            r"\bwithin (?:how|what|which)\b|\bhow (?:long|soon|quickly)\b",
            r"\bhow many (?:days|weeks|months|years|hours)\b",
            r"\bdeadline|\b(?:notice|warning) period|\bby when\b|\btime limit|\bfrist\w*|\bwie lange?\b",
            r"\b(?:bis|ab) wann\b",
            r"\bwie viele (?:tage|wochen|monate|jahre|stunden)\b|\binnerhalb welche",
        ),
    ),
)
_FOLLOW_UP = re.compile(
    r"(?:und|and|aber|but|was ist mit|what about|how about|wie sieht es (?:bei|mit)|warum|why|wieso|"
    r"wo steht das|where does it say|und warum|genauer|mehr dazu|tell me more)\b"
)
_ANAPHORA = re.compile(
    r"\b(?:davon|dafuer|dagegen|dazu|damit|daran|darueber|dabei|dort|diese[mnrs]?|dessen|deren|letztere[nrs]?"
    r"|its|them|those|these|their)\b"
    r"|\b(?:das|dies|that|this|it|there|they|same)\s*[?.!]*$"
)
_FOLLOW_UP_WORDS = 8


def kind_of(question: str, *, in_thread: bool = False, names: Sequence[tuple[int, int]] = ()) -> QuestionKind:
    """The kind of `question`; `in_thread` allows FOLLOW_UP ("Und die SPD?", "Wie lange gilt das?"). Words
    of `names` (start, end) are not read as words: a party may be called "List"."""
    if chatter(question) is not None:
        return QuestionKind.OFF_TOPIC
    folded = fold(replaced(question, names, NAMELESS))
    if in_thread and len(folded.split()) <= _FOLLOW_UP_WORDS and _refers_back(folded):
        return QuestionKind.FOLLOW_UP
    return next((kind for kind, pattern in _RULES if pattern.search(folded)), QuestionKind.FACT)


def is_anaphoric(question: str) -> bool:
    """Whether `question` has a word that stands for something said before ("davon", "them")."""
    return bool(_ANAPHORA.search(fold(question)))


def _refers_back(folded: str) -> bool:
    return bool(_FOLLOW_UP.match(folded.strip()) or _ANAPHORA.search(folded))
