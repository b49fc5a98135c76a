"""Settings for what is stored about people and answers, and for how long."""

from datetime import timedelta
from pathlib import Path

from pydantic import Field, model_validator

from bot.settings.sections import SettingsSection
from core.domain.journal import MIN_EVENT_IDS, Retention
from core.library.lifecycle import Terms

KEY_FILE = Path("keys") / "pseudonyms.key"
DEAD_LETTERS = Retention().dead_letters


class RetentionSettings(SettingsSection):
    """How long each kind of data is stored; expired data is removed within the hour."""

    delivery_hours: int = Field(
        default=24, ge=0, description="hours that messages and replies are kept after they are done"
    )
    question_hours: int = Field(
        default=24,
        ge=0,
        description="hours that a question, its queries and a model's output are kept in the record of the"
        " answer; 0: never; with the record where the person reported the answer",
    )
    answer_days: int = Field(default=90, ge=1, description="days that records of answers are kept")
    feedback_days: int = Field(default=90, ge=1, description="days that feedback is kept")
    audit_days: int = Field(default=365, ge=1, description="days that it is kept who did what")
    summary_days: int = Field(default=365, ge=1, description="days that summaries and their topics are kept")
    deleted_days: int = Field(
        default=30, ge=0, description="days that a removed document can be restored; then it is deleted"
    )
    superseded_days: int = Field(
        default=365,
        ge=0,
        description="days that what a superseded version said is kept for --as-of; 0: for good",
    )
    key_file: str = Field(
        default="",
        description="file with the key of the pseudonyms, best apart from the database and its backups;"
        f" empty: {KEY_FILE} in the data folder",
    )

    @model_validator(mode="after")
    def _texts_go_first(self) -> "RetentionSettings":
        if self.question_hours > 24 * self.answer_days:
            raise ValueError("question_hours must not be longer than answer_days")
        return self

    @property
    def terms(self) -> Retention:
        """The retention periods for the journal."""
        delivery = timedelta(hours=self.delivery_hours)
        return Retention(
            delivery=delivery,
            dead_letters=max(DEAD_LETTERS, delivery, MIN_EVENT_IDS),
            texts=timedelta(hours=self.question_hours),
            answers=timedelta(days=self.answer_days),
            feedback=timedelta(days=self.feedback_days),
            audit=timedelta(days=self.audit_days),
            summaries=timedelta(days=self.summary_days),
        )

    @property
    def library(self) -> Terms:
        """The retention periods of documents and their versions."""
        return Terms(
            withdrawn=timedelta(days=self.deleted_days),
            superseded=timedelta(days=self.superseded_days) if self.superseded_days else None,
        )

    def key(self, data: Path) -> Path:
        """Where the key is."""
        return Path(self.key_file).expanduser() if self.key_file else data / KEY_FILE
