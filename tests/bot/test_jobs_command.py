"""The commands `jobs` and `registry`, on a database of their own."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from adapters.database.library import SqlLibrary
from bot.cli.root import app
from bot.library.audit import shell_user
from bot.library.sources.jobs import LEASE
from bot.settings.tree import Settings
from core.domain.documents import Document
from core.domain.ids import DocumentId
from core.domain.ingestion import CheckResult, Hold, HoldReason, SourceState
from core.domain.registry import Registry
from tests.support.leases import held_by_term
from tests.support.refreshing import URL, id_of, listed

NOW = datetime.now(UTC)
HELD = SourceState(
    document=id_of(),
    checked_at=NOW,
    result=CheckResult.HELD,
    next_run=NOW + timedelta(hours=6),
    hold=Hold(reason=HoldReason.SHRANK, at=NOW, sha256="ab", values={"before": 80, "now": 2, "part": 3}),
)
Work = Callable[[SqlLibrary, SqlSources], Awaitable[Any]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def stored(data: Path, work: Work) -> Any:
    """Do something with the database."""

    data.mkdir(exist_ok=True)

    async def body() -> Any:
        database = await Database.open(f"sqlite:///{data / 'fundstelle.sqlite3'}")
        try:
            return await work(SqlLibrary(database), SqlSources(database))
        finally:
            await database.close()

    return asyncio.run(body())


@pytest.fixture
def held(data: Path) -> Path:
    """A scheduled document with a change that is held."""

    async def work(library: SqlLibrary, sources: SqlSources) -> None:
        fields = listed().fields
        document = Document(id=id_of(), collection="public", key=URL, file="programme.pdf", fields=fields)
        await library.save_document(document)
        await sources.save_source(HELD)

    stored(data, work)
    return data


def run(data: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, [*arguments, "--data", str(data)])
    return done.exit_code, done.stdout


def run_json(data: Path, *arguments: str) -> tuple[int, Any]:
    status, out = run(data, *arguments, "--json")
    return status, json.loads(out)


class TestJobs:
    def test_none(self, data: Path) -> None:
        stored(data, lambda library, _: library.registry())
        assert run_json(data, "jobs") == (0, {"jobs": [], "queued": False})

    def test_are_listed(self, held: Path) -> None:
        status, found = run_json(held, "jobs")
        assert status == 0
        assert found["jobs"] == [
            {
                "id": id_of(),
                "title": "Programm",
                "url": URL,
                "mirrors": [],
                "schedule": "every 6h",
                "in_library": True,
                "next_run": (NOW + timedelta(hours=6)).isoformat(),
                "due": False,
                "last_run": NOW.isoformat(),
                "result": "held",
                "error": None,
                "failures": 0,
                "held": {
                    "reason": "shrank",
                    "at": NOW.isoformat(),
                    "sha256": "ab",
                    "values": {"before": 80, "now": 2, "part": 3},
                },
            }
        ]

    def test_are_shown_with_what_to_do(self, held: Path) -> None:
        status, out = run(held, "jobs")
        assert status == 0
        assert "has shrunk from 80 to 2 pages, 3 % of the text" in out
        assert f'--approve "{id_of()}" accepts the change' in out

    def test_of_a_manifest_that_was_only_registered(self, data: Path) -> None:
        stored(data, lambda library, _: library.save_registry(Registry(documents=(listed(),))))
        _, found = run_json(data, "jobs")
        assert [(job["in_library"], job["due"]) for job in found["jobs"]] == [(False, True)]

    def test_reject(self, held: Path) -> None:
        status, found = run_json(held, "jobs", "--reject", "Programm")
        assert (status, found["jobs"][0]["held"]) == (0, None)
        state = stored(held, lambda _, sources: sources.source(id_of()))
        assert (state.dismissed, state.hold) == ("shrank:ab", None)
        _, kept = run_json(held, "audit")
        (entry,) = kept["entries"]
        assert (entry["action"], entry["name"]) == ("reject", f"shell:{shell_user()}")
        assert (entry["title"], entry["values"]) == ("Programm", {"collection": "public", "held": "shrank"})
        _, out = run(held, "audit")
        assert f"shell:{shell_user()}  reject  Programm  collection=public  held=shrank" in out

    @pytest.mark.parametrize("option", ["--run", "--approve"])
    def test_a_running_bot_does_it(self, held: Path, option: str) -> None:
        stored(held, lambda _, sources: held_by_term(sources._database, LEASE, "bot", timedelta(minutes=5)))
        status, found = run_json(held, "jobs", option, URL)
        assert (status, found["queued"]) == (0, True)
        state = stored(held, lambda _, sources: sources.source(id_of()))
        assert state.approved is (option == "--approve")
        assert state.next_run <= datetime.now(UTC)
        _, kept = run_json(held, "audit")
        assert [entry["action"] for entry in kept["entries"]] == (
            ["approve"] if option == "--approve" else []
        )

    @pytest.mark.parametrize(
        "name", ["Programm", " programm ", "Progr", "programme.pdf", "programme", URL, id_of()]
    )
    def test_what_is_listed_can_be_named_as_any_document_can(self, held: Path, name: str) -> None:
        """By how it begins, by its file without the ending: nobody is told that it has no schedule."""
        stored(held, lambda _, sources: held_by_term(sources._database, LEASE, "bot", timedelta(minutes=5)))
        status, found = run_json(held, "jobs", "--run", name)
        assert (status, found["queued"], len(found["jobs"])) == (0, True, 1)

    @pytest.mark.parametrize("name", ["Programm", "progr", "Pro  gramm", URL])
    def test_of_a_manifest_it_can_be_named_too(self, data: Path, name: str) -> None:
        async def work(library: SqlLibrary, sources: SqlSources) -> None:
            await library.save_registry(Registry(documents=(listed(),)))
            await held_by_term(sources._database, LEASE, "bot", timedelta(minutes=5))

        stored(data, work)
        status, found = run_json(data, "jobs", "--run", name)
        if name == "Pro  gramm":
            assert (status, found["error"]["code"]) == (2, "document.unknown")
        else:
            assert (status, found["queued"], len(found["jobs"])) == (0, True, 1)

    @pytest.mark.parametrize(("result", "status"), [(CheckResult.UPDATED, 0), (CheckResult.FAILED, 1)])
    def test_without_a_running_bot_it_is_done_here(
        self, held: Path, monkeypatch: pytest.MonkeyPatch, result: CheckResult, status: int
    ) -> None:
        @asynccontextmanager
        async def opened(_: Settings, **_more: object) -> AsyncIterator[Any]:
            database = await Database.open(f"sqlite:///{held / 'fundstelle.sqlite3'}")

            async def check(document: DocumentId) -> None:
                now = datetime.now(UTC)
                state = SourceState(document=document, result=result, next_run=now + timedelta(hours=6))
                await SqlSources(database).save_source(state)

            yield SimpleNamespace(sources=SimpleNamespace(check=check))
            await database.close()

        monkeypatch.setattr("bot.wiring.services.opened", opened)
        done, found = run_json(held, "jobs", "--run", "Programm")
        assert done == status
        assert (found["queued"], found["jobs"][0]["result"]) == (False, result.value)

    def test_nothing_to_approve(self, held: Path) -> None:
        stored(held, lambda _, sources: sources.save_source(replace(HELD, hold=None)))
        status, found = run_json(held, "jobs", "--approve", "Programm")
        assert (status, found["error"]["code"]) == (1, "job.nothing_held")

    def test_an_unknown_document(self, held: Path) -> None:
        status, found = run_json(held, "jobs", "--run", "Anderes")
        assert (status, found["error"]["code"]) == (2, "document.unknown")

    def test_one_thing_at_a_time(self, held: Path) -> None:
        assert run(held, "jobs", "--run", "a", "--reject", "b")[0] == 2


GOOD = """
[[document]]
file = "a.pdf"
title = "Satzung"
jurisdiction = "de"

[[document]]
url = "https://example.org/programme.pdf"
title = "Programm"
schedule = "0 4 * * *"
"""


class TestRegistryCheck:
    def manifest(self, data: Path, text: str, name: str = "library.toml") -> None:
        data.mkdir(exist_ok=True)
        (data / name).write_text(text, encoding="utf-8")
        (data / "a.pdf").write_bytes(b"%PDF-1.7")

    def test_in_order(self, data: Path) -> None:
        self.manifest(data, GOOD)
        status, found = run_json(data, "registry", "check")
        assert status == 0
        assert found == {
            "documents": 2,
            "errors": [],
            "warnings": [],
            "missing": ["a.pdf", "https://example.org/programme.pdf"],
            "due": [{"title": "Programm", "url": "https://example.org/programme.pdf"}],
        }
        status, out = run(data, "registry", "check")
        assert "due: Programm" in out
        assert "2 documents listed, 0 errors, 0 warnings" in out

    def test_what_is_held_already(self, held: Path) -> None:
        self.manifest(held, GOOD)
        _, found = run_json(held, "registry", "check")
        assert (found["missing"], found["due"]) == (["a.pdf"], [])

    def test_nothing_is_saved(self, data: Path) -> None:
        self.manifest(data, GOOD)
        run(data, "registry", "check")
        registry = stored(data, lambda library, _: library.registry())
        assert registry == Registry()

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (("a.pdf", "b.pdf"), "document b.pdf: there is no such file beside library.toml"),
            (("0 4 * * *", "0 25 * * *"), "'0 25 * * *' is no schedule"),
            (('"de"', '"de-nowhere"'), "jurisdiction 'de-nowhere' is unknown"),
        ],
    )
    def test_mistakes(self, data: Path, change: tuple[str, str], said: str) -> None:
        self.manifest(data, GOOD.replace(*change))
        status, found = run_json(data, "registry", "check")
        assert status == 1
        assert len(found["errors"]) == 1
        assert said in found["errors"][0]

    def test_contradictions_between_manifests(self, data: Path) -> None:
        self.manifest(data, GOOD)
        self.manifest(data, GOOD.replace("Satzung", "Statut"), "other.toml")
        files = [str(data / name) for name in ("library.toml", "other.toml")]
        status, found = run_json(data, "registry", "check", *files)
        assert status == 1
        assert "title is 'Satzung' in" in found["errors"][0]

    def test_a_manifest_that_is_not_there(self, data: Path) -> None:
        status, found = run_json(data, "registry", "check")
        assert (status, found["error"]["code"]) == (2, "manifest.missing")
        assert "name the file that you have" in found["error"]["message"]
