"""`fundstelle doctor`: what is in order, what is not, and what to do about it."""

import asyncio
import os
import shlex
import shutil
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.answers.app import App
from bot.answers.references import lost_in_words
from bot.chat.uploads import UPLOADS, broken_jobs
from bot.service.index_checks import index_lines
from bot.service.journal_checks import journal_lines
from bot.service.platform_checks import platform_findings
from bot.settings.tree import Loaded, Settings, load
from bot.wiring.files import containment, office, recognition, set_aside, virus_scanner
from bot.wiring.index import damaged_indexes
from bot.wiring.models import try_models
from bot.wiring.platforms import platforms
from bot.wiring.services import SystemClock, opened, records
from core.domain.scope import Scope
from core.errors import FundstelleError

MIN_FREE_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """A thing checked: what was found, and advice where something has to be done."""

    name: str
    ok: bool
    found: str
    advice: str = ""


async def diagnose(data: Path | None, config: Path | None) -> list[Check]:
    """All checks in order; what depends on a failed one is left out."""
    try:
        loaded = load(data=data, config=config)
    except FundstelleError as error:
        return [Check("settings", False, error.detail, "mend the settings file or the environment")]
    checks = [Check("settings", True, origin_of(loaded)), _folder(loaded.settings.data)]
    if not checks[-1].ok:
        return checks
    checks.append(_permissions(loaded.settings.data))
    checks.append(await _checked("pdf", lambda: containment(loaded.settings)))
    checks.append(await _text_recognition(loaded.settings))
    checks.append(Check("other formats", True, f"DOCX, ODT, XLSX, CSV, HTML, Markdown, text; {office()}"))
    checks.append(await _checked("virus scanner", lambda: virus_scanner(loaded.settings)))
    checks.append(_quarantine(loaded.settings))
    checks.append(_uploads(loaded.settings.data))
    checks += await language_models(loaded.settings)
    checks += await _journal(loaded.settings)
    checks += await _platforms(loaded.settings)
    try:
        async with opened(loaded.settings) as app:
            checks += [
                await _checked("database", lambda: _database(app)),
                await _checked("models", lambda: _models(app)),
                await _checked("reranker", lambda: _reranker(app)),
                *await _index(app, loaded.settings),
                await _checked("library", lambda: _library(app)),
                await _checked("references", lambda: _references(app)),
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
    "database.unreachable": "start the database server, or mend database_url",
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


def _quarantine(settings: Settings) -> Check:
    count = set_aside(settings)
    advice = "read the .json beside each, then delete it or ingest it again" if count else ""
    return Check("quarantine", not count, f"{count} files set aside", advice)


def _uploads(data: Path) -> Check:
    broken = broken_jobs(data / UPLOADS)
    names = ", ".join(path.parent.name for path in broken)
    advice = f"ask for these files again, then delete the folders: {names}"
    return Check("uploads", not broken, f"{len(broken)} damaged jobs set aside", advice if broken else "")


async def _text_recognition(settings: Settings) -> Check:
    """Nobody has to have it: scans are then refused with the command that installs it."""
    try:
        return Check("text recognition", True, await recognition(settings))
    except FundstelleError as error:
        return Check("text recognition", True, f"none, scans are refused; {error.detail}")


async def language_models(settings: Settings) -> list[Check]:
    """One check for each configured model; none is fine too."""
    if not settings.llm.model:
        return [Check("language model", True, "none configured: answers are quotes")]
    checks = []
    for name, answer in await try_models(settings):
        if isinstance(answer, FundstelleError):
            checks.append(Check("language model", False, answer.detail, ADVICE.get(answer.key, "")))
        else:
            checks.append(Check("language model", True, f"{name} answered in {answer.seconds:.1f} s"))
    return checks


async def _journal(settings: Settings) -> list[Check]:
    """Works beside a running process, which the rest does not."""
    try:
        async with records(settings) as (journal, _):
            return [Check(*line) for line in journal_lines(await journal.backlog(), datetime.now(UTC))]
    except FundstelleError as error:
        return [Check("journal", False, error.detail or error.key, ADVICE.get(error.key, ""))]


async def _platforms(settings: Settings) -> list[Check]:
    """What the configured chat platforms say of themselves."""
    served = platforms(settings, SystemClock())
    if not served:
        return [Check("platforms", True, "none configured: `fundstelle serve` needs one")]
    findings = await asyncio.gather(*(platform_findings(platform) for platform in served.values()))
    return [
        Check(name, finding.ok, finding.what, finding.advice)
        for name, found in zip(served, findings, strict=True)
        for finding in found
    ]


async def _database(app: App) -> str:
    documents = await app.library.documents()
    return f"{len(documents)} documents"


async def _models(app: App) -> str:
    await app.questions.warm_up()
    vector = await app.ingester.dense.query("Mindestlohn")
    return f"{app.ingester.pipeline}, {vector.shape[0]} dimensions"


async def _reranker(app: App) -> str:
    found = app.searcher.reranker
    if found is None:
        return "none"
    await found.reranker.warm_up()
    return found.reranker.name


async def _index(app: App, settings: Settings) -> list[Check]:
    try:
        return [Check(*line) for line in await index_lines(app, damaged_indexes(settings))]
    except FundstelleError as error:
        return [Check("index", False, error.detail or error.key, ADVICE.get(error.key, ""))]


async def _library(app: App) -> str:
    documents = await app.library.documents()
    collections = tuple(sorted({document.collection for document in documents}))
    if not collections:
        return "no document yet; `fundstelle ingest` brings them in"
    editions = await app.library.editions(Scope(collections=collections), on=app.clock.now().date())
    stale = [edition for edition in editions if not app.ingester.is_current(edition)]
    if stale:
        return f"{len(stale)} documents were indexed by another version; ingest them again"
    return f"{len(editions)} documents ready"


async def _references(app: App) -> str:
    """Cross-references that lead nowhere. "its act": state `derived_from`, and ingest that document."""
    collections = tuple(sorted({document.collection for document in await app.library.documents()}))
    if not collections:
        return "none yet"
    lost = await app.references.unresolved(collections)
    return f"unresolved: {lost_in_words(lost)}" if lost else "all lead somewhere"
