"""`fundstelle backup`: everything in one file, made while the bot serves, checked, and restored; `move` and
`migrate`: the database to another place, and to another schema."""

import time
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.frame import DONE, NO, CommandContext, command
from bot.cli.output import print_json, progress, say
from bot.cli.terminal import told
from bot.presentation.views.records import BackupView, CheckedBackupView, RestoredBackupView
from bot.settings.tree import Settings
from bot.wiring.transfers import check_backup, migrated, move_database, restore_backup
from core.domain.backups import BackupManifest

FileArgument = Annotated[Path, typer.Argument(metavar="FILE")]


@command("create")
async def create(
    context: CommandContext,
    file: FileArgument,
    *,
    index: Annotated[bool, typer.Option("--with-index")] = False,
) -> int:
    """Write everything that cannot be recreated to one file, while questions are answered."""
    started = time.monotonic()
    async with context.services(lambda wired: (wired.backups, wired.library)) as (backups, library):
        collections = await library.collections() if index else ()
        with progress(not context.json) as report:
            made = await backups.create(file, collections=collections, report=report)
    seconds = round(time.monotonic() - started, 3)
    if context.json:
        print_json(BackupView.showing(made, file=file, seconds=seconds))
        return DONE
    say(told("cli.backed_up", file=file, **_sizes(made)))
    _say_what_lacks(made)
    return DONE


@command("check", alone=True, founds=True)
async def check(context: CommandContext, file: FileArgument) -> int:
    """Read all of a backup and say whether it can be restored."""
    found = await check_backup(context.settings(), file)
    status = NO if found.problems else DONE
    if context.json:
        shown = found.manifest and BackupView.showing(found.manifest, file=file, seconds=None)
        print_json(CheckedBackupView.showing(ok=not found.problems, backup=shown, problems=found.problems))
        return status
    for problem in found.problems:
        say(problem)
    if found.manifest is not None:
        made = found.manifest
        at, product = f"{made.made_at:%Y-%m-%d %H:%M} UTC", made.product
        say(told("cli.backup_of", at=at, version=product, **_sizes(made)))
        _say_what_lacks(made)
    say(told("cli.backup_damaged" if found.problems else "cli.backup_whole", file=file))
    return status


@command("restore", alone=True, founds=True)
async def restore(context: CommandContext, file: FileArgument) -> int:
    """Restore a backup into an empty installation."""
    started, settings = time.monotonic(), context.settings()
    with progress(not context.json) as report:
        done = await restore_backup(settings, file, report)
    seconds = round(time.monotonic() - started, 3)
    if context.json:
        backup = BackupView.showing(done.manifest, file=file, seconds=seconds)
        print_json(RestoredBackupView.showing(backup=backup, set_aside=done.set_aside))
        return DONE
    say(told("cli.restored_backup", data=settings.data, **_sizes(done.manifest)))
    if done.set_aside:
        say(told("cli.set_aside", names=", ".join(done.set_aside)))
    if done.manifest.secrets:
        say(told("cli.set_again", names=", ".join(done.manifest.secrets)))
    if done.manifest.points is None:
        say(told("cli.index_follows"))
    _say_what_lacks(done.manifest)
    return DONE


def _sizes(made: BackupManifest) -> dict[str, object]:
    return {
        "documents": made.count("documents"),
        "pages": made.count("pages"),
        "passages": made.count("passages"),
        "megabytes": f"{made.size / 1e6:.1f}",
    }


def _say_what_lacks(made: BackupManifest) -> None:
    if made.without_originals:
        say(told("cli.backup_without_files"))
    if made.missing:
        say(told("cli.backup_missing", count=len(made.missing)))
    if made.damaged:
        say(told("cli.backup_damaged_files", count=len(made.damaged)))


BACKUP_COMMANDS = (create, check, restore)


@command("move", alone=True)
async def move(
    context: CommandContext,
    *,
    target: Annotated[str, typer.Option("--to", envvar="MOVE_TO_URL", show_envvar=False)] = "",
    files: Annotated[str, typer.Option("--files", metavar="s3://BUCKET/PREFIX")] = "",
) -> int:
    """Copy the whole database into an empty one, or the files into object storage, and compare them; if
    interrupted, run it again to continue."""
    if bool(target) == bool(files):
        raise typer.BadParameter(told("cli.usage_move"))
    settings = await context.library_settings()
    if files:
        return await _files_moved(context, settings, files)
    rows = await move_database(
        settings, target, lambda *step: None if context.json else _print_progress(*step)
    )
    if context.json:
        print_json({"tables": rows, "rows": sum(rows.values())})
    else:
        say(told("cli.moved", rows=sum(rows.values()), tables=len(rows)))
    return DONE


async def _files_moved(context: CommandContext, settings: Settings, target: str) -> int:
    from bot.wiring.transfers import move_files

    with progress(not context.json) as report:
        moved = await move_files(settings, target, report)
    if context.json:
        print_json({"files": moved.files, "bytes": moved.size, "copied": moved.copied})
    else:
        values = {"files": moved.files, "copied": moved.copied, "megabytes": f"{moved.size / 1e6:.1f}"}
        say(told("cli.files_moved", target=target, **values))
    return DONE


@command("migrate", alone=True)
async def migrate(context: CommandContext) -> int:
    """Upgrade the database to this version after an update, keeping a copy of its previous state; even while
    processes serve it, if they can work with both."""
    found = await migrated(await context.library_settings(), beside=True)
    if context.json:
        kept = str(found.kept) if found.kept else None
        print_json({"from": found.before, "to": found.now, "backup": kept})
    elif found.kept is None:
        say(told("cli.not_migrated", now=found.now))
    else:
        say(told("cli.migrated", before=found.before, now=found.now, kept=found.kept))
    return DONE


def _print_progress(table: str, done: int, tables: int) -> None:
    say(f"{done + 1}/{tables} {table}")


COMMANDS = (move, migrate)
