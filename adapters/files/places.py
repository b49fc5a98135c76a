"""Places that need no row in a registry: ISO 3166, as pycountry packages it."""

import gettext
from collections.abc import Callable
from functools import cache

import pycountry

from core.domain.registry import Jurisdiction
from core.language.languages import tags

EUROPEAN_UNION = Jurisdiction(code="eu", name="European Union", aliases=("Europäische Union", "EU"))
"""Exceptionally reserved in ISO 3166-1, so not in its lists."""


@cache
def known_places() -> tuple[Jurisdiction, ...]:
    """The European Union, all countries and their first subdivisions, by code. Names are English
    with German aliases; subdivisions of subdivisions are left out."""
    return (EUROPEAN_UNION, *_countries(), *_subdivisions())


def _countries() -> list[Jurisdiction]:
    translations = _translations("iso3166-1")
    rows = []
    for country in pycountry.countries:
        names = [getattr(country, field, None) for field in ("common_name", "name", "official_name")]
        written = [name for name in names if name]
        rows.append(_place(country.alpha_2, written, translations))
    return rows


def _subdivisions() -> list[Jurisdiction]:
    translations = _translations("iso3166-2")
    return [
        _place(row.code, [row.name], translations)
        for row in pycountry.subdivisions
        if row.parent_code is None
    ]


def _place(code: str, names: list[str], translations: list[Callable[[str], str]]) -> Jurisdiction:
    writings = dict.fromkeys([*names, *(translate(name) for translate in translations for name in names)])
    name, *aliases = writings
    return Jurisdiction(code=code.lower(), name=name, aliases=tuple(aliases))


def _translations(domain: str) -> list[Callable[[str], str]]:
    return [
        gettext.translation(domain, pycountry.LOCALES_DIR, languages=[language]).gettext
        for language in tags()
        if language != "en"
    ]
