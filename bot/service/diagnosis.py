"""`fundstelle doctor`: what is in order, what is not, and what to do about it."""

import asyncio
import os
import shlex
import shutil
import stat
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.chat.uploads import UPLOADS, broken_jobs
from bot.service.index_checks import LibraryChecks
from bot.service.journal_checks import journal_lines
from bot.service.platform_checks import platform_findings
from bot.settings.tree import Loaded, Settings, load
from core.domain.models import Completion
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.journal import Journal

MIN_FREE_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """A thing checked: what was found, and advice where something has to be done."""

    name: str
    ok: bool
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probes:
    """Looks at what the adapters work with, as the settings choose it. What is not there, or not in order, is
    told by raising FundstelleError. `library` opens the stores."""

    containment: Callable[[Settings], Awaitable[str]]
    recognition: Callable[[Settings], Awaitable[str]]
    office: Callable[[], str]
    virus_scanner: Callable[[Settings], Awaitable[str]]
    set_aside: Callable[[Settings], int]
    damaged_indexes: Callable[[Settings], list[Path]]
    try_models: Callable[[Settings], Awaitable[list[tuple[str, Completion | FundstelleError]]]]
    platforms: Callable[[Settings], dict[str, ChatPlatform]]
    journal: Callable[[Settings], AbstractAsyncContextManager[Journal]]
    library: Callable[[Settings], AbstractAsyncContextManager[LibraryChecks]]


async def diagnose(data: Path | None, config: Path | None, probes: Probes) -> list[Check]:
    """All checks in order; what depends on a failed one is left out."""
    try:
        loaded = load(data=data, config=config)
    except FundstelleError as error:
        return [Check("settings", False, error.detail, "mend the settings file or the environment")]
    checks = [Check("settings", True, origin_of(loaded)), _folder(loaded.settings.data)]
    if not checks[-1].ok:
        return checks
    checks.append(_permissions(loaded.settings.data))
    checks.append(await _checked("pdf", lambda: probes.containment(loaded.settings)))
    checks.append(await _text_recognition(loaded.settings, probes))
    checks.append(
        Check("other formats", True, f"DOCX, ODT, XLSX, CSV, HTML, Markdown, text; {probes.office()}")
    )
    checks.append(await _checked("virus scanner", lambda: probes.virus_scanner(loaded.settings)))
    checks.append(_quarantine(loaded.settings, probes))
    checks.append(_uploads(loaded.settings.data))
    checks += await language_models(loaded.settings, probes)
    checks += await _journal(loaded.settings, probes)
    checks += await _platforms(loaded.settings, probes)
    try:
        async with probes.library(loaded.settings) as library:
            checks += [
                await _checked("database", library.database),
                await _checked("models", library.models),
                await _checked("reranker", library.reranker),
                *await _index(library, probes.damaged_indexes(loaded.settings)),
                await _checked("library", library.library),
                await _checked("references", library.cross_references),
            ]
    except FundstelleError as error:
        checks.append(Check("stores", False, error.detail or error.key, ADVICE.get(error.key, "")))
    return checks


ADVICE = {
    "index.in_use": "stop the other process, or use another --data",
    "model.key": "set FUNDSTELLE_LLM__API_KEY or api_key in the model's table",
    "model.missing": 'mend model or api_base; a server of your own is model = "openai/NAME" with api_base',
    "model.request": "mend model or api_base; api_base of a local server usually ends in /v1",
    "model.unreachable": "start the server or mend api_base; meanwhile answers are quotes",
    "model.timeout": "raise timeout_s in the model's table, or choose a quicker model",
    "model.busy": "wait, raise the provider's limit, or name fallbacks; meanwhile answers are quotes",
    "model.failed": "look at the server's log; meanwhile answers are quotes",
    "model.broken_off": "look at the server's log; meanwhile answers are quotes",
    "model.empty": "choose another model; this one did not answer a simple question",
    "model.too_long": "choose a model with a larger context",
    "model.unpaid": "settle the provider's bill, or choose another model",
    "model.budget": "raise tokens_per_day or usd_per_day under [llm], or wait for tomorrow (UTC)",
    "model.price_unknown": "state usd_per_million_prompt and usd_per_million_completion in the model's table",
    "rerank.no_model": "set model under [llm], or another rerank.kind",
    "rerank.model_missing": "name the folder of a cross encoder as rerank.model, or set rerank.download",
    "rerank.failed": "choose another cross encoder as rerank.model",
    "scanner.down": "start clamd, or mend [clamav]; until then files are set aside",
    "database.unavailable": "start the database server, or mend database_url",
}


def origin_of(loaded: Loaded) -> str:
    """Which sources the settings came from."""
    return ", ".join(sorted(set(loaded.origins.values()))) or "defaults"


def _folder(folder: Path) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        return Check("data folder", False, f"{folder}: {error}", "choose another --data")
    if not os.access(folder, os.W_OK):
        return Check("data folder", False, f"{folder} cannot be written", "change its owner or use --data")
    free = shutil.disk_usage(folder).free
    advice = "" if free >= MIN_FREE_BYTES else "free some disk space; a library of 40 programmes takes 0.5 GB"
    return Check("data folder", not advice, f"{folder}, {free / 1e9:.1f} GB free", advice)


def _permissions(folder: Path) -> Check:
    """Older folders were made for others to read, too; an operator may want it so."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    advice = f"others may look into it: chmod -R go-rwx {shlex.quote(str(folder))}" if mode & 0o077 else ""
    return Check("permissions", True, f"data folder {mode:04o}", advice)


async def _checked(name: str, check: Callable[[], Awaitable[str]]) -> Check:
    try:
        return Check(name, True, await check())
    except FundstelleError as error:
        return Check(name, False, error.detail or error.key, ADVICE.get(error.key, ""))


def _quarantine(settings: Settings, probes: Probes) -> Check:
    count = probes.set_aside(settings)
    advice = "read the .json beside each, then delete it or ingest it again" if count else ""
    return Check("quarantine", not count, f"{count} files set aside", advice)


def _uploads(data: Path) -> Check:
    broken = broken_jobs(data / UPLOADS)
    names = ", ".join(path.parent.name for path in broken)
    advice = f"ask for these files again, then delete the folders: {names}"
    return Check("uploads", not broken, f"{len(broken)} damaged jobs set aside", advice if broken else "")


async def _text_recognition(settings: Settings, probes: Probes) -> Check:
    """Nobody has to have it: scans are then refused with the command that installs it."""
    try:
        return Check("text recognition", True, await probes.recognition(settings))
    except FundstelleError as error:
        return Check("text recognition", True, f"none, scans are refused; {error.detail}")


async def language_models(settings: Settings, probes: Probes) -> list[Check]:
    """One check for each configured model; none is fine too."""
    if not settings.llm.model:
        return [Check("language model", True, "none configured: answers are quotes")]
    checks = []
    for name, answer in await probes.try_models(settings):
        if isinstance(answer, FundstelleError):
            checks.append(Check("language model", False, answer.detail, ADVICE.get(answer.key, "")))
        else:
            checks.append(Check("language model", True, f"{name} answered in {answer.seconds:.1f} s"))
    return checks


async def _journal(settings: Settings, probes: Probes) -> list[Check]:
    """Works beside a running process, which the rest does not."""
    try:
        async with probes.journal(settings) as journal:
            return [Check(*line) for line in journal_lines(await journal.backlog(), datetime.now(UTC))]
    except FundstelleError as error:
        return [Check("journal", False, error.detail or error.key, ADVICE.get(error.key, ""))]


async def _platforms(settings: Settings, probes: Probes) -> list[Check]:
    """What the configured chat platforms say of themselves."""
    served = probes.platforms(settings)
    if not served:
        return [Check("platforms", True, "none configured: `fundstelle serve` needs one")]
    findings = await asyncio.gather(*(platform_findings(platform) for platform in served.values()))
    return [
        Check(name, finding.ok, finding.what, finding.advice)
        for name, found in zip(served, findings, strict=True)
        for finding in found
    ]


async def _index(checks: LibraryChecks, damaged: list[Path]) -> list[Check]:
    try:
        return [Check(*line) for line in await checks.index_lines(damaged)]
    except FundstelleError as error:
        return [Check("index", False, error.detail or error.key, ADVICE.get(error.key, ""))]
