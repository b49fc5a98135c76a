import contextlib
import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.manifest import parse_manifest, read_manifest
from core.domain.documents import GLOBAL, DocumentFields, DocumentType
from core.domain.registry import (
    Derivation,
    Government,
    Jurisdiction,
    Party,
    RegisteredDocument,
    Registry,
)
from core.errors import Refused

DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[2] / "../shared/data"))

WHOLE = """
[defaults]
language = "de"
collection = "internal"
tags = ["wahl"]

[[jurisdiction]]
code = "XA-Nord"
name = "Nordmuster"
aliases = ["NM"]
parent = "eu"

[[party]]
name = "Alpha"
aliases = "Die Alphas"
members = ["A1", "A2"]
jurisdictions = ["xa"]

[[government]]
jurisdiction = "xa"
parties = ["Alpha"]
from = 2020-01-01
to = 2024-12-31

[[document]]
file = "programme/a.pdf"
url = "https://example.org/a.pdf"
mirrors = ["https://example.net/a.pdf"]
title = "Programm"
collection = "public"
jurisdiction = "xa-nord"
party = "Alpha"
type = "manifesto"
language = "en"
valid_from = 2025-01-01
valid_to = 2029-12-31
series = "programm"
reference = "Nr. 7"
tags = []
max_pages = 30
derived_from = "b.pdf"
amends = "c.pdf"
schedule = "every 6h"

[[document]]
url = "https://example.org/b"
jurisdiction = "global"
party = ["A1", "A2"]

[[derivation]]
document = "programme/a.pdf"
section = "rule:3"
from = "b.pdf"
from_section = "section:4"
"""


def refusal(text: str) -> list[str]:
    with pytest.raises(Refused) as caught:
        parse_manifest(text)
    assert caught.value.key == "manifest.invalid"
    return caught.value.detail.split("\n")


def test_all_keys() -> None:
    assert parse_manifest(WHOLE) == Registry(
        jurisdictions=(Jurisdiction(code="xa-nord", name="Nordmuster", aliases=("NM",), parent="eu"),),
        parties=(Party(name="Alpha", aliases=("Die Alphas",), members=("A1", "A2"), jurisdictions=("xa",)),),
        governments=(
            Government(
                jurisdiction="xa", parties=("Alpha",), since=date(2020, 1, 1), until=date(2024, 12, 31)
            ),
        ),
        documents=(
            RegisteredDocument(
                key="programme/a.pdf",
                collection="public",
                file="programme/a.pdf",
                url="https://example.org/a.pdf",
                fields=DocumentFields(
                    title="Programm",
                    language="en",
                    jurisdiction="xa-nord",
                    parties=("Alpha",),
                    doc_type=DocumentType.MANIFESTO,
                    valid_from=date(2025, 1, 1),
                    valid_to=date(2029, 12, 31),
                    series="programm",
                    reference="Nr. 7",
                    tags=(),
                    max_pages=30,
                    derived_from="b.pdf",
                    amends="c.pdf",
                    source_uri="https://example.org/a.pdf",
                    mirrors=("https://example.net/a.pdf",),
                    schedule="every 6h",
                ),
            ),
            RegisteredDocument(
                key="https://example.org/b",
                collection="internal",
                url="https://example.org/b",
                fields=DocumentFields(
                    title="",
                    language="de",
                    jurisdiction=GLOBAL,
                    parties=("A1", "A2"),
                    tags=("wahl",),
                    source_uri="https://example.org/b",
                ),
            ),
        ),
        derivations=(
            Derivation(
                document="programme/a.pdf", section="rule:3", source="b.pdf", source_section="section:4"
            ),
        ),
    )


def test_empty_manifest() -> None:
    assert parse_manifest("") == Registry()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[documents]]\n", 'unknown key "documents"; did you mean "document"?'),
        ("[documnt]\n", 'unknown key "documnt"; did you mean "document"?'),
        ("[document]\nfile='a'", "document: write it with double brackets, [[document]]"),
        ("document = [1]", "document: write it with double brackets, [[document]]"),
        ("defaults = 1", "defaults: write it as a table, [defaults]"),
        ("[defaults]\nlangauge='de'", '[defaults]: unknown key "langauge"; did you mean "language"?'),
        (
            "[defaults]\nmax_pages='4'\n[[document]]\nfile='a'",
            "[defaults]: \"max_pages\" is '4'; write a whole number without quotes",
        ),
        ("[[party]]\n", '[[party]] 1: "name" is missing; add it'),
        ("[[party]]\nname=''", "[[party]] 1 (): \"name\" is ''; write something between the quotes"),
        ("[[document]]\n", '[[document]] 1: "file" or "url" is missing; say what to read'),
        (
            "[[document]]\nfile='a.pdf'\ntitel='A'",
            '[[document]] 1 (a.pdf): unknown key "titel"; did you mean "title"?',
        ),
        (
            "[[document]]\nfile='a'\n[[document]]\nfile='b.pdf'\nvalid_from='2025-01-01'",
            "[[document]] 2 (b.pdf): \"valid_from\" is '2025-01-01'; "
            "write a date without quotes, such as 2025-01-31",
        ),
        (
            "[[document]]\nfile='a'\nvalid_from=2025-01-02\nvalid_to=2025-01-01",
            '[[document]] 1 (a): "valid_to" (2025-01-01) lies before "valid_from" (2025-01-02); '
            "correct one of them",
        ),
        (
            "[[document]]\nfile='a'\nparty=[1]",
            '[[document]] 1 (a): "party" is 1; write text in quotes',
        ),
        (
            "[[document]]\nfile='a'\nparty=1",
            '[[document]] 1 (a): "party" is 1; write a list of texts, such as ["A", "B"]',
        ),
        (
            "[[document]]\nfile='a'\nlanguage='german'",
            "[[document]] 1 (a): \"language\" is 'german'; write two letters, such as de or en",
        ),
        (
            "[[document]]\nfile='a'\nschedule='sometimes'",
            "[[document]] 1 (a): \"schedule\" is 'sometimes'; "
            'write "every 6h" (m, h, d) or the five fields of cron',
        ),
        (
            "[[document]]\nurl='file:///etc/passwd'",
            "[[document]] 1 (file:///etc/passwd): \"url\" is 'file:///etc/passwd'; "
            "write an address that begins with https:// or http://",
        ),
        (
            "[[document]]\nfile='a'\nmax_pages=0",
            '[[document]] 1 (a): "max_pages" is 0; write a number from 1 on',
        ),
        (
            "[[jurisdiction]]\ncode='Bayern!'\nname='Bayern'",
            "[[jurisdiction]] 1 (Bayern!): \"code\" is 'bayern!'; "
            "write an ISO 3166 code in lower case, such as de or de-nw",
        ),
    ],
)
def test_one_mistake(text: str, line: str) -> None:
    assert refusal(text) == [f"library.toml: {line}"]


def test_types_are_listed() -> None:
    [line] = refusal("[[document]]\nfile='a'\ntype='manifest'")
    assert line.startswith(
        "library.toml: [[document]] 1 (a): \"type\" is 'manifest'; write one of 'manifesto',"
    )


def test_all_mistakes_are_reported_together() -> None:
    assert len(refusal("[[party]]\nnam='x'\n[[document]]\nfile='a'\nmax_pages='1'\nlanguage=3\n[x]")) == 5


def test_broken_toml_says_where() -> None:
    [line] = refusal("[[party]\nname='x'")
    assert "line 1" in line


@pytest.mark.parametrize("schedule", ["every 30m", "every 6h", "every 1 d", "0 6 * * 1-5"])
def test_schedules(schedule: str) -> None:
    [row] = parse_manifest(f'[[document]]\nfile="a"\nschedule="{schedule}"').documents
    assert row.fields.schedule == schedule


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Refused):
        assert isinstance(parse_manifest(text), Registry)


SCALARS = st.one_of(st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.dates(), st.none())


@given(
    st.dictionaries(
        st.sampled_from(["file", "party", "type", "valid_from", "valid_to", "max_pages", "tags", "url", "x"]),
        SCALARS | st.lists(SCALARS, max_size=2),
    )
)
def test_any_value_is_read_or_refused(row: dict[str, object]) -> None:
    lines = [f"{key} = {toml(value)}" for key, value in row.items() if value is not None]
    with contextlib.suppress(Refused):
        assert len(parse_manifest("\n".join(["[[document]]", *lines])).documents) == 1


def toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value if item is not None) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    return str(value)


def test_parties_get_their_canonical_names() -> None:
    text = "[[party]]\nname='GRÜNE'\naliases=['Grüne']\n[[document]]\nfile='a'\nparty='grüne'"
    assert parse_manifest(text).documents[0].fields.parties == ("GRÜNE",)


def test_the_same_file_twice() -> None:
    with pytest.raises(Refused) as caught:
        parse_manifest("[[document]]\nfile='a'\n[[document]]\nfile='a'\ntitle='A'")
    assert caught.value.key == "registry.contradiction"


class TestFiles:
    def test_byte_order_mark_and_windows_line_ends(self, tmp_path: Path) -> None:
        path = tmp_path / "library.toml"
        path.write_bytes(b"\xef\xbb\xbf[[party]]\r\nname = 'X'\r\n")
        assert read_manifest(path).parties == (Party(name="X"),)

    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(Refused) as caught:
            read_manifest(tmp_path / "library.toml")
        assert caught.value.key == "manifest.missing"

    def test_folder(self, tmp_path: Path) -> None:
        with pytest.raises(Refused) as caught:
            read_manifest(tmp_path)
        assert caught.value.key == "manifest.missing"

    def test_other_encoding(self, tmp_path: Path) -> None:
        path = tmp_path / "library.toml"
        path.write_bytes("[[party]]\nname = 'Grüne'".encode("latin-1"))
        with pytest.raises(Refused, match="UTF-8"):
            read_manifest(path)


@pytest.mark.parametrize(("folder", "documents"), [("manifestos", 23), ("statutes", 13)])
def test_real_manifests(folder: str, documents: int) -> None:
    path = DATA / folder / "library.toml"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    registry = read_manifest(path)
    assert len(registry.documents) == documents
    assert all((path.parent / str(row.file)).exists() for row in registry.documents)
