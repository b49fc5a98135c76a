"""Help for people in distress: two sentences, and the help lines of their country."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from bot.presentation.i18n import Texts
from core.domain.answers import Answer, Notice
from core.message_keys import NoticeKey
from core.question.turns import Distress, TurnKind

COUNTRIES: Mapping[str, str] = {"gb": "uk"}
"""Alternative codes of countries."""

COUNTRY_OF_LANGUAGE: Mapping[str, str] = {"de": "de", "fr": "fr"}
"""Countries implied by a language; English is spoken in too many, with different numbers."""

ABROAD = "international"
"""The help lines for no particular country, and for countries without any of their own."""

NOTICES: Mapping[TurnKind, NoticeKey] = {
    TurnKind.EMERGENCY: "info.distress.emergency",
    TurnKind.SUICIDE: "info.distress.suicide",
    TurnKind.VIOLENCE: "info.distress.violence",
}

_FIRST: Mapping[TurnKind, Sequence[str]] = {
    TurnKind.EMERGENCY: ("emergency", "emergency_anywhere", "poison", "medical"),
    TurnKind.SUICIDE: ("crisis", "emergency", "emergency_anywhere", "children"),
    TurnKind.VIOLENCE: ("emergency", "emergency_anywhere", "violence", "children"),
}
"""The kinds that come first; the others follow in the order of the file."""

_NOT_A_COUNTRY = frozenset({"eu", "un", "xv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpLines:
    """The help lines by country; `own` are the operator's, a line each, replacing a country's; `country` is
    the default."""

    country: str = ""
    own: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def notice(self, found: Distress, jurisdiction: str | None) -> Notice:
        """The notice for somebody in distress in the place with the code `jurisdiction` ("de-hh"), None if
        unknown."""
        return Notice(key=NOTICES[found.kind], values={"lines": self._lines(found, jurisdiction)})

    def country_of(self, jurisdiction: str | None, language: str) -> str:
        """The country whose help lines are shown."""
        code = (jurisdiction or "").partition("-")[0].lower()
        code = COUNTRIES.get(code, code)
        if self._known(code):
            return code
        if len(code) == 2 and code not in _NOT_A_COUNTRY:
            return ABROAD
        set_here = COUNTRIES.get(self.country, self.country)
        if set_here:
            return set_here if self._known(set_here) else ABROAD
        return COUNTRY_OF_LANGUAGE.get(language, ABROAD)

    def _known(self, country: str) -> bool:
        return country in self.own or country in help_lines()

    def _lines(self, found: Distress, jurisdiction: str | None) -> str:
        country, texts = self.country_of(jurisdiction, found.language), Texts(found.language)
        if country in self.own:
            return "\n".join(self.own[country])
        first = _FIRST[found.kind]
        rows = sorted(
            help_lines()[country],
            key=lambda row: first.index(row["for"]) if row["for"] in first else len(first),
        )
        return "\n".join(_line(row, texts) for row in rows)


def _line(row: Mapping[str, str], texts: Texts) -> str:
    label = texts(f"help.{row['for']}")
    named = f"{label} ({row['name']})" if row.get("name") else label
    return f"- {named}: {row['number']}"


@cache
def help_lines() -> Mapping[str, Sequence[Mapping[str, str]]]:
    """The help lines by country (ISO 3166-1, the United Kingdom as "uk") and purpose, in the order of the
    file."""
    found: dict[str, list[dict[str, str]]] = tomllib.loads(
        files("bot.presentation").joinpath("help_lines.toml").read_text(encoding="utf-8")
    )
    return found


def gives_help(answer: Answer) -> bool:
    """Whether an answer is to somebody in distress: nothing of it is recorded."""
    return any(notice.key in NOTICES.values() for notice in answer.notices)
