"""What a line of group talk shows of whom it is meant for: its form, and words of closed classes.

Where the thread is known, also what was said before: a question without words of its own ("which one?") is
for whoever spoke last. Each signal is there or not. What it weighs is learned from written lines of talk
(`training/talk.py`).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.language.identification import detect
from core.language.languages import every, of
from core.language.patterns import filled, pattern
from core.question.chatter import chatter
from core.question.kinds import is_anaphoric
from core.registry.names import fold

_PLAIN = 0.9
"""Probability from which on a line is in one language: "du" is somebody in German, an article in French."""
_AFTER_TALK = ("question", "fragment", "leads", "plain", "refers")
_AFTER_ANSWER = ("fragment", "mark")
_SHORT = 8
"""Words of a question that goes on from the answer before it, at most."""
_FRAGMENT = 4
_LENGTHS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 12), (13, 999))
"""Words from and to."""

_EMOJI = r"[\U0001F300-\U0001FAFF\u2600-\u27BF]|(?<!\w)[:;]-?[)(DP/](?!\w)"
_FORM = {
    "exclaims": r"!",
    "marks": r"\?[?!]|!\?",
    "trails_off": r"\.\.\.|…",
    "smiles": _EMOJI,
    "links": r"https?:",
    "sentences": r"[.!?…]\s+\w",
    "comma": r",",
    "acronym": r"\b(?!OK\b|LOL\b)[A-ZÄÖÜ]{2,5}\b(?=.*[a-zäöü?])",
    "digit": r"\d",
    "clock": r"\d:\d\d|^\W*\d+\W*$",
}
_OPENINGS = pattern(r"^(?:(?:{group_talk.openings})\b[\s,!.:;-]*)+")
_LEADS = pattern(r"^(?:{follow_ups.leading}) ")
_ASKING = r"(?:{group_talk.asking})(?!\w)"
_BEGINS = {
    "goes_on": pattern(r"^(?:{kinds.follow_up}|{group_talk.going_on})(?!\w)"),
    "asks": pattern(rf"^{_ASKING}"),
    "asks_of": pattern(r"^(?:{group_talk.prepositions}) (?:{group_talk.asking})(?!\w)"),
    "whereabouts": pattern(r"^(?:{group_talk.whereabouts})\b"),
    "verb": pattern(r"^(?:{group_talk.verbs})(?!\w)"),
    "inverted": pattern(r"^(?:{group_talk.inverted})(?!\w)"),
    "phrase": pattern(r"^(?:{group_talk.prepositions}|{follow_ups.about}|{follow_ups.articles})(?!\w)"),
}
_ELLIPTIC = pattern(rf"^(?:(?:{{group_talk.prepositions}}) )?{_ASKING}(?: \w+)?\W*$")
_HAS = {
    "requests": pattern("{group_talk.requests}"),
    "subject": pattern(
        r"(?<!\w)(?:{group_talk.subjects}|{kinds.anaphora}|{kinds.documents}|{kinds.provision})(?!\w)"
        r"|{kinds.penalty}|{kinds.temporal}|{kinds.compare}|{kinds.all_parties}|{kinds.conflict}|§"
    ),
    "cites": pattern(r"(?<!\w)(?:{group_talk.cites})(?!\w)"),
    "please": pattern(r"(?<!\w)(?:{group_talk.please})\W*$"),
}
_ASKS_LATER = pattern(rf"\w,? {_ASKING}")
_SPEAKS = {
    name: rf"(?<!\w)(?:{{group_talk.{name}}})(?!\w)"
    for name in (
        "particles",
        "speakers",
        "addressees",
        "outsiders",
        "negations",
        "somebody",
        "times",
        "generic",
    )
}
_SHAPES = {"people": "{group_talk.people}", "remark": "{group_talk.remarks}", **_SPEAKS}


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkBefore:
    """What was said in a thread before a line. `by_asker`: the line is by who asked the bot last; `talk`:
    somebody else has spoken since."""

    by_asker: bool
    talk: bool


def folded(text: str) -> str:
    """`text` as the rules read it."""
    return fold(text).replace("’", "'").strip()


def says(shape: str, said: str) -> bool:
    """Whether the folded `said` has what `shape` describes, in the words of its own language."""
    language, probability = detect(said)
    return _in_language(shape, language if probability >= _PLAIN else "").search(said) is not None


def without(shape: str, said: str) -> str:
    """The folded `said` without what `shape` describes, in the words of its own language."""
    language, probability = detect(said)
    return _in_language(shape, language if probability >= _PLAIN else "").sub(" ", said)


@cache
def _in_language(shape: str, tag: str) -> re.Pattern[str]:
    """`shape` with the phrases of a language, of every one for ""."""
    return re.compile(filled(shape, [of(tag)] if tag else every()))


def signals(text: str, before: TalkBefore | None = None) -> Mapping[str, bool]:
    """The signals of `text`, a line said to nobody in particular; `before`: None where nobody knows."""
    said = folded(text)
    asked = _OPENINGS().sub("", said)
    bare = re.sub(_EMOJI, "", asked).strip()
    found = {name: re.search(form, text) is not None for name, form in _FORM.items()}
    length = len(bare.split())
    found |= {f"words_{least}": least <= length <= most for least, most in _LENGTHS}
    found |= {name: begins().match(bare) is not None for name, begins in _BEGINS.items()}
    found |= {name: has().search(bare) is not None for name, has in _HAS.items()}
    found |= {name: says(shape, said) for name, shape in _SHAPES.items()}
    found |= {
        "mark": bare.endswith("?"),
        "stop": bare.endswith("."),
        "opening": asked != said,
        "leads": _LEADS().match(bare) is not None,
        "small_talk": chatter(said) is not None,
        "refers": is_anaphoric(asked),
        "short": length <= _SHORT,
        "fragment": length <= _FRAGMENT,
    }
    found |= _together(found, _LEADS().sub("", bare))
    found["plain"] = _is_plain(found)
    places = _in_place(found, before)
    return found | places | {"after_talk_elliptic": places["after_talk"] and bool(_ELLIPTIC().match(bare))}


def _in_place(found: Mapping[str, bool], before: TalkBefore | None) -> dict[str, bool]:
    """What the line's place in the thread says, by itself and with what the line shows."""
    talk = before is not None and before.talk
    answer = before is not None and not before.talk
    by_asker = before is not None and before.by_asker
    places = {
        "after_talk": talk,
        "after_answer": answer and not by_asker,
        "after_own_answer": answer and by_asker,
    }
    places |= {f"after_talk_{name}": talk and found[name] for name in _AFTER_TALK}
    return places | {f"after_answer_{name}": answer and found[name] for name in _AFTER_ANSWER}


def _is_plain(found: Mapping[str, bool]) -> bool:
    """The rule of thumb: short and goes on, or an asking word and a mark, or about what libraries hold."""
    if found["requests"]:
        return True
    if found["people"] or found["remark"] or found["small_talk"]:
        return False
    if found["short"] and (found["leads"] or found["goes_on"]):
        return found["mark"] or not found["stop"]
    if found["mark"] and found["asks"] and not found["whereabouts"]:
        return True
    return (found["mark"] or found["asks"]) and found["subject"]


def _together(found: Mapping[str, bool], behind: str) -> dict[str, bool]:
    """What says more together; `behind` is what stands behind an "and"."""
    asks = found["asks"] or found["asks_of"]
    question = found["mark"] or asks or found["inverted"]
    led_question = found["leads"] and _BEGINS["asks"]().match(behind) is not None
    pairs = {
        "question": question,
        "mark_asks": found["mark"] and asks,
        "mark_verb": found["mark"] and found["verb"],
        "mark_whereabouts": found["mark"] and found["whereabouts"],
        "verb_only": found["verb"] and not question,
        "mark_fragment": found["mark"]
        and found["fragment"]
        and not (asks or found["verb"] or found["leads"] or found["phrase"]),
        "leads_short": found["leads"] and found["short"],
        "leads_mark": found["leads"] and found["mark"],
        "leads_asks": led_question,
        "asks_later": not (asks or led_question) and _ASKS_LATER().search(behind) is not None,
        "leads_phrase": found["leads"] and _BEGINS["phrase"]().match(behind) is not None,
        "leads_case": found["leads"] and found["fragment"] and _BEGINS["phrase"]().match(behind) is not None,
        "leads_stop": found["leads"] and (found["stop"] or found["exclaims"] or found["sentences"]),
        "goes_on_short": found["goes_on"] and found["short"],
        "goes_on_mark": found["goes_on"] and found["mark"],
        "phrase_short": found["phrase"] and found["fragment"],
        "phrase_mark": found["phrase"] and found["mark"],
        "please_short": found["please"] and found["short"],
        "told": not (question or found["leads"] or found["goes_on"] or found["requests"]),
    }
    for name in ("subject", "cites", "negations", "particles", "outsiders", "refers", "acronym", "generic"):
        pairs[f"question_{name}"] = question and found[name]
    return pairs


def weighed(found: Mapping[str, bool]) -> float:
    """The logarithm of the odds that a line with the signals `found` is for the bot; above 0 it answers."""
    weights = _weights()
    return weights["least"] + sum(weights[name] for name, is_there in found.items() if is_there)


@cache
def _weights() -> Mapping[str, float]:
    return tomllib.loads(files("core.search").joinpath("talk_weights.toml").read_text(encoding="utf-8"))
