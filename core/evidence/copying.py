"""What gets copied or typed along with a quote and is none of its words."""

import html
import re
from itertools import pairwise

from core.evidence.guards import word_lists
from core.evidence.skeleton import skeleton
from core.language.sentences import abbreviations

_RAISED = "⁰¹²³⁴-⁹"
_PAGE = re.compile(
    r"[\s,]*[(\[]?\b(?:S\.|Seiten?|p\.|pp\.|pages?)\s?\d{1,4}(?:\s?(?:ff?\.?|[-–]\s?\d{1,4}))?[)\]]?[.\s]*$"
)
_SENTENCE = r"(?:^|(?<=[.!?;:)„“\"»«]\s)|(?<=[„“\"»«(]))"
_SENTENCE_NUMBER = re.compile(
    rf"(?<![^\s„“\"»«(])(\d{{1,2}})(?=[A-ZÄÖÜÉ][a-zäöüß]+\s)|{_SENTENCE}(\d{{1,2}})\s(?=[A-ZÄÖÜÉ][a-zäöüß]+\s)"
)
_RAISED_NUMBER = re.compile(rf"(?<![^\s„“\"»«(])[{_RAISED}]{{1,2}}\s?(?=[A-ZÄÖÜÉ][a-zäöüß]*\s)")
_ITEM = re.compile(
    r"^\s*(?:\(?(?P<number>\d{1,2})[.)]|\(?(?P<letter>[a-z])\)|[#*•·–—-])\s+(?=[\"„“«»]?(?P<word>[^\W\d_]+))"
)
_NOTE = re.compile(r"(?P<word>[^\W\d_]{3,})(?P<stop>[.!?][“”\"»«]?)\d{1,3}\s*$")
_ARTICLES = ["der", "die", "das", "the", "le", "la", "les"]
_PRONOUNS = ["er", "sie", "es", "wir", "it", "they", "he", "she", "we", "il", "elle", "nous", "ils", "elles"]
_NOT_COUNTED = frozenset([*_ARTICLES, *_PRONOUNS])
_EDITED_CAPITAL = re.compile(r"(?<!\w)\[([^\W\d_])\](?=[^\W\d_])")
_ADDED = re.compile(r"\s*[\[(]\s*(?:sic|recte)\s*!?\s*[\])]", re.IGNORECASE)


_STAMP = re.compile(
    r"^\s*(?:\[(?:\d{1,2}[./]\d{1,2}[./]\d{2,4},?\s)?\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp]M)?\]"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4},\s\d{1,2}:\d{2}(?:\s?[AaPp]M)?\s-)\s*(?:(?P<sender>[^:\n]{1,40}):\s)?"
)
"""What messengers put before a message that is copied."""
_LABEL = re.compile(r"^\s*(?:TL;?\s?DR\s*[:–—-]\s*|(?:#[^\W\d]\w*\s+)+)(?=\S)", re.IGNORECASE)
_LINK = re.compile(r"\s*[(<\[]?(?:https?://|www\.)\S+\s*$")
_HASHTAGS = re.compile(r"(?:\s+#[^\W\d]\w*)+\s*$")
_SMILEY = "[\U0001f300-\U0001faff\u2764\ufe0f\u200d]"
_SMILEYS = re.compile(rf"^\s*{_SMILEY}+\s*|\s*{_SMILEY}+\s*$")
_DENYING = re.compile("[\U0001f6ab\U0001f44e\U0001f645\U0001f6d1\U0001f5f4\U0001f5f7\U0001f6c7]")


def without_comment(text: str) -> tuple[str, str]:
    """`text` without what messengers and readers put round a copied quote: the time and the sender of a
    message, "TL;DR:", links, hashtags and emoji, except those that deny; and the sender, "" where none is
    given."""
    stamp = _STAMP.match(text)
    if stamp:
        text = text[stamp.end() :]
    text = _HASHTAGS.sub("", _LINK.sub("", _LABEL.sub("", text)))
    if not _DENYING.search(text):
        text = _SMILEYS.sub("", text)
    return text, (stamp["sender"] or "") if stamp else ""


def bare(text: str) -> str:
    """`text` without what gets copied along with a quote: "(p. 12)" and a footnote's number after it, the
    sign of an item before it, the numbers of its sentences ("2They"), "(sic)", codes of web pages ("&auml;"),
    and the brackets round a first letter whose case was changed ("[T]he")."""
    text = _EDITED_CAPITAL.sub(r"\1", _ADDED.sub("", _PAGE.sub("", html.unescape(text))))
    text = _NOTE.sub(_without_note, _RAISED_NUMBER.sub("", text))
    item = _ITEM.match(text)
    if item and (item["number"] is None or _may_be_numbered(item["word"])):
        text = text[item.end() :]
    found = [*_SENTENCE_NUMBER.finditer(text)]
    numbers = [int(each[1] or each[2]) for each in found]
    counted = all(b == a + 1 for a, b in pairwise(numbers))
    if len(found) == 1 and found[0][2]:
        counted = _opens(text[found[0].end() :])
    return _SENTENCE_NUMBER.sub("", text) if counted else text


def _may_be_numbered(word: str) -> bool:
    """Whether a number and a full stop before `word` is that of an item: "3. October" is a day."""
    return word[:1].isupper() and skeleton(word) not in word_lists().months


def _opens(text: str) -> bool:
    """Whether `text` begins with an article or a pronoun, of which there are no two or three."""
    return skeleton(text.partition(" ")[0]) in _NOT_COUNTED


def _without_note(found: re.Match[str]) -> str:
    short = skeleton(found["word"]) in abbreviations()
    return found[0] if short else found["word"] + found["stop"]
