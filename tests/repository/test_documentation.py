"""The documentation keeps up with the code."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from adapters.database.migrate import newest
from bot.cli.root import app
from core.domain.backups import FORMAT
from tests.support import markdown
from tests.support.repository import ROOT, tracked
from tests.support.view_examples import kinds

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
OPERATORS = sorted((ROOT / "docs" / "operators").glob("*.md"))


def _commands() -> set[str]:
    group = typer.main.get_command(app)
    return set(group.commands)  # type: ignore[attr-defined]


def test_every_key_of_a_result_is_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[`\"]([a-z][a-z0-9_@]*)[`\"]", text))
    keys = {
        field.serialization_alias or name for view in kinds() for name, field in view.model_fields.items()
    }
    assert len(keys) > 50
    assert keys - named == set()


@pytest.mark.parametrize("file", ["README.md", "docs/json.md", "CHANGELOG.md"])
def test_every_command_is_documented_and_no_other(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert {
        name for name in _commands() if not re.search(rf"(`|## |, )(fundstelle )?{name}\b", text)
    } == set()
    if file == "README.md":
        assert set(re.findall(r"^\| `fundstelle (\w+)", text, flags=re.M)) == _commands()


@pytest.mark.parametrize(
    "file", [path for path in tracked() if path.suffix == ".md"], ids=lambda path: path.name
)
def test_links_inside_the_repository_lead_somewhere(file: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)", file.read_text(encoding="utf-8"))
    assert [target for target in targets if not (file.parent / target).exists()] == []


def test_the_index_of_decisions_names_each_by_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8").replace("\n  ", " ")
    listed = re.findall(r"^- \[(.+)\]\((\d{4}-[a-z0-9-]+\.md)\)$", index, flags=re.M)
    titles = {
        path.name: path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
        for path in folder.glob("0*.md")
    }
    assert sorted((name, title) for title, name in listed) == sorted(titles.items())


def test_the_index_of_lab_notes_names_each_by_its_title() -> None:
    folder = ROOT / "docs" / "lab"
    listed = re.findall(
        r"^- \[(.+)\]\(([a-z]+\.md)\)$", (folder / "README.md").read_text("utf-8"), flags=re.M
    )
    titles = [
        (path.read_text("utf-8").split("\n", 1)[0].removeprefix("# "), path.name)
        for path in folder.glob("*.md")
        if path.name != "README.md"
    ]
    assert sorted(listed) == sorted(titles)


def test_the_site_leads_to_every_page() -> None:
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    named = re.findall(
        r"^ +- (?:[\w ]+: )?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), flags=re.M
    )
    assert sorted(named) == sorted(page for page in pages if not page.startswith("decisions/0"))


def test_scripts_and_sets_that_lab_notes_name_exist() -> None:
    here = ["/" + path.relative_to(ROOT).as_posix() for path in tracked()]
    for path in (ROOT / "docs" / "lab").glob("*.md"):
        named = re.findall(r"`([\w./]+\.(?:py|jsonl|toml|sh))`", path.read_text("utf-8"))
        assert [name for name in named if not any(file.endswith(f"/{name}") for file in here)] == [], (
            path.name
        )


def test_types_that_the_glossary_names_exist() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    named = set(re.findall(r"\(`([A-Z]\w+)`\)", text))
    code = "".join(path.read_text("utf-8") for path in tracked() if path.suffix == ".py")
    assert len(named) > 20
    assert named - set(re.findall(r"^class (\w+)", code, flags=re.M)) == set()


def test_the_version_is_said_and_shells_may_complete() -> None:
    said = CliRunner().invoke(app, ["--version"])
    assert (said.exit_code, said.output) == (0, f"fundstelle {version('fundstelle')}\n")
    assert "--install-completion" in CliRunner().invoke(app, ["--help"]).output


@pytest.mark.parametrize("file", markdown.files(), ids=lambda path: path.name)
def test_prose_keeps_to_120_columns(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert markdown.reflowed(text) == text, "run `make format`"


@pytest.mark.parametrize(
    ("text", "reflowed"),
    [
        ("- " + "word " * 30, "- " + "word " * 22 + "word\n  " + "word " * 6 + "word"),
        ("| " + "word " * 30, "| " + "word " * 30),
        ("```\n" + "word " * 30 + "\n```", "```\n" + "word " * 30 + "\n```"),
        ("short\nlines", "short\nlines"),
    ],
)
def test_prose_is_wrapped_and_nothing_else(text: str, reflowed: str) -> None:
    assert markdown.reflowed(text) == reflowed


@pytest.mark.parametrize("file", ["architecture.md", *(f"operators/{path.name}" for path in OPERATORS)])
def test_places_that_are_named_exist(file: str) -> None:
    text = (ROOT / "docs" / file).read_text(encoding="utf-8")
    roots = "adapters|benchmarks|bot|core|docs|examples|migrations|tests"
    named = re.findall(rf"`((?:{roots})/[\w./-]*)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


def _anchors(file: Path) -> list[tuple[str, str]]:
    """The second headings of a page, and what a link names them by."""
    titles = re.findall(r"^## (.+)$", file.read_text(encoding="utf-8"), flags=re.M)
    return [(title, re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")) for title in titles]


def test_the_contents_of_the_operators_pages_name_every_section() -> None:
    text = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.+)\]\(operators/([\w-]+)\.md#([\w-]+)\)$", text, flags=re.M)
    sections = [(title, path.stem, anchor) for path in OPERATORS for title, anchor in _anchors(path)]
    assert sorted(listed) == sorted(sections)


def test_the_table_of_versions_ends_with_what_this_one_writes() -> None:
    """A change of the database behind a release has a row of its own, called "unreleased"."""
    text = (ROOT / "docs" / "operators" / "backup.md").read_text(encoding="utf-8")
    *_, (revision, form) = re.findall(r"^\| [^|]+ \| revision (\d+) \| format (\d+) \|", text, flags=re.M)
    assert (revision, int(form)) == (newest(), FORMAT)


@pytest.mark.parametrize("file", DECISIONS, ids=lambda path: path.stem[:4])
def test_a_decision_has_a_context_consequences_and_alternatives(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, flags=re.M)
    assert headings[1:] == ["Context", "Decision", "Consequences", "Alternatives not taken"]
    assert text.startswith(f"# {int(file.name[:4])}. ")


def test_functions_that_are_named_exist() -> None:
    """A name in a row of the architecture page stands in a file or a folder of that row."""
    rows = (
        (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Where to start")[2].splitlines()
    )
    checked = 0
    for row in (row for row in rows if row.startswith("| ")):
        spans = re.findall(r"`@?([\w./-]+)`", row)
        files = [file for span in spans if "/" in span for file in _files(ROOT / span)]
        names = [span.split(".")[-1] for span in spans if re.fullmatch(r"\w*\.?_?\w+", span)]
        texts = [file.read_text("utf-8") for file in files]
        for name in (name for name in names if files and name not in {"serve", "doctor", "init", "start"}):
            assert any(re.search(rf"\b{name}\b", text) for text in texts), f"{name}: {row}"
            checked += 1
    assert checked > 15


def _files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]
