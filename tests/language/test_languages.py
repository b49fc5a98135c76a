"""The language files: whole, used, and of phrases that fit into patterns."""

import re
from dataclasses import fields, is_dataclass, replace
from typing import get_type_hints

import pytest

from core.language.languages import every, of, read, tags
from core.language.patterns import PLACE, filled, pattern
from core.language.question_words import Everyday, Phrases, Words
from core.language.words import Language
from tests.support.repository import ROOT, modules

FIELDS = {
    (table, field): hint
    for table, kind in get_type_hints(Language).items()
    if is_dataclass(kind)
    for field, hint in get_type_hints(kind).items()
}
FILES = {path.stem: path.read_text("utf-8") for path in (ROOT / "core" / "language").glob("*.toml")}


def places() -> set[tuple[str, str]]:
    """Tables and fields that the code and the phrases name in their shapes."""
    texts = [text for path in modules() if "language.patterns import" in (text := path.read_text("utf-8"))]
    texts += FILES.values()
    return {(each[1], each[2]) for text in texts for each in PLACE.finditer(text)}


def test_there_are_files_for_german_and_english() -> None:
    assert {"de", "en"} <= set(tags())
    assert tags() == tuple(sorted(FILES))


def test_a_language_without_a_file_is_read_as_english() -> None:
    assert of("xx") is of("en")


def test_every_place_of_a_shape_is_a_field() -> None:
    known = {*FIELDS, ("table", "field")}
    assert {place for place in places() if place[0] in {table for table, _ in known}} <= known


@pytest.mark.parametrize(("table", "field"), [each for each, hint in FIELDS.items() if hint == Phrases])
def test_phrases_may_stand_as_alternatives(table: str, field: str) -> None:
    """They compile, capture nothing, and match more than nothing."""
    for language in every():
        for phrase in getattr(getattr(language, table), field):
            compiled = re.compile(filled(phrase, [language]))
            assert compiled.groups == 0, (language.tag, phrase)
            assert not compiled.fullmatch(""), (language.tag, phrase)


def test_every_field_is_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in modules() if not path.name.endswith("words.py"))
    used = places() | {(table, field) for table, field in FIELDS if f"{table}.{field}" in code}
    by_name = {(table, field) for table, field in FIELDS if re.search(rf"\.{field}\b|\"{field}\"", code)}
    assert set(FIELDS) <= used | by_name


def test_a_shape_holds_the_words_of_every_language_at_once() -> None:
    finds = pattern(r"^(?:{follow_ups.leading})\b")
    for language in every():
        assert all(finds().match(filled(each, [language])) for each in language.follow_ups.leading)


def test_a_place_in_a_phrase_is_filled_from_its_own_language() -> None:
    english = of("en")
    greeting = replace(english.small_talk, hello=("hi|hey",), openings=("{small_talk.hello} there",))
    assert filled("{small_talk.openings}", [replace(english, small_talk=greeting)]) == "hi|hey there"


@pytest.mark.parametrize("tag", sorted(FILES))
def test_what_a_file_lacks_or_has_too_much_is_named(tag: str) -> None:
    lacking = re.sub(r"(?m)^conjunction = .*$", "", FILES[tag])
    with pytest.raises(ValueError, match=rf"{tag}\.toml: follow_ups: missing: conjunction"):
        read(tag, lacking)
    with pytest.raises(ValueError, match=rf"{tag}\.toml: unknown: nonsense"):
        read(tag, 'nonsense = "x"\n' + FILES[tag])
    with pytest.raises(ValueError, match="conjunction: a value of another type: 3"):
        read(tag, re.sub(r"(?m)^conjunction = .*$", "conjunction = 3", FILES[tag]))


def test_all_fields_are_of_types_that_the_reader_knows() -> None:
    assert set(FIELDS.values()) <= {Words, Phrases, Everyday, str, bool}
    assert {field.name for field in fields(Language)} >= {table for table, _ in FIELDS}
