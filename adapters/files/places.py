"""Places that need no row in a registry: ISO 3166, as pycountry packages it."""

import gettext
import re
from collections.abc import Callable, Mapping
from functools import cache

import pycountry

from core.domain.registry import KnownPlace
from core.language.languages import tags
from core.registry.titles import usual_places

EUROPEAN_UNION = KnownPlace(
    code="eu",
    name="European Union",
    aliases=("Europäische Union", "EU", "Union européenne"),
    spoken=(("en", "European Union"), ("de", "Europäische Union"), ("fr", "Union européenne")),
)
"""Exceptionally reserved in ISO 3166-1, so not in its lists."""

_SAID = {
    "en": {
        **{"de-by": "Bavaria", "de-he": "Hesse", "de-mv": "Mecklenburg-Western Pomerania"},
        **{"de-ni": "Lower Saxony", "de-nw": "North Rhine-Westphalia", "de-rp": "Rhineland-Palatinate"},
        **{"de-sn": "Saxony", "de-st": "Saxony-Anhalt", "de-th": "Thuringia"},
        **{"at-2": "Carinthia", "at-3": "Lower Austria", "at-4": "Upper Austria", "at-6": "Styria"},
        **{"at-7": "Tyrol", "at-9": "Vienna"},
    },
    "fr": {"de-th": "Thuringe", "gb-eng": "Angleterre", "gb-sct": "Écosse", "gb-wls": "Pays de Galles"},
}
"""Common names missing from ISO, which has subdivisions in their own language."""

_MACRONS = str.maketrans("āēīōūĀĒĪŌŪ", "aeiouAEIOU")
"""Macrons in transcriptions, which our languages drop: "Gujarāt"."""

_IN_BRACKETS = re.compile(r"\s*\[[^\]]*\]")
"""A name in another language of the place: "Wales [Cymru GB-CYM]"."""

Translate = Callable[[str], str]


@cache
def known_places() -> tuple[KnownPlace, ...]:
    """The European Union, all countries and their first subdivisions, by code. Names are those of ISO, with
    aliases in our other languages; subdivisions of subdivisions are left out."""
    return (EUROPEAN_UNION, *_countries(), *_subdivisions())


def _countries() -> list[KnownPlace]:
    translations = _translations("iso3166-1")
    rows = []
    for country in pycountry.countries:
        names = [getattr(country, field, None) for field in ("common_name", "name", "official_name")]
        known_names = [name for name in names if name]
        rows.append(_place(country.alpha_2, known_names, translations))
    return rows


def _subdivisions() -> list[KnownPlace]:
    translations = _translations("iso3166-2")
    return [
        _place(row.code, [_IN_BRACKETS.sub("", row.name)], translations, is_country=row.type == "Country")
        for row in pycountry.subdivisions
        if row.parent_code is None
    ]


def _place(
    code: str, names: list[str], translations: Mapping[str, Translate], *, is_country: bool = False
) -> KnownPlace:
    code = code.lower()
    said = {language: rows[code] for language, rows in _SAID.items() if code in rows}
    translated = (translate(name) for translate in translations.values() for name in names)
    name, *aliases = dict.fromkeys([*names, *translated, *said.values(), *usual_places().get(code, ())])
    spoken = {language: _as_said(translate(names[0])) for language, translate in translations.items()}
    usual = {"en": _as_said(names[0]), **spoken, **said}
    return KnownPlace(
        code=code, name=name, aliases=tuple(aliases), spoken=tuple(usual.items()), is_country=is_country
    )


def _as_said(name: str) -> str:
    """A name from an alphabetical list in its usual order: "Korea, Republic of"."""
    head, comma, tail = name.translate(_MACRONS).partition(", ")
    return f"{tail} {head}" if comma and tail.split()[-1] in _LINKS else name.translate(_MACRONS)


_LINKS = frozenset({"of", "the", "de", "du", "von", "British", "U.S.", "Staat", "Îles", "Île", "la"})


def _translations(domain: str) -> dict[str, Translate]:
    return {
        language: gettext.translation(domain, pycountry.LOCALES_DIR, languages=[language]).gettext
        for language in tags()
        if language != "en"
    }
