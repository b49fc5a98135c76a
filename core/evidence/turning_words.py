"""The words whose loss with a part of a sentence turns what the rest says.

They stand in `data/left_out.toml`, with their sources. All languages hold at once, as in `guards`.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.evidence.guards import word_lists
from core.evidence.skeleton import skeleton


@dataclass(frozen=True, slots=True)
class TurningWords:
    """Skeletons by what their loss does. Stems begin a word, phrases are words in a row."""

    denying: frozenset[str]
    denying_stems: tuple[str, ...]
    denying_phrases: tuple[tuple[str, ...], ...]
    evaluating: frozenset[str]
    separable: tuple[tuple[str, str], ...]
    free_particles: frozenset[str]
    joining: frozenset[str]
    opposing: frozenset[str]
    bounds: tuple[tuple[str, ...], ...]
    limiting: frozenset[str]
    limiting_stems: tuple[str, ...]
    limiting_ends: tuple[str, ...]
    limiting_phrases: tuple[tuple[str, ...], ...]
    hearsay: frozenset[str]
    hearsay_phrases: tuple[tuple[str, ...], ...]
    reporting_stems: tuple[str, ...]
    speaking: frozenset[str]
    so_says: frozenset[str]
    attributive: tuple[tuple[str, ...], ...]
    manner: tuple[tuple[str, ...], ...]
    done_in_a_manner: frozenset[str]
    that: frozenset[str]
    doubt: frozenset[str]
    doubting: frozenset[str]
    subjunctive: frozenset[str]
    inverting: frozenset[str]
    inverting_anywhere: frozenset[str]
    inverting_behind: frozenset[str]
    inverting_in_clauses: frozenset[str]
    first_not_verbs: frozenset[str]
    subjects: frozenset[str]
    subjects_of_any: frozenset[str]
    amounts_before: frozenset[str]
    bounds_before: tuple[tuple[str, ...], ...]
    comparing: frozenset[str]
    units_behind: frozenset[str]
    ourselves: frozenset[str]


@lru_cache(maxsize=1)
def turning_words() -> TurningWords:
    """The lists of all languages together."""
    text = files("core.evidence").joinpath("data", "left_out.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text).values()

    def words(name: str) -> frozenset[str]:
        return frozenset(skeleton(word) for table in tables for word in table[name])

    def phrases(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(skeleton, item.split())) for table in tables for item in table[name])

    return TurningWords(
        denying=word_lists().negations | words("denying") | words("rejecting"),
        denying_stems=tuple(words("denying_stems") | words("rejecting_stems")),
        denying_phrases=phrases("denying_phrases"),
        evaluating=words("evaluating"),
        separable=tuple(
            (skeleton(verb), skeleton(particle)) for table in tables for verb, particle in table["separable"]
        ),
        free_particles=words("free_particles"),
        joining=words("joining"),
        opposing=words("opposing"),
        bounds=phrases("bounds"),
        limiting=words("limiting"),
        limiting_stems=tuple(words("limiting_stems")),
        limiting_ends=tuple(words("limiting_ends")),
        limiting_phrases=phrases("limiting_phrases"),
        hearsay=words("hearsay"),
        hearsay_phrases=phrases("hearsay_phrases"),
        reporting_stems=tuple(words("reporting_stems")),
        speaking=words("speaking"),
        so_says=words("so_says"),
        attributive=phrases("attributive"),
        manner=phrases("manner"),
        done_in_a_manner=words("done_in_a_manner"),
        that=words("that"),
        doubt=words("doubt"),
        doubting=words("doubting"),
        subjunctive=words("subjunctive"),
        inverting=words("inverting"),
        inverting_anywhere=words("inverting_anywhere"),
        inverting_behind=words("inverting_behind"),
        inverting_in_clauses=words("inverting_in_clauses"),
        first_not_verbs=words("first_not_verbs"),
        subjects=words("subjects") | words("subjects_of_any"),
        subjects_of_any=words("subjects_of_any"),
        amounts_before=words("amounts_before"),
        bounds_before=phrases("bounds_before"),
        comparing=words("comparing"),
        units_behind=words("units_behind"),
        ourselves=words("ourselves"),
    )
