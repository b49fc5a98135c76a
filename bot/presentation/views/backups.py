"""Backups: made, checked, put back."""

from bot.presentation.views.encoding import Moment, Text, View, lies_at


class BackupView(View):
    """What is in a backup. `index` is the number of passages of the index in it, null where it was left
    out."""

    file: Text
    bytes: int = lies_at("size")
    made_at: Moment
    version: Text = lies_at("product")
    schema_revision: Text = lies_at("database.revision", key="schema")
    library: Text | None = lies_at("database.library")
    store: Text = lies_at("database.store")
    rows: dict[str, int] = lies_at("database.rows")
    originals: int | None = lies_at("kept_files")
    missing: tuple[Text, ...]
    damaged: tuple[Text, ...]
    index: int | None = lies_at("passages_of_index")
    secrets: tuple[Text, ...]
    seconds: float | None


class CheckedBackupView(View):
    """Result of `backup check`."""

    ok: bool
    backup: BackupView | None
    problems: tuple[Text, ...]


class RestoredBackupView(View):
    """Result of `backup restore`."""

    backup: BackupView
    set_aside: tuple[Text, ...]
