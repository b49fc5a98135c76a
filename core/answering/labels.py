"""Labels in a model's text: `[S1]`, `[S1, S3]`, `[S1][S2]`, `(F2)`, full-width and look-alike writings; and
whatever a chat would turn into a link, a mention or a command.

A model's labels are mere hints where to look for its quotes: everything shown is relabelled according to
where the quotes were found, so no label written by a model is ever shown.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from core.domain.passages import PassageKind

_OPEN = re.escape("[{<⟨⟦〈《「『【〔〖〘〚❲❬❮❰❴‹«⁅⦋｢⸢⌈⌊⟮⦗")
_CLOSE = re.escape("]}>⟩⟧〉》」』】〕〗〙〛❳❭❯❱❵›»⁆⦌｣⸣⌉⌋⟯⦘")
_ITEM = r"[SF]\s*\d+(?!\w)"
_MORE = r"(?:(?>\s*(?:[,;/&+|·–—-]|and\b|und\b)?\s*(?:[SF]\s*)?\d+(?!\w)))*"
_TAIL = rf"(?:\s*[,;:][^{_OPEN}{_CLOSE}()]{{0,24}})?"
_GROUP = re.compile(rf"[{_OPEN}(]\s*\^?{_ITEM}{_MORE}{_TAIL}\s*[{_CLOSE})]", re.IGNORECASE)
_LABEL = re.compile(
    rf"{_GROUP.pattern}"
    rf"|[{_OPEN}]\s*\^?{_ITEM}"  # left open: "[S1 says"
    rf"|(?<!\w){_ITEM}\s*[{_CLOSE}]"  # closed only: ", S9]"
    rf"|\[\s*\^?\d+{_MORE}\s*\]"  # "[1]"
    rf"|[{_OPEN}(]\s*[,;]?\s*[{_CLOSE})]|[{_OPEN}](?=\s*(?:[,;.]|$))",  # remains of brackets
    re.IGNORECASE,
)
_BRACKET = re.compile(rf"[{_OPEN}{_CLOSE}()]")
_DEEPEST = 16
_ONE = re.compile(r"(?<!\w)([SF])?\s*(\d{1,3})(?!\w)", re.IGNORECASE)

# Letters of other scripts that look like ours (Unicode Technical Standard 39, confusables).
_LOOKALIKES = {"Ѕ": "S", "ѕ": "s", "Տ": "S", "Ꮪ": "S", "ꓢ": "S", "ꓝ": "F", "Ϝ": "F", "ꞙ": "f"}
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f]")


class Labels:
    """Assigns labels without gaps: S1, S2, ... to text, F1, F2, ... to tables and figures."""

    def __init__(self) -> None:
        self._given = {"S": 0, "F": 0}

    def next(self, kind: PassageKind) -> str:
        """The label of the next citation or source, in a passage of `kind`."""
        letter = "F" if kind in (PassageKind.TABLE, PassageKind.FIGURE) else "S"
        self._given[letter] += 1
        return f"{letter}{self._given[letter]}"


def plain(text: str) -> str:
    """`text` in one line: every kind of white space becomes one space, invisible characters are removed."""
    seen = (" " if c.isspace() else c for c in _IGNORABLE.sub("", text))
    kept = "".join(c for c in seen if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Cn"))
    return " ".join(kept.split())


def without_labels(text: str) -> str:
    """`text` in one line without any label, known or not, or part of one. Removing one label never creates
    another ("[S[S1]1]"); the function is idempotent. Text nested deeper than anybody writes loses all its
    brackets, so that the process ends."""
    text = plain(text)
    for _ in range(_DEEPEST):
        kept = _without_labels_once(text)
        if kept == text:
            return text
        text = kept
    return plain("".join(" " if _BRACKET.match(_folded(sign).text) else sign for sign in text))


def _without_labels_once(text: str) -> str:
    folded = _folded(text)
    kept, at = [], 0
    for found in _LABEL.finditer(folded.text):
        kept.append(text[at : folded.positions[found.start()]])
        at = folded.end(found.end())
    if not kept:
        return text
    return re.sub(r" ([.,;:!?])", r"\1", plain(" ".join([*kept, text[at:]])))


def labels_of_field(text: str, known: Collection[str]) -> tuple[str, ...]:
    """The labels from `known` in a field containing only labels: brackets are optional."""
    found, letter = [], ""
    for match in _ONE.finditer(_folded(plain(text)).text):
        letter = (match[1] or letter).upper()
        found.append(f"{letter}{int(match[2])}")
    return tuple(dict.fromkeys(label for label in found if label in known))


def label_groups(text: str) -> str:
    """The parts of `text` that are labels in brackets, known or not."""
    return " ".join(_GROUP.findall(_folded(plain(text)).text))


@dataclass(frozen=True, slots=True)
class _Folded:
    """`text` with every letter in its plain form; `positions[i]` is the original offset of character i."""

    text: str
    positions: tuple[int, ...]
    length: int

    def end(self, at: int) -> int:
        """Where the original of `text[:at]` ends, including combining marks on its last letter."""
        return self.positions[at] if at < len(self.positions) else self.length


def _folded(text: str) -> _Folded:
    letters, positions = [], []
    for at, letter in enumerate(text):
        if unicodedata.category(letter) in ("Mn", "Me"):
            continue
        form = unicodedata.normalize("NFKC", letter)
        form = form if len(form) == 1 else letter
        digit = unicodedata.decimal(form, None)
        letters.append(_LOOKALIKES.get(form, form) if digit is None else str(digit))
        positions.append(at)
    return _Folded("".join(letters), tuple(positions), len(text))


_ADDRESS = re.compile(
    r"""
      (?:\b[a-z][a-z0-9+.-]{0,63}|(?<=\w))://\S*                    # any scheme with slashes
    | \b(?:mailto|tel|sms|javascript|data|file|tg|xmpp|sips?|matrix|geo|magnet|callto|slack|vbscript):\S+
    | \bwww\.\S+
    | [\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+                            # mail
    | (?<!\w)[@#!+$][\w.=/-]+:[\w.-]+                               # Matrix ids and rooms
    | (?<!\w)@\w[\w.-]*                                             # mentions
    | <[!@#/a-z][^<>]*>?                                            # Slack's, HTML
    | !?\[[^\[\]]*\]\([^()]*\)                                      # Markdown links
    | \b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?(?:/\S*)?                 # IPv4
    | \[[0-9a-f]*:[0-9a-f:]+\]                                      # IPv6
    | (?<![\w.])(?:[\w-]{2,63}\.){1,84}                             # domains; "end.Next" is none
      (?:(?-i:[a-z]{2,24}|[A-Z]{2,24})|com|net|org|info|io|de|eu)(?!\w)(?:[:/?\#]\S*)?
    | (?<!\S)/[a-z]\w{1,31}\b                                       # chat commands
    """,
    re.IGNORECASE | re.VERBOSE,
)

_COMMAND = re.compile(r"(?<!\S)/[a-z]\w{1,31}\b", re.IGNORECASE)


def commands(text: str) -> list[str]:
    """Apparent chat commands in `text` ("advertising /selling"); displayed text is defused anyway."""
    return _COMMAND.findall(text)


def addresses(text: str, allowed: Collection[str] = ()) -> list[str]:
    """Links, mentions, mail and IP addresses, mark-up and chat commands in `text`, as folded.

    `allowed` are complete addresses that may occur (a document's own).
    """
    folded = unicodedata.normalize("NFKC", plain(text)).replace("。", ".")
    for own in sorted(allowed, key=len, reverse=True):
        folded = re.sub(rf"(?<!\S){re.escape(own)}(?=[.,;:!?)\]]*(?:\s|$))", " ", folded)
    return [found[0] for found in _ADDRESS.finditer(folded)]
