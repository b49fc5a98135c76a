"""Settings of answers: how they are made and shown, and what of a person they may hand on."""

from typing import Literal

from pydantic import Field

from bot.settings.sections import SettingsSection
from core.answering.personal_data import Privacy


class AnswerSettings(SettingsSection):
    """How answers are made and shown."""

    citations: int = Field(default=3, ge=1, le=10, description="quotes in an answer")
    threshold: float = Field(
        default=-1.0, ge=-1.0, le=1.0, description="confidence under which nothing is said; -1: calibrated"
    )
    reader: Literal["packaged", "off"] = Field(
        default="packaged",
        description="who reads the nearest sentences with the question: `packaged`; `off`: nobody",
    )
    max_question: int = Field(default=2000, ge=20, description="characters of a question at most")
    claims: Literal["judged", "quotes"] = Field(
        default="judged",
        description="what a model may say: `judged`, its own words beside the quotes, as far as a second call"
        " finds them stated there; `quotes`: it chooses and orders quotes, nothing else of it is shown",
    )
    rewriting_s: float = Field(
        default=8.0, ge=0, description="seconds that a model has to find other wordings; 0: it is not asked"
    )
    retries: int = Field(
        default=2, ge=0, le=5, description="how often a model is asked again where too little is proven"
    )
    deadline_s: float = Field(
        default=60.0, gt=0, description="seconds for a model's answer with all retries; then quotes only"
    )
    disclaimer_en: str = Field(default="", description="ends every English answer; empty: the default text")
    disclaimer_de: str = Field(default="", description="ends every German answer; empty: the default text")


class SummariesSettings(SettingsSection):
    """Summaries of topics."""

    quotes: int = Field(default=12, ge=2, le=30, description="quotes in a summary, shared fairly")


class SynonymSettings(SettingsSection):
    """Words for the same thing, as citizens and documents have them."""

    terms: tuple[str, ...] = Field(min_length=2)
    jurisdiction: str | None = None


class PrivacySettings(SettingsSection):
    """Personal data in questions (mail addresses, telephone and account numbers and the like)."""

    personal_data_to_models: bool = Field(
        default=False, description="send personal data in questions on to language models"
    )
    personal_data_in_records: bool = Field(
        default=False, description="keep personal data in the records of questions and answers"
    )

    @property
    def allowed(self) -> Privacy:
        """The same for the core."""
        return Privacy(to_models=self.personal_data_to_models, in_records=self.personal_data_in_records)
