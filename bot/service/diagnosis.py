"""`fundstelle doctor`: what works, what does not, and what to do about it; among it whether the index and
the stored files contain what the database says they must, asked inside the process of the running bot."""

import asyncio
import os
import shlex
import shutil
import stat
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from bot.answers.questions import Questions
from bot.answers.references import References, lost_in_words
from bot.chat.uploads import broken_jobs
from bot.library.documents import Documents
from bot.library.upkeep import IndexUpkeep, Reindexing, in_words
from bot.presentation.i18n import ENGLISH, Texts
from bot.service.backups import made_at
from bot.service.checks import Check, Line, State, platform_findings
from bot.service.standing import Lookout, Standing
from bot.service.watches import clock_check
from bot.settings.tree import Loaded, Settings
from core.domain.ids import DocumentId
from core.domain.journal import Backlog
from core.domain.models import Completion
from core.errors import FundstelleError
from core.library.proving import UNPROVEN
from core.ports.chat import ChatPlatform
from core.ports.clock import SKEW
from core.ports.journal import Journal
from core.ports.storage import FileStore, Originals

SHOWN = 3
"""Maximum number of document names shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryChecks:
    """Checks made once the stores are open. Each raises FundstelleError if a store does not respond."""

    documents: Documents
    questions: Questions
    references: References
    reindexing: Reindexing
    upkeep: IndexUpkeep
    originals: Originals
    store: FileStore

    async def database(self, texts: Texts = ENGLISH) -> str:
        """The finding about the database."""
        return texts("cli.documents", count=len(await self.documents.held()))

    async def models(self, texts: Texts = ENGLISH) -> str:
        """The finding about loading the encoders."""
        await self.questions.warm_up()
        vector = await self.reindexing.ingester.primary.query("Mindestlohn")
        pipeline = self.reindexing.ingester.pipeline
        return texts("doctor.models", pipeline=str(pipeline), count=vector.shape[0])

    async def reranker(self, texts: Texts = ENGLISH) -> str:
        """The finding about loading the reranker."""
        found = self.questions.searcher.reranker
        if found is None:
            return texts("doctor.none")
        await found.reranker.warm_up()
        return found.reranker.name

    async def library(self, texts: Texts = ENGLISH) -> tuple[str, str]:
        """The finding about documents being ready to be asked, and what to do."""
        ready = await self.documents.editions()
        if not await self.documents.held():
            return texts("doctor.no_document"), ""
        stale = [edition for edition in ready if not self.reindexing.ingester.is_current(edition)]
        if stale:
            return texts("doctor.stale", count=len(stale)), texts("doctor.reindex")
        unproven = [
            f"{edition.document.fields.title} {warning.partition(':')[2]}"
            for edition in ready
            for warning in edition.version.warnings
            if warning.startswith(UNPROVEN)
        ]
        advice = texts("doctor.unproven", what="; ".join(unproven[:SHOWN])) if unproven else ""
        return texts("doctor.ready", count=len(ready)), advice

    async def cross_references(self, texts: Texts = ENGLISH) -> str:
        """Cross-references that lead nowhere. "its act": state `derived_from`, and ingest that document."""
        collections = sorted({document.collection for document in await self.documents.held()})
        if not collections:
            return texts("doctor.none_yet")
        lost = await self.references.unresolved(collections)
        return texts("doctor.lost", what=lost_in_words(lost)) if lost else texts("doctor.all_lead")

    async def index_lines(self, damaged: list[Path], texts: Texts = ENGLISH) -> list[Line]:
        """A line about the index, and one about `damaged` ones: folders that were set aside. Raises
        FundstelleError if it does not respond."""
        found = [await self._index(texts)]
        if damaged:
            where = ", ".join(str(folder) for folder in damaged)
            advice = texts("doctor.check_disk")
            message = texts("doctor.damaged_index", folders=where, advice=advice)
            found.append(("damaged indexes", found[0][1], message, advice))
        return found

    async def _index(self, texts: Texts) -> Line:
        lacking = await self.upkeep.completeness.lacking()
        if lacking:
            return "index", False, in_words(lacking, texts), texts("doctor.rebuild")
        holdings = await self.documents.holdings()
        counts: Counter[str] = Counter()
        for each in holdings:
            counts[each.collection] += each.passages
        held = [texts("doctor.passages", name=name, count=count) for name, count in sorted(counts.items())]
        return "index", True, "; ".join(held) or texts("doctor.empty"), ""

    async def file_lines(self, texts: Texts = ENGLISH) -> list[Line]:
        """A line about the files that pages are shown from, and that documents are rebuilt from, all of them
        read: about two seconds per gigabyte on a disk. Raises FundstelleError if their store does not
        respond."""
        return [await self._originals(texts)]

    async def upload_lines(self, texts: Texts = ENGLISH) -> list[Line]:
        """A line about uploads that cannot be read. Raises FundstelleError if their store does not
        respond."""
        broken = await broken_jobs(self.store)
        advice = texts("doctor.ask_again", folders=", ".join(broken)) if broken else ""
        return [("uploads", not broken, texts("doctor.damaged_jobs", count=len(broken)), advice)]

    async def _originals(self, texts: Texts) -> Line:
        holdings = await self.documents.holdings()
        files = {each.original: each.document for each in holdings}
        stored = {each.key async for each in self.originals.listing() if each.key in files}
        damaged = [name for name in sorted(stored) if not await self._is_whole(name)]
        lines = []
        for key, lacking in (
            ("doctor.missing_files", sorted(files.keys() - stored)),
            ("doctor.damaged_files", damaged),
        ):
            if lacking:
                names = await self._shown([files[name] for name in lacking], texts)
                lines.append(texts(key, count=len(lacking), all=len(files), names=names))
        if not lines:
            return "kept files", True, texts("doctor.files", count=len(files)), ""
        return "kept files", False, "; ".join(lines), texts("doctor.bring_back")

    async def _is_whole(self, original: str) -> bool:
        """Whether a kept file and the PDF of its pages are intact."""
        return await self.originals.is_whole(original) and await self.originals.pages(original) is not None

    async def _shown(self, documents: Sequence[DocumentId], texts: Texts) -> str:
        """The names of the first of these documents' files, and how many more there are."""
        found = [await self.documents.document(each) for each in documents[:SHOWN]]
        more = texts("doctor.more", count=len(documents) - SHOWN) if len(documents) > SHOWN else ""
        return ", ".join(document.file for document in found if document is not None) + more


@dataclass(frozen=True, slots=True)
class RunningBot:
    """The parts of the running bot needed for checks."""

    library: LibraryChecks
    lookout: Lookout

    async def checks(self, texts: Texts) -> list[Check]:
        """Whether it answers, and which platforms it reaches; these report their own problems."""
        platforms = self.lookout.platforms
        standing = await self.lookout.look()
        findings = await asyncio.gather(
            *(platform_findings(each, texts, close=False) for each in platforms.values())
        )
        return [
            *_standing_checks(standing, texts),
            *(
                Check.of(name, finding.ok, finding.what, finding.advice)
                for name, found in zip(platforms, findings, strict=True)
                for finding in found
            ),
        ]


def _standing_checks(standing: Standing, texts: Texts) -> Iterator[Check]:
    yield Check.of("running bot", not standing.obstacles, *_answering(standing, texts))
    for name, contact in standing.contacts.items():
        why = standing.broken[name].key if name in standing.broken else contact.error
        seen = f"{contact.at:%Y-%m-%d %H:%M} UTC" if contact.at else texts("cli.never")
        reached = texts("doctor.reached", time=seen)
        yield Check.of(name, not why, why or reached, texts("doctor.see_log") if why else "")
    for model, key in standing.failing.items():
        yield Check.of("language model", True, f"{model}: {key}", texts("doctor.see_log"))


def _answering(standing: Standing, texts: Texts) -> tuple[str, str]:
    if standing.obstacles:
        return "; ".join(standing.obstacles), texts("doctor.see_log")
    return texts("doctor.answering", process=os.getpid(), time=f"{standing.since:%Y-%m-%d %H:%M} UTC"), ""


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
