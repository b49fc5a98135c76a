"""`fundstelle doctor`: what works, what does not, and what to do about it."""

import asyncio
import os
import shlex
import shutil
import stat
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from bot.presentation.i18n import ENGLISH, Texts
from bot.service.backups import made_at
from bot.service.checks import Check, Line, State, platform_findings
from bot.service.index_checks import LibraryChecks, RunningBot
from bot.service.watches import clock_check
from bot.settings.tree import Loaded, Settings
from core.domain.journal import Backlog
from core.domain.models import Completion
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.clock import SKEW
from core.ports.journal import Journal

Running = RunningBot

MIN_FREE_BYTES = 1_000_000_000

PROVIDERS = {"telegram": "https://api.telegram.org", "slack": "https://slack.com"}
"""Addresses of platforms not given in the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probes:
    """Probes of what the adapters use, as configured. Anything missing or out of order raises
    FundstelleError. `library` opens the stores, creating them; `require_library` creates nothing."""

    containment: Callable[[Settings], Awaitable[str]]
    recognition: Callable[[Settings], Awaitable[str]]
    office: Callable[[], str]
    virus_scanner: Callable[[Settings], Awaitable[str]]
    set_aside: Callable[[Settings], int]
    damaged_indexes: Callable[[Settings], list[Path]]
    try_models: Callable[[Settings], Awaitable[list[tuple[str, Completion | FundstelleError]]]]
    platforms: Callable[[Settings], dict[str, ChatPlatform]]
    slack_manifest: Callable[[Settings, Texts], Mapping[str, object]]
    journal: Callable[[Settings], AbstractAsyncContextManager[Journal]]
    library: Callable[[Settings], AbstractAsyncContextManager[LibraryChecks]]
    require_library: Callable[[Settings], Awaitable[None]]
    clocks: Callable[[Settings], Awaitable[Mapping[str, timedelta]]]


async def diagnose(
    load: Callable[[], Loaded], probes: Probes, texts: Texts = ENGLISH, running: RunningBot | None = None
) -> list[Check]:
    """All checks in order; those that depend on a failed one are left out. `running`: the bot in whose
    process this is."""
    try:
        loaded = load()
    except FundstelleError as error:
        return [Check.of("settings", False, error.detail, texts("doctor.mend_settings"))]
    checks = [Check.of("settings", True, origin_of(loaded)), _folder(loaded.settings.data, texts)]
    if checks[-1].state is State.FAIL:
        return checks
    checks.append(_permissions(loaded.settings.data, texts))
    checks.append(_source_code(loaded.settings.source_url, texts))
    checks.append(await _checked("pdf", lambda: probes.containment(loaded.settings), texts))
    checks.append(await _text_recognition(loaded.settings, probes, texts))
    checks.append(Check.of("other formats", True, texts("doctor.formats", office=probes.office())))
    checks.append(await _checked("virus scanner", lambda: probes.virus_scanner(loaded.settings), texts))
    checks.append(_quarantine(loaded.settings, probes, texts))
    checks.append(backup_check(loaded.settings, datetime.now(UTC), texts))
    checks += clock_check(await probes.clocks(loaded.settings), datetime.now(UTC), texts)
    checks += bare_keys(loaded.settings, texts)
    checks += await language_models(loaded.settings, probes, texts)
    checks += await _journal(loaded.settings, probes, texts)
    checks += await (running.checks(texts) if running else _platforms(loaded.settings, probes, texts))
    try:
        async with nullcontext(running.library) if running else probes.library(loaded.settings) as library:
            damaged = probes.damaged_indexes(loaded.settings)
            checks += [
                await _checked("database", lambda: library.database(texts), texts),
                await _checked("models", lambda: library.models(texts), texts),
                await _checked("reranker", lambda: library.reranker(texts), texts),
                *await _lines("index", library.index_lines(damaged, texts), texts),
                *await _lines("kept files", library.file_lines(texts), texts),
                *await _lines("uploads", library.upload_lines(texts), texts),
                await _checked("library", lambda: library.library(texts), texts),
                await _checked("references", lambda: library.cross_references(texts), texts),
            ]
    except FundstelleError as error:
        checks.append(Check.failed("stores", error, texts))
    return checks


def origin_of(loaded: Loaded) -> str:
    """Which sources the settings came from."""
    return ", ".join(sorted(set(loaded.origins.values()))) or "defaults"


def _folder(folder: Path, texts: Texts) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        return Check.of("data folder", False, f"{folder}: {error}", texts("doctor.other_data"))
    if not os.access(folder, os.W_OK):
        return Check.of(
            "data folder", False, texts("doctor.unwritable", folder=str(folder)), texts("doctor.change_owner")
        )
    free = shutil.disk_usage(folder).free
    advice = "" if free >= MIN_FREE_BYTES else texts("doctor.make_room")
    found = texts("doctor.free", folder=str(folder), gigabytes=f"{free / 1e9:.1f}")
    return Check.of("data folder", not advice, found, advice)


def _permissions(folder: Path, texts: Texts) -> Check:
    """Older folders were readable by others too; an operator may want that."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    advice = texts("doctor.close_folder", folder=shlex.quote(str(folder))) if mode & 0o077 else ""
    return Check.of("permissions", True, texts("doctor.mode", mode=f"{mode:04o}"), advice)


def _source_code(url: str, texts: Texts) -> Check:
    """Anybody who lets others use a changed version over a network has to offer them its source (section 13
    of the AGPL)."""
    if url:
        return Check.of("source code", True, texts("doctor.source_offered", url=url))
    return Check.of("source code", True, texts("doctor.source_unnamed"), texts("doctor.name_source"))


async def _checked(name: str, check: Callable[[], Awaitable[str | tuple[str, str]]], texts: Texts) -> Check:
    """The result of `check`, with advice if there is any."""
    try:
        found = await check()
        return Check.of(name, True, *((found,) if isinstance(found, str) else found))
    except FundstelleError as error:
        return Check.failed(name, error, texts)


def _quarantine(settings: Settings, probes: Probes, texts: Texts) -> Check:
    count = probes.set_aside(settings)
    advice = texts("doctor.read_quarantine") if count else ""
    return Check.of("quarantine", not count, texts("doctor.set_aside", count=count), advice)


def backup_check(settings: Settings, now: datetime, texts: Texts) -> Check:
    """The backups that `serve` makes; others are unknown here."""
    every, folder = settings.backup.every_hours, settings.backup.place(settings.data)
    made = made_at(folder)
    if not every and not made:
        return Check.of("backups", True, texts("doctor.backup_none"), texts("doctor.schedule_backups"))
    late = texts("doctor.backup_late", folder=str(folder)) if every else ""
    if every and not _can_be_written(folder):
        message = texts("doctor.unwritable", folder=str(folder))
        return Check.of("backups", False, message, texts("doctor.backup_folder"))
    if not made:
        return Check.of("backups", True, texts("doctor.backup_due", folder=str(folder)))
    newest = max(made.values())
    if newest > now + SKEW:
        message = texts("doctor.backup_ahead", at=f"{newest:%Y-%m-%d %H:%M} UTC", folder=str(folder))
        return Check.of("backups", True, message, texts("doctor.backup_clock"))
    hours = max(0.0, (now - newest).total_seconds() / 3600)
    message = texts("doctor.backup_newest", hours=f"{hours:.0f}", folder=str(folder))
    return Check.of("backups", True, message, late if hours > 2 * every else "")


def _can_be_written(folder: Path) -> bool:
    """Whether files can be written to `folder`, or it can be created."""
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return existing.is_dir() and os.access(existing, os.W_OK)


def bare_keys(settings: Settings, texts: Texts) -> list[Check]:
    """Checks for keys and passwords sent unencrypted, except to this machine itself."""
    return [
        Check.of(name, True, texts("doctor.bare_key", url=url), texts("doctor.use_https"))
        for name, url, key in _servers(settings)
        if urlsplit(url).scheme == "http"
        and not is_here(url)
        and (key.get_secret_value() or name == "matrix")
    ]


def _servers(settings: Settings) -> list[tuple[str, str, SecretStr]]:
    """The configured services, each with its address ("" for the provider's own) and its key."""
    slack, matrix = settings.slack, settings.matrix
    return [
        ("qdrant", settings.qdrant.url, settings.qdrant.api_key),
        ("files", settings.files.endpoint, settings.files.secret_key),
        ("telegram", settings.telegram.api_base, settings.telegram.token),
        ("slack", slack.api_base, slack.bot_token),
        ("matrix", matrix.homeserver, matrix.access_token),
        *(("language model", each.api_base, each.api_key) for each in settings.llm.models),
    ]


def server_addresses(settings: Settings) -> list[str]:
    """The names of servers on other machines that the bot uses with these settings."""
    used = [(name, url) for name, url, key in _servers(settings) if url or key.get_secret_value()]
    stated = dict.fromkeys(url or PROVIDERS.get(name, "") for name, url in used)
    return [url for url in stated if url and not is_here(url)]


def is_here(url: str) -> bool:
    """Whether an address is one of this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


async def _text_recognition(settings: Settings, probes: Probes, texts: Texts) -> Check:
    """Nobody has to have it: scans are then refused with the command that installs it."""
    try:
        return Check.of("text recognition", True, await probes.recognition(settings))
    except FundstelleError as error:
        return Check.of("text recognition", True, texts("doctor.no_recognition"), error.detail)


async def language_models(settings: Settings, probes: Probes, texts: Texts = ENGLISH) -> list[Check]:
    """One check for each configured model; having none is fine."""
    if not settings.llm.model:
        return [Check.of("language model", True, texts("doctor.no_model"))]
    checks = []
    for name, answer in await probes.try_models(settings):
        if isinstance(answer, FundstelleError):
            checks.append(Check.failed("language model", answer, texts))
        else:
            found = texts("doctor.answered", name=name, seconds=f"{answer.seconds:.1f}")
            checks.append(Check.of("language model", True, found))
    return checks


async def _journal(settings: Settings, probes: Probes, texts: Texts) -> list[Check]:
    """Works alongside a running process, unlike the others."""
    try:
        async with probes.journal(settings) as journal:
            lines = journal_lines(await journal.backlog(), datetime.now(UTC), texts)
            return [Check.of(*line) for line in lines]
    except FundstelleError as error:
        return [Check.failed("journal", error, texts)]


async def _platforms(settings: Settings, probes: Probes, texts: Texts) -> list[Check]:
    """The self-checks of the configured chat platforms."""
    served = probes.platforms(settings)
    if not served:
        return [Check.of("platforms", True, texts("doctor.no_platform"))]
    findings = await asyncio.gather(*(platform_findings(platform, texts) for platform in served.values()))
    return [
        Check.of(name, finding.ok, finding.what, finding.advice)
        for name, found in zip(served, findings, strict=True)
        for finding in found
    ]


async def _lines(name: str, lines: Awaitable[list[Line]], texts: Texts) -> list[Check]:
    try:
        return [Check.of(*line) for line in await lines]
    except FundstelleError as error:
        return [Check.failed(name, error, texts)]


# The findings of `doctor` about the journal: backlog, failures, and when old data was last removed.

LONGEST_WAIT = timedelta(minutes=10)
"""A message waiting longer than this is probably not being processed."""

LAST_PURGE = timedelta(days=1)


def journal_lines(backlog: Backlog, now: datetime, texts: Texts = ENGLISH) -> Iterator[Line]:
    """One line each about inbox, outbox and retention."""
    yield _inbox(backlog, now, texts)
    yield _outbox(backlog, now, texts)
    yield _retention(backlog, now, texts)
    yield _clock(backlog, now, texts)


def _inbox(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    age = _age(backlog.oldest_waiting, now, texts)
    counts = {"waiting": backlog.waiting, "working": backlog.working, "dead": backlog.dead}
    found = texts("doctor.inbox", age=age, **counts)
    stuck = backlog.oldest_waiting is not None and now - backlog.oldest_waiting > LONGEST_WAIT
    advice = texts("doctor.start_serve") if stuck else ""
    if backlog.dead:
        advice = texts("doctor.list_letters")
    return "inbox", not advice, found, advice


def _outbox(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    age = _age(backlog.oldest_pending, now, texts)
    lost = {"failed": backlog.failed, "unknown": backlog.unknown}
    found = texts("doctor.outbox", pending=backlog.pending, age=age, sending=backlog.sending, **lost)
    advice = texts("doctor.see_letters") if any(lost.values()) else ""
    return "outbox", not advice, found, advice


def _retention(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    if backlog.purged_at is None:
        return "retention", True, texts("doctor.nothing_kept"), ""
    late = now - backlog.purged_at > LAST_PURGE
    advice = texts("doctor.serve_removes") if late else ""
    return "retention", True, texts("doctor.purged", time=_ago(now - backlog.purged_at, texts)), advice


def _clock(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    """Check that stored timestamps are not in the future."""
    stamps = (backlog.purged_at, backlog.oldest_waiting, backlog.oldest_pending)
    ahead = max((stamp - now for stamp in stamps if stamp is not None), default=timedelta())
    time = f"{now:%Y-%m-%d %H:%M} UTC"
    if ahead <= SKEW:
        return "clock", True, time, ""
    return (
        "clock",
        False,
        texts("doctor.clock_back", time=time, span=_ago(ahead, texts)),
        texts("doctor.set_clock"),
    )


def _age(oldest: datetime | None, now: datetime, texts: Texts) -> str:
    return texts("doctor.oldest", time=_ago(now - oldest, texts)) if oldest and oldest < now else ""


def _ago(span: timedelta, texts: Texts) -> str:
    minutes = int(span.total_seconds() // 60)
    if minutes < 120:
        return f"{max(0, minutes)} min"
    return f"{minutes // 60} h" if minutes < 60 * 48 else texts("doctor.days", count=minutes // (60 * 24))
