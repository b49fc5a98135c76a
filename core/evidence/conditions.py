"""Conditions that no conjunction names, and amounts cut from what makes them up.

A verb that comes first makes a clause a condition ("Steigt der Preis, ...", "Should the owner fail, ..."):
Duden, Die Grammatik, 9th edition 2016, Verberstsatz; Quirk et al. 1985, 15.36.
"""

import re
from collections.abc import Sequence

from core.evidence.tokens import Token
from core.evidence.turning_words import turning_words

_VERB_END = re.compile(r".{2,}(?:t|te|ten|en|ern|eln)")
_PARTING = ",:;–—"
_NEAR_NUMBER = 2
"""Words between which "100 thalers less" stands."""
_NUMBER = re.compile(r"\d")


def begins_condition(tokens: Sequence[Token], at: int) -> bool:
    """Whether a clause begins with the verb at `at` that says on what the rest depends."""
    words = turning_words()
    if "?" in tokens[-1].text[-3:] or at + 1 >= len(tokens):
        return False
    said, opens = tokens[at].skeleton, not at or tokens[at - 1].ends in tuple(_PARTING)
    subject = tokens[at + 1].skeleton in words.subjects
    if said in words.inverting_anywhere and subject:
        return True
    if not opens:
        return False
    if said in words.inverting_behind and subject and not any(token.kept for token in tokens[at:]):
        return True
    if at and tokens[at - 1].ends == ",":
        return said in words.inverting_in_clauses and subject and _goes_on(tokens, at)
    if said in words.inverting:
        return (subject or tokens[at + 1].text[:1].isupper()) and _goes_on(tokens, at)
    return _is_verb(tokens[at]) and _has_subject(tokens[at + 1]) and _goes_on(tokens, at)


def _is_verb(token: Token) -> bool:
    """Whether the word may be a German verb that begins a sentence."""
    said = token.skeleton
    begins = token.text.lstrip("„“\"'»(")[:1].isupper() and token.text[-1:].isalpha()
    return begins and said not in turning_words().first_not_verbs and bool(_VERB_END.fullmatch(said))


def _has_subject(behind: Token) -> bool:
    """Whether the word behind such a verb begins a subject; "Sie" makes it a request."""
    return behind.skeleton in turning_words().subjects_of_any and behind.text != "Sie"


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause ends with a comma and the sentence goes on with what is kept, perhaps in part."""
    comma = next((i for i in range(at + 1, len(tokens)) if tokens[i].ends == ","), None)
    return comma is not None and any(token.kept for token in tokens[comma + 1 :])


def cuts_amount(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word at `at` belongs to an amount that the quote has only a part of: "up to" before it, or
    "million" behind."""
    words = turning_words()
    said, before = tokens[at].skeleton, tokens[max(at - 1, 0)]
    pair = (before.skeleton, said)
    if (said in words.amounts_before or pair in words.bounds_before) and at + 1 < len(tokens):
        return tokens[at + 1].kept and _counts(tokens[at + 1])
    if not at or not before.kept:
        return False
    if said in words.comparing:
        return any(token.kept and _counts(token) for token in tokens[max(at - _NEAR_NUMBER, 0) : at])
    return said in words.units_behind and _counts(before)


def _counts(token: Token) -> bool:
    """Whether the word is a number or goes with one."""
    return bool(_NUMBER.search(token.text)) or token.skeleton in turning_words().units_behind
