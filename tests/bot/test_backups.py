"""An installation is backed up, and comes back in another folder, on either store, with everything in it."""

import asyncio
import hashlib
import json
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adapters.database.database import Database
from adapters.database.migrate import newest
from adapters.database.tables import metadata
from adapters.files.folder import FolderFiles
from adapters.qdrant.edge import EdgeIndex
from bot.presentation.i18n import Texts
from bot.service.backups import Backups, ScheduledBackups, made_at
from bot.service.checks import State
from bot.service.diagnosis import backup_check
from bot.service.watches import ClockWatch
from bot.settings.tree import Settings, load, without_secrets
from bot.wiring.backups import backups_of, scheduled_backups
from bot.wiring.index import INDEX, index_of_copy
from bot.wiring.models import dimensions
from bot.wiring.services import SystemClock, records
from bot.wiring.transfers import check_backup, migrated, restore_backup
from core.domain.backups import DATABASE, BackupManifest
from core.domain.ids import LibraryId
from core.domain.search import IndexPoint
from core.errors import Broken, FundstelleError, Refused
from core.ports.clock import Clock
from core.search.scoped_index import ScopedIndex
from tests.database.test_moving import content, filled
from tests.support import index_points
from tests.support.databases import postgresql_url, sqlite_url, with_another_step

PDF = b"%PDF-1.7 the kept file"
ORIGINAL = hashlib.sha256(PDF).hexdigest() + ".pdf"
SECRETS = ("123456:telegram-token-value", "password-of-the-database", "key-of-a-fallback")
SETTINGS = f"""
language = "de"
[telegram]
token = "{SECRETS[0]}"
[llm]
model = "openai/one"
fallbacks = ["openai/two", {{ model = "mistral/three", api_key = "{SECRETS[2]}" }}]
[[chat]]
platform = "telegram"
id = "42"
audience = "public"
"""


def points(count: int, primary: int, secondary: int) -> list[IndexPoint]:
    rng = np.random.default_rng(4)
    unit = index_points.unit_vectors
    return [
        IndexPoint(
            passage=point.passage,
            version=point.version,
            primary=unit(rng, primary),
            secondary=unit(rng, secondary),
            windows=unit(rng, 2, secondary),
            lexical=point.lexical,
        )
        for point in index_points.points(count, of=index_points.version("a"))
    ]


class Installation:
    """A data folder with a library in it, and a bot's keys, of which nothing is invented by halves."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.settings: Settings = load(data=folder).settings
        self.index: ScopedIndex | None = None

    async def fill(self) -> None:
        rows = await filled(self.url)
        database = await Database.open(self.url)
        async with database.write() as connection:
            await connection.execute(metadata.tables["versions"].update().values(original=ORIGINAL))
        await database.close()
        for name, kept in {
            f"originals/{ORIGINAL}": PDF,
            "originals/.new-half": b"half",
            "keys/pseudonyms.key": b"k" * 32,
            "library.toml": b"# a manifest",
            "uploads/1/job.json": b"{}",
            "models/e5.onnx": b"prepared again",
        }.items():
            file = self.folder / name
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_bytes(kept)
            file.chmod(0o600)  # as the commands leave it, whatever the umask of the tests is
        (self.folder / "matrix").mkdir()
        store = sqlite3.connect(self.folder / "matrix" / "@bot:example.org_DEVICE.db")
        store.execute("CREATE TABLE accounts (account)")
        store.execute("INSERT INTO accounts VALUES ('pickled')")
        store.commit()
        store.close()
        library = LibraryId(rows["library_id"][0]["id"])
        primary, secondary = dimensions(self.settings)
        self.index = ScopedIndex(
            EdgeIndex(self.folder / INDEX, library=library, primary=primary, secondary=secondary)
        )
        for collection, count in (("public", 230), ("staff", 7)):
            await self.index.upsert(collection, points(count, primary, secondary))

    @property
    def backups(self) -> Backups:
        return backups_of(self.settings, SystemClock(), FolderFiles(self.settings.data), self.index)


@pytest.fixture(params=["sqlite", "postgresql"])
async def installed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any) -> Any:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "fundstelle.toml").write_text(SETTINGS)
    url = sqlite_url(folder / "fundstelle.sqlite3")
    with monkeypatch.context() as stated:
        if request.param == "postgresql":
            url = await postgresql_url(request.getfixturevalue("postgresql"))
            joint = "&" if "?" in url else "?"
            stated.setenv("FUNDSTELLE_DATABASE_URL", f"{url}{joint}application_name={SECRETS[1]}")
        made = Installation(folder, url)
    await made.fill()
    yield made
    assert made.index is not None
    await made.index.close()


@pytest.fixture
async def backup(installed: Installation, tmp_path: Path) -> Path:
    file = tmp_path / "a.zip"
    await installed.backups.create(file, collections=["public", "staff"])
    return file


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.relative_to(folder).parts[0] not in (INDEX, "models", "fundstelle.toml")
        and not path.name.startswith((".", "fundstelle.sqlite3"))
    }


def without(folder: Path, *beginnings: str) -> dict[str, bytes]:
    return {name: kept for name, kept in files(folder).items() if not name.startswith(beginnings)}


async def settled(url: str) -> dict[str, Any]:
    """The content of a database, apart from what a restored one does not take up again."""
    found = await content(url)
    return {name: rows for name, rows in found.items() if name not in ("outbox", "leases")}


async def test_everything_comes_back(
    installed: Installation, backup: Path, tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, outbox = await settled(installed.url), len((await content(installed.url))["outbox"])
    other = tmp_path / "other"
    crossing = installed.url.startswith("sqlite")  # each store into the other one
    target = await postgresql_url(postgresql) if crossing else f"sqlite:///{other}/fundstelle.sqlite3"
    if crossing:
        monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", target)
    settings = load(data=other).settings
    done = await restore_backup(settings, backup)
    assert await settled(target) == wanted
    assert len((await content(target))["outbox"]) == outbox
    assert without(other, "matrix") == without(installed.folder, "matrix")
    with sqlite3.connect(other / "matrix" / "@bot:example.org_DEVICE.db") as store:
        assert store.execute("SELECT account FROM accounts").fetchall() == [("pickled",)]
    store.close()
    assert not list(other.glob(".backup-*"))
    ours = [path for path in other.rglob("*") if path.relative_to(other).parts[0] != INDEX]
    assert [path.name for path in ours if path.stat().st_mode & 0o077] == []
    again = load(data=other).settings
    assert (again.language, again.chat[0].id, len(again.llm.fallbacks)) == ("de", "42", 2)
    assert set(done.manifest.secrets) >= {"telegram.token", "llm.fallbacks.1.api_key"}
    library = LibraryId(wanted["library_id"][0][1])
    index = await index_of_copy(settings, library, *dimensions(settings))
    assert installed.index is not None
    for collection in ("public", "staff"):
        assert await index.counts(collection) == await installed.index.counts(collection)
        its, _ = await installed.index.points(collection, limit=1000)
        back, _ = await index.points(collection, limit=1000)
        for was, now in zip(its, back, strict=True):
            np.testing.assert_allclose(was.windows, now.windows, atol=1e-3)
            assert (was.passage, was.lexical) == (now.passage, now.lexical)
    await index.close()


async def test_no_secret_is_in_it(installed: Installation, backup: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
    assert not [secret for secret in SECRETS if secret.encode() in everything]
    assert b"k" * 32 in everything
    assert not [name for name in archive.namelist() if name.startswith("models/") or "/.new-" in name]


async def test_what_the_settings_say_goes_without_secrets(installed: Installation) -> None:
    plain = without_secrets(installed.settings)
    assert plain.tree["llm"] == {
        "model": "openai/one",
        "fallbacks": ["openai/two", {"model": "mistral/three"}],
    }
    assert "data" not in plain.tree
    assert not [secret for secret in SECRETS if secret in json.dumps(plain.tree)]


async def test_a_key_that_was_put_elsewhere_stays_apart(
    installed: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUNDSTELLE_RETENTION__KEY_FILE", str(tmp_path / "elsewhere.key"))
    made = backups_of(load(data=installed.folder).settings, SystemClock(), FolderFiles(installed.folder))
    manifest = await made.create(tmp_path / "b.zip")
    assert not [entry.name for entry in manifest.entries if entry.name.startswith("keys")]
    assert manifest.points is None


async def test_another_library_is_left_as_it_is(
    installed: Installation, backup: Path, tmp_path: Path
) -> None:
    before = await content(installed.url), files(installed.folder)
    with pytest.raises(Refused) as caught:
        await restore_backup(installed.settings, backup)
    assert caught.value.key == "backup.not_empty"
    assert (await content(installed.url), files(installed.folder)) == before


async def test_whoever_looked_before_is_no_library_yet(
    installed: Installation, backup: Path, tmp_path: Path
) -> None:
    settings = load(data=tmp_path / "other").settings
    async with records(settings):
        """As `doctor` does: a database without rows, a key."""
    done = await restore_backup(settings, backup)
    (aside,) = done.set_aside
    assert aside.startswith("keys.before-restore-")
    assert (tmp_path / "other" / "keys" / "pseudonyms.key").read_bytes() == b"k" * 32


@pytest.mark.parametrize("at", [1, 4, 9])
async def test_interrupted_it_is_done_again(
    installed: Installation, backup: Path, tmp_path: Path, at: int
) -> None:
    steps = 0

    def stop(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps == at:
            raise KeyError(at)

    settings = load(data=tmp_path / "other").settings
    with pytest.raises(KeyError):
        await restore_backup(settings, backup, stop)
    assert not (tmp_path / "other" / "fundstelle.sqlite3").exists()
    await restore_backup(settings, backup)
    url = f"sqlite:///{tmp_path / 'other'}/fundstelle.sqlite3"
    assert await settled(url) == await settled(installed.url)


def damage(backup: Path) -> None:
    """One byte of the kept file."""
    whole = backup.read_bytes()
    with zipfile.ZipFile(backup) as archive:
        place = whole.index(PDF, archive.getinfo(f"originals/{ORIGINAL}").header_offset)
    backup.write_bytes(whole[:place] + b"X" + whole[place + 1 :])


async def test_a_damaged_one_is_told_and_never_restored(
    installed: Installation, backup: Path, tmp_path: Path
) -> None:
    assert (await check_backup(installed.settings, backup)).problems == ()
    damage(backup)
    found = await check_backup(installed.settings, backup)
    assert len(found.problems) == 1
    assert ORIGINAL in found.problems[0]
    other = tmp_path / "other"
    with pytest.raises(Refused, match=ORIGINAL):
        await restore_backup(load(data=other).settings, backup)
    assert not (other / "fundstelle.sqlite3").exists()
    assert files(other) == {}


async def test_a_kept_file_that_is_lost_is_told(installed: Installation, tmp_path: Path) -> None:
    (installed.folder / "originals" / ORIGINAL).unlink()
    manifest = await installed.backups.create(tmp_path / "b.zip")
    assert manifest.missing == (ORIGINAL,)
    assert (await check_backup(installed.settings, tmp_path / "b.zip")).problems == ()


async def test_what_comes_and_goes_meanwhile_is_in_it(installed: Installation, tmp_path: Path) -> None:
    """A document is deleted for good, and another one ingested, while kept files are copied."""
    late = hashlib.sha256(b"late").hexdigest() + ".pdf"

    def change(_file: str, _stage: str, done: int, total: int) -> None:
        if done < total:
            return
        (installed.folder / "originals" / ORIGINAL).unlink(missing_ok=True)
        (installed.folder / "originals" / late).write_bytes(b"late")

    manifest = await installed.backups.create(tmp_path / "b.zip", report=change)
    assert {entry.name for entry in manifest.entries} >= {f"originals/{ORIGINAL}", f"originals/{late}"}
    assert manifest.missing == ()


async def test_an_index_that_another_process_has_is_said_at_once(
    installed: Installation, tmp_path: Path
) -> None:
    assert installed.index is not None
    library = LibraryId((await content(installed.url))["library_id"][0][1])
    second = ScopedIndex(EdgeIndex(installed.folder / INDEX, library=library, primary=3, secondary=4))
    with pytest.raises(Broken, match="in use"):
        await backups_of(
            installed.settings, SystemClock(), FolderFiles(installed.settings.data), second
        ).create(tmp_path / "b.zip", collections=["public"])
    await second.close()
    assert not (tmp_path / "b.zip").exists()


async def test_before_a_migration_the_database_is_kept(
    installed: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if installed.url.startswith("postgresql"):
        monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", installed.url)
    settings = load(data=installed.folder).settings
    older = with_another_step(monkeypatch, tmp_path / "steps")
    found = await migrated(settings)
    assert (found.before, found.now) == (older, newest())
    (file,) = (installed.folder / "backups").iterdir()
    assert file == found.kept
    checked = await check_backup(settings, file)
    assert checked.problems == ()
    assert checked.manifest is not None
    assert checked.manifest.database.revision == older
    assert checked.manifest.without_originals
    monkeypatch.delenv("FUNDSTELLE_DATABASE_URL", raising=False)
    await restore_backup(load(data=tmp_path / "other").settings, file)
    url = f"sqlite:///{tmp_path / 'other'}/fundstelle.sqlite3"
    assert await settled(url) == await settled(installed.url)


class Hands(Clock):
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


class Counted:
    """Backups that are only files."""

    def __init__(self) -> None:
        self.fails: FundstelleError | None = None

    async def create(self, file: Path, **_: object) -> BackupManifest | None:
        if self.fails:
            raise self.fails
        await asyncio.to_thread(file.parent.mkdir, exist_ok=True)
        await asyncio.to_thread(file.write_bytes, b"backup")
        return None


@pytest.fixture
def scheduled(tmp_path: Path) -> Callable[..., tuple[ScheduledBackups, Hands, Counted]]:
    def made(
        hours: float = 24, keep: int = 3, wrong: list[datetime] | None = None
    ) -> tuple[ScheduledBackups, Hands, Counted]:
        clock, backups = Hands(), Counted()

        async def check() -> None:
            if clock.at in (wrong or []):
                raise Broken("clock.wrong", "set it")

        async def none() -> list[str]:
            return []

        return (
            ScheduledBackups(
                backups=backups,  # type: ignore[arg-type]  # its files alone matter here
                folder=tmp_path / "backups",
                every=timedelta(hours=hours),
                keep=keep,
                collections=none,
                clock=clock,
                check_clock=check,
            ),
            clock,
            backups,
        )

    return made


async def test_one_is_made_when_it_is_due_and_the_last_ones_are_kept(
    scheduled: Callable[..., tuple[ScheduledBackups, Hands, Counted]],
) -> None:
    each, clock, _ = scheduled()
    each.folder.mkdir()
    (each.folder / "fundstelle-my-own.zip").write_bytes(b"the operator's")
    for hour in range(24 * 6):
        await each.once()
        assert max(made_at(each.folder).values()) > clock.at - timedelta(hours=24), hour
        assert len(made_at(each.folder)) <= 3
        clock.at += timedelta(hours=1)
    days = sorted(at.day for at in made_at(each.folder).values())
    assert days == [4, 5, 6]
    assert (each.folder / "fundstelle-my-own.zip").exists()


@pytest.mark.parametrize("keep", [1, 2, 5])
async def test_as_many_are_kept_as_the_settings_say(
    keep: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of real ones, and whatever else lies there stays; with fewer to be kept, more go the next time."""
    monkeypatch.setenv("FUNDSTELLE_BACKUP__EVERY_HOURS", "24")
    monkeypatch.setenv("FUNDSTELLE_BACKUP__KEEP", str(keep))
    sqlite_url(tmp_path / "fundstelle.sqlite3")
    settings, clock = load(data=tmp_path).settings, Hands()

    async def nobody() -> datetime | None:
        return None

    async def none() -> list[str]:
        return []

    async def no_servers() -> dict[str, timedelta]:
        return {}

    watch = ClockWatch(clock, nobody, nobody, no_servers)
    made = scheduled_backups(settings, backups_of(settings, clock, FolderFiles(settings.data)), none, watch)
    (tmp_path / "backups").mkdir()
    others = {"fundstelle-mine.zip", "before-migration-0012-20260301T000000Z.zip"}
    for name in others:
        (tmp_path / "backups" / name).touch()
    days = []
    for _ in range(4):
        await made.once()
        days.append(clock.at)
        clock.at += timedelta(days=1)
    assert sorted(made_at(tmp_path / "backups").values()) == days[-keep:]
    assert others < {file.name for file in (tmp_path / "backups").iterdir()}
    fewer = replace(made, keep=1)
    await fewer.once()
    assert [*made_at(tmp_path / "backups").values()] == [clock.at]


def test_doctor_says_how_old_the_newest_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, words = datetime(2026, 3, 9, 12, tzinfo=UTC), Texts("en")
    unscheduled = backup_check(load(data=tmp_path).settings, now, words)
    assert (unscheduled.state, "every_hours" in unscheduled.advice) == (State.WARN, True)
    monkeypatch.setenv("FUNDSTELLE_BACKUP__EVERY_HOURS", "24")
    settings = load(data=tmp_path).settings
    assert backup_check(settings, now, words).state is State.OK
    (tmp_path / "backups").mkdir()
    for day, state in (("05", State.WARN), ("08", State.OK)):
        (tmp_path / "backups" / f"fundstelle-202603{day}T120000Z.zip").touch()
        assert backup_check(settings, now, words).state is state
    assert "24 hours old" in backup_check(settings, now, words).message
    (tmp_path / "backups" / "fundstelle-20260309T120030Z.zip").touch()
    assert "0 hours old" in backup_check(settings, now, words).message
    (tmp_path / "backups" / "fundstelle-20260312T120000Z.zip").touch()
    ahead = backup_check(settings, now, words)
    assert (ahead.state, "in the future, 2026-03-12 12:00 UTC" in ahead.message) == (State.WARN, True)
    assert "clock" in ahead.advice
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("FUNDSTELLE_BACKUP__FOLDER", str(tmp_path / "no folder" / "backups"))
    nowhere = backup_check(load(data=tmp_path).settings, now, words)
    assert (nowhere.state, "ReadWritePaths" in nowhere.advice) == (State.FAIL, True)


async def test_a_clock_that_was_wrong_stops_nothing(
    scheduled: Callable[..., tuple[ScheduledBackups, Hands, Counted]],
) -> None:
    each, clock, _ = scheduled(keep=2)
    clock.at += timedelta(days=4000)
    await each.once()
    clock.at -= timedelta(days=4000)
    for _ in range(3):
        await each.once()
        clock.at += timedelta(days=1)
    assert sorted(at.year for at in made_at(each.folder).values()) == [2026, 2026]


async def test_a_clock_that_is_wrong_now_takes_no_backup_away(
    scheduled: Callable[..., tuple[ScheduledBackups, Hands, Counted]],
) -> None:
    """By its times those that were made before would be of the future, and go first."""
    wrong: list[datetime] = []
    each, clock, _ = scheduled(keep=2, wrong=wrong)
    for _ in range(2):
        await each.once()
        clock.at += timedelta(days=1)
    kept = set(made_at(each.folder))
    clock.at -= timedelta(days=4000)
    for _ in range(3):
        wrong.append(clock.at)
        with pytest.raises(Broken, match="set it"):
            await each.once()
        clock.at += timedelta(days=1)
    assert kept < set(made_at(each.folder))


async def test_one_that_fails_costs_no_older_one_and_none_is_made_unasked(
    scheduled: Callable[..., tuple[ScheduledBackups, Hands, Counted]],
) -> None:
    each, clock, backups = scheduled(keep=1)
    await each.once()
    clock.at += timedelta(days=2)
    backups.fails = Broken("disk.full", "no room")
    with pytest.raises(Broken):
        await each.once()
    assert len(made_at(each.folder)) == 1
    never, _, _ = scheduled(hours=0)
    backups.fails = None
    await never.once()
    assert len(made_at(each.folder)) == 1
    assert DATABASE not in {path.name for path in made_at(each.folder)}
