"""Texts and what is filled into them: every call in the code against every text, in every language.

A text that names a value which nobody fills in shows people an ellipsis; one whose key nobody has is shown as
its key. Calls whose key or values only a run can tell are held to the same while the whole suite runs
(`unfilled_texts` in `tests/conftest.py`), and by `test_every_way_out`.
"""

import ast
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.personal import FILES
from bot.cli.setup import ASKED, INSTEAD
from bot.presentation.i18n import NO_VALUE, Texts, catalogue, languages, placeholders
from bot.service.capacity import MOST_PASSAGES, Capacity, capacity
from core.domain.answers import LeftOut, Outcome, Verdict
from core.domain.documents import DocumentType, VersionStatus
from core.domain.ingestion import CheckResult, HoldReason, IngestStatus
from core.domain.journal import FeedbackVerdict
from core.domain.passages import PassageKind
from core.domain.records import Recheck, RecordKind
from core.domain.subscriptions import NewsKind, Rhythm
from core.domain.summaries import SourceChangeKind
from core.evidence.changes import ChangeKind
from core.message_keys import DetailKey, NoticeKey, ToldKey
from core.question.turns import OF_LAST_ANSWER
from tests.support.repository import ROOT, nodes_of

TOPS = ("bot", "core", "adapters", "fundstelle")
CODE = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))
PLAIN = re.compile(r"[a-z_]+")
OF_ERRORS = ("Refused", "Unavailable", "Broken")
CALLED = ("texts", "told", "words")
"""What the code calls the texts of a language."""


@dataclass(frozen=True)
class Use:
    """A place in the code that fills a text: the keys that it may mean, and the names of its values; None
    where only a run knows them. Of an error one of its `keys` is enough: the rest has a text of its own."""

    where: str
    keys: frozenset[str]
    values: frozenset[str] | None
    error: bool = False

    @property
    def lacking(self) -> Iterator[tuple[str, str]]:
        """Of each language the keys that are not filled."""
        for language in languages() if self.values is not None else ():
            texts = catalogue(language)
            bad = [key for key in self.keys if not placeholders(texts[key]) <= (self.values or set())]
            yield from () if self.error and len(bad) < len(self.keys) else ((language, key) for key in bad)


def literal(node: ast.expr | None) -> list[str]:
    """The keys that an expression may be, as far as it spells them out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return literal(node.body) + literal(node.orelse)
    return []


def name_of(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def values_of(call: ast.Call) -> frozenset[str] | None:
    names = {keyword.arg for keyword in call.keywords}
    return None if None in names else frozenset(name for name in names if name)


def dict_keys(node: ast.expr | None) -> frozenset[str] | None:
    if node is None:
        return frozenset()
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        return frozenset(str(key.value) for key in node.keys if isinstance(key, ast.Constant))
    return None


def known(keys: list[str], prefixes: tuple[str, ...] = ("",)) -> frozenset[str]:
    return frozenset({prefix + key for prefix in prefixes for key in keys} & set(catalogue("en")))


def uses_in(path: Path) -> Iterator[Use]:
    for call in nodes_of(path):
        if not isinstance(call, ast.Call):
            continue
        where = f"{path.relative_to(ROOT)}:{call.lineno}"
        name = name_of(call)
        first = call.args[0] if call.args else None
        if name == "Notice":
            by_name = {keyword.arg: keyword.value for keyword in call.keywords}
            values = dict_keys(by_name.get("values"))
            shown = values
            yield Use(where, known(literal(by_name.get("key"))), shown)
        elif name in OF_ERRORS:
            values = values_of(call)
            told = None if values is None else values | {"suggestions"}
            yield Use(where, known(literal(first), ("", "error.")), told, error=True)
        elif name in CALLED or isinstance(call.func, ast.Call):
            yield Use(where, known(literal(first)), values_of(call))


@cache
def uses() -> list[Use]:
    return [use for path in CODE for use in uses_in(path) if use.keys]


def test_the_code_is_understood() -> None:
    """Most texts are found at their places; else these tests would look at nothing."""
    found = {key for use in uses() for key in use.keys}
    texts = [key for key in catalogue("en") if not key.startswith(("commands.", "options."))]
    assert len(found) > 0.5 * len(texts)
    assert sum(use.values is not None for use in uses()) > 150


def test_every_call_fills_all_that_its_text_names() -> None:
    assert {use.where: found for use in uses() if (found := list(use.lacking))} == {}


def test_the_languages_have_the_same_texts_with_the_same_values() -> None:
    english = {key: placeholders(text) for key, text in catalogue("en").items()}
    for language in languages():
        assert {key: placeholders(text) for key, text in catalogue(language).items()} == english


@pytest.mark.parametrize("language", languages())
def test_values_have_plain_names(language: str) -> None:
    """No positions, attributes, formats or signs that are no placeholder: whatever a value is, it fits."""
    for key, text in catalogue(language).items():
        assert all(PLAIN.fullmatch(name) for name in placeholders(text)), key
        filled = text.format_map(dict.fromkeys(placeholders(text), "x"))
        assert "{" not in filled, key


def test_keys_that_the_code_names_are_there() -> None:
    """A text that the code asks for by its whole key."""
    asked = {
        key
        for path in CODE
        if path.is_relative_to(ROOT / "bot")  # `words` of the core are those of a language
        for call in nodes_of(path)
        if isinstance(call, ast.Call) and name_of(call) in CALLED and call.args
        for key in literal(call.args[0])
        if "." in key
    }
    assert {key for key in asked if not Texts("en").has(key)} == set()


@given(
    key=st.sampled_from(sorted(catalogue("en"))),
    values=st.dictionaries(
        st.sampled_from(["name", "title", "self", "key", "count", "example"]),
        st.one_of(st.text(st.characters(exclude_categories=()), max_size=30), st.integers(), st.floats()),
    ),
    language=st.sampled_from([*languages(), "", "xx"]),
)
def test_no_text_fails_whatever_it_gets(
    key: str, values: dict[str, str | int | float], language: str
) -> None:
    log, texts = logging.getLogger("bot.presentation.i18n"), Texts(language)
    log.disabled = True
    try:
        said = texts(key, **values)
    finally:
        log.disabled = False
    missing = placeholders(catalogue(texts.language)[key]) - set(values)
    assert said.count(NO_VALUE) >= len(missing)


def test_a_missing_value_and_a_missing_text_are_logged(unfilled_texts: list[str]) -> None:
    assert Texts("en")("missing.party") == f"No source in the library for {NO_VALUE}."
    assert Texts("de")("no.such.text", name="x") == "no.such.text"
    assert unfilled_texts == ["the text missing.party has no value for name", "there is no text no.such.text"]
    unfilled_texts.clear()


FAMILIES: dict[str, Iterable[str]] = {
    "capacity.": [field.name for field in fields(Capacity)],
    "capacity.of_": capacity(MOST_PASSAGES, 1_000_000).extrapolated,
    "cli.init_": [
        f"{platform}_{each}"
        for platform, names in ASKED.items()
        for name in names
        for each in (name, INSTEAD.get(name, name))
    ],
    "cli.init_write_": ASKED,
    "cite.": (*PassageKind, *Verdict),
    "command.files_": FILES,
    "command.last_": OF_LAST_ANSWER,
    "correction.": Recheck,
    "draft.": (*Verdict, "unchecked", "number", "place", "words", "verdict", "stands"),
    "feedback.": FeedbackVerdict,
    "reasons.by_": ("both", "words", "meaning", "reference", "name", "neighbour", "quotes", "model"),
    "scope.type_": DocumentType,
    "source.": HoldReason,
    "subscription.": (*NewsKind, *Rhythm),
    "summary.": SourceChangeKind,
    "upload.": IngestStatus,
    "verify.": Verdict,
    "verify.cut_": LeftOut,
    "verify.changed_": (ChangeKind.NEGATION, ChangeKind.NUMBER, ChangeKind.WORD),
    "why.kind_": RecordKind,
    "kind.": DocumentType,
    "staff.result_": CheckResult,
    "why.outcome_": Outcome,
    "why.version_": VersionStatus,
}
"""Texts that are asked for by what a value of the domain is."""
ASSEMBLED = (
    "cli.letter_",
    "link.",
    "commands.",
    "options.",
    "warning.",
    "help.",
    "menu.",
    "button.",
    "missing.",
    "compare.",
    "staff.decide",
    "upload.",
    "field.",
    "language.",
    "answer.sure_",
)
"""Beginnings of keys that end in a name of the code's: a warning, a command, a stage, a status."""


def spelt() -> set[str]:
    """Every string that the code spells out, except where the keys are declared."""
    return {
        node.value
        for path in CODE
        if path.name != "message_keys.py"
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("language", languages())
def test_every_key_that_is_told_has_its_text_and_no_other_error_has(language: str) -> None:
    texts = catalogue(language)
    told = {key for key in (*get_args(ToldKey), *get_args(DetailKey)) if {key, f"error.{key}"} & set(texts)}
    assert told == set(get_args(ToldKey))
    assert set(get_args(NoticeKey)) - set(texts) == set()


def test_no_key_is_declared_in_vain() -> None:
    declared = {*get_args(ToldKey), *get_args(DetailKey), *get_args(NoticeKey)}
    assert declared - spelt() == set()


def test_every_text_is_somebodys() -> None:
    named = {f"{prefix}{value}" for prefix, family in FAMILIES.items() for value in family}
    errors = {f"error.{key}" for key in get_args(ToldKey)}
    advice = {f"advice.{key}" for key in (*get_args(ToldKey), *get_args(DetailKey))}
    known = spelt() | named | errors | advice | set(get_args(ToldKey))
    lost = {
        key
        for key in catalogue("en")
        if not {key, key.removesuffix("_one"), key.removesuffix("_none")} & known
        and not key.startswith(ASSEMBLED)
    }
    assert lost == set()


def test_every_keys_error_says_what_to_do() -> None:
    """An error that has no text of its own is told by its detail."""
    mute = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in CODE
        for call in nodes_of(path)
        if isinstance(call, ast.Call) and name_of(call) in OF_ERRORS and len(call.args) == 1
        if set(literal(call.args[0])) & set(get_args(DetailKey))
    ]
    assert mute == []


@pytest.mark.parametrize(
    ("language", "first", "moment", "month"),
    [
        ("de", "1. Januar 2026", "12. März 2026, 14:05 UTC", "März 2026"),
        ("en", "1 January 2026", "12 March 2026, 14:05 UTC", "March 2026"),
        ("fr", "1er janvier 2026", "12 mars 2026, 14:05 UTC", "mars 2026"),
    ],
)
def test_days_are_written_as_people_write_them(language: str, first: str, moment: str, month: str) -> None:
    texts, at = Texts(language), datetime(2026, 3, 12, 14, 5, tzinfo=UTC)
    assert first in texts("cite.version", date=date(2026, 1, 1))
    assert moment in texts("why.head", trace="t", time=at)
    assert texts.month(at) == month


def test_french_counts_nothing_in_the_singular() -> None:
    said = {count: Texts("fr")("upload.pages", pages=count, passages=2) for count in (0, 1, 2)}
    assert [each.partition(",")[0] for each in said.values()] == ["0 page", "1 page", "2 pages"]
    assert Texts("de")("upload.pages", pages=0, passages=1) == "0 Seiten, 1 Stelle"
    assert Texts("en")("upload.pages", pages=0, passages=1) == "0 pages, 1 passage"


@pytest.mark.parametrize("language", languages())
def test_every_month_has_its_name(language: str) -> None:
    days = {Texts(language).month(date(2026, month, 1)) for month in range(1, 13)}
    assert len(days) == len(catalogue(language)["date.months"].split()) == 12


@pytest.mark.parametrize("language", languages())
def test_no_line_ends_between_a_word_and_the_sign_that_a_space_sets_apart(language: str) -> None:
    texts = catalogue(language)
    before, behind = texts["typography.apart_before"].split(), texts["typography.apart_behind"].split()
    loose = [*(f" {sign}" for sign in before), *(f"{sign} " for sign in behind)]
    assert [key for key, text in texts.items() if any(each in text for each in loose)] == []


def test_french_sets_its_signs_apart() -> None:
    assert Texts("fr")("summary.list") == "Résumés\N{NO-BREAK SPACE}:"
    assert Texts("en")("summary.list") == "Summaries:"
