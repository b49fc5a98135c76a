"""Passages with raised digits, list signs and line numbers, and the variants that people and forgers make of
them.

Real passages have too few of them, so they are put between the words of a passage: a place where a forger
changes something, and ways in which honest people type the same. A source is written as `tests.support.paper`
reads it: `^{3}` is a raised 3.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """A page's text and the words claimed to be on it."""

    source: str
    claim: str


Maker = Callable[[random.Random, Sequence[str]], Variant]

_UNICODE = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_UNITS = {"m": "23", "km": "23", "cm": "23", "mm": "23", "m/s": "2", "kg/m": "23", "W/m": "2", "€/m": "23"}
_THINGS = ["Euro", "Prozent", "Taler", "Plätze", "places", "per cent", "pounds", "Jahre", "days"]
_BASES = ["{}", "{}.000", "{},5", "{}.5", "§ {}a", "Art. {}", "20{:02}", "{} %"]


def _raised(chance: random.Random, digits: str) -> str:
    """As a character of its own, or as a digit set higher."""
    return chance.choice([digits.translate(_UNICODE), f"^{{{digits}}}"] if digits.isdigit() else [digits])


def _put(chance: random.Random, words: Sequence[str], source: str, claim: str) -> Variant:
    at = chance.randrange(3, len(words) - 3)
    before, after = " ".join(words[:at]), " ".join(words[at:])
    return Variant(f"{before} {source} {after}", f"{before} {claim} {after}")


def _numbered(chance: random.Random) -> tuple[str, str, str]:
    """A number that is no base of a power, a note's digits, and what stands behind."""
    base = chance.choice(_BASES).format(chance.choice([n for n in range(3, 99) if n != 10]))
    return base, str(chance.randint(1, 60)), chance.choice(_THINGS)


def _digit_joined(chance: random.Random, words: Sequence[str]) -> Variant:
    base, note, thing = _numbered(chance)
    return _put(chance, words, f"{base}{_raised(chance, note)} {thing}", f"{base}{note} {thing}")


def _swapped(chance: random.Random, words: Sequence[str]) -> Variant:
    base, note, thing = _numbered(chance)
    other = str(int(note) + chance.randint(1, 9))
    wrong = chance.choice(
        [f"{base}{other.translate(_UNICODE)}", f"{note} {base}", f"{base} {note}", f"{base}.{note}"]
    )
    return _put(chance, words, f"{base}{_raised(chance, note)} {thing}", f"{wrong} {thing}")


def _power(chance: random.Random) -> tuple[str, str]:
    return chance.choice([("10", str(chance.randint(2, 15))), ("2", str(chance.randint(10, 64)))])


def _exponent_dropped(chance: random.Random, words: Sequence[str]) -> Variant:
    base, exponent = _power(chance)
    thing = chance.choice(_THINGS)
    return _put(chance, words, f"{base}{_raised(chance, exponent)} {thing}", f"{base} {thing}")


def _exponent_changed(chance: random.Random, words: Sequence[str]) -> Variant:
    base, exponent = _power(chance)
    thing, other = chance.choice(_THINGS), str(int(exponent) + chance.randint(1, 9))
    wrong = chance.choice(
        [other.translate(_UNICODE), exponent, f"⁻{exponent.translate(_UNICODE)}", f"^{other}"]
    )
    return _put(chance, words, f"{base}{_raised(chance, exponent)} {thing}", f"{base}{wrong} {thing}")


def _unit(chance: random.Random) -> tuple[str, str]:
    unit = chance.choice(list(_UNITS))
    return f"{chance.randint(2, 900)} {unit}", chance.choice(_UNITS[unit])


def _unit_exponent_dropped(chance: random.Random, words: Sequence[str]) -> Variant:
    unit, exponent = _unit(chance)
    return _put(chance, words, f"{unit}{_raised(chance, exponent)}", unit)


def _unit_exponent_changed(chance: random.Random, words: Sequence[str]) -> Variant:
    unit, exponent = _unit(chance)
    other = "3" if exponent == "2" else "2"
    return _put(
        chance,
        words,
        f"{unit}{_raised(chance, exponent)}",
        f"{unit}{chance.choice([other, '²³'[other == '3']])}",
    )


FALSE: Mapping[str, Maker] = {
    "note joined to number": _digit_joined,
    "note and number swapped": _swapped,
    "exponent dropped": _exponent_dropped,
    "exponent changed": _exponent_changed,
    "exponent of unit dropped": _unit_exponent_dropped,
    "exponent of unit changed": _unit_exponent_changed,
}
"""Variants that must never verify."""


def _notes_left_out(chance: random.Random, words: Sequence[str]) -> Variant:
    base, note, thing = _numbered(chance)
    source = chance.choice(
        [f"{base}{_raised(chance, note)} {thing}", f"{base} {thing}{_raised(chance, note)}"]
    )
    return _put(chance, words, source, f"{base} {thing}")


def _notes_copied(chance: random.Random, words: Sequence[str]) -> Variant:
    _, note, thing = _numbered(chance)
    stop = chance.choice(["", ".", ","])
    return _put(chance, words, f"{thing}{stop}{_raised(chance, note)}", f"{thing}{stop}{note}")


def _exponent_typed(chance: random.Random, words: Sequence[str]) -> Variant:
    unit, exponent = _unit(chance)
    base, power = _power(chance)
    source = f"{base}{_raised(chance, power)} {unit}{_raised(chance, exponent)}"
    claim = f"{base}{chance.choice(['^' + power, power.translate(_UNICODE)])} {unit}"
    return _put(
        chance, words, source, claim + chance.choice([exponent, "^" + exponent, exponent.translate(_UNICODE)])
    )


def _lowered(chance: random.Random, words: Sequence[str]) -> Variant:
    one, other = chance.choice([("CO₂", "CO2"), ("H₂O", "H2O"), ("CO₂-Preis", "CO2-Preis"), ("N₂O", "N2O")])
    return _put(chance, words, *chance.choice([(one, other), (other, one)]))


HONEST: Mapping[str, Maker] = {
    "notes left out": _notes_left_out,
    "notes copied": _notes_copied,
    "exponents typed": _exponent_typed,
    "lowered digits": _lowered,
}
"""Variants that must verify."""
