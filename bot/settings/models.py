"""The settings of language models and of reranking."""

from typing import Literal

from pydantic import Field, SecretStr

from bot.settings.sections import Address, SettingsSection


class ModelSettings(SettingsSection):
    """A language model: at a provider, or on any OpenAI-compatible server by `api_base`."""

    model: str = Field(default="", description="LiteLLM name, e.g. openai/NAME; empty: no model")
    api_base: Address = Field(default="", description="address of the server; empty: the provider's own")
    api_key: SecretStr = Field(default=SecretStr(""), description="key of the provider or server")
    collections: tuple[str, ...] = Field(
        default=("public",), description="whose passages may be sent to this model"
    )
    timeout_s: float = Field(default=30.0, gt=0, description="seconds to wait for this model")
    silence_s: float = Field(
        default=4.0, ge=0, description="seconds of silence after which a fallback is asked; 0: timeout_s"
    )
    max_context_tokens: int = Field(default=6000, ge=500, description="tokens of passages in a prompt")
    usd_per_million_prompt: float | None = Field(
        default=None, ge=0, description="price of a million prompt tokens; empty: LiteLLM's price list"
    )
    usd_per_million_completion: float | None = Field(
        default=None, ge=0, description="price of a million tokens written; empty: LiteLLM's price list"
    )


class LlmSettings(ModelSettings):
    """The primary model, its fallbacks, and the daily budget."""

    fallbacks: tuple[str | ModelSettings, ...] = Field(
        default=(), description="further tables like this one, or names at the same provider; in order"
    )
    judge: str | ModelSettings = Field(
        default="",
        description="the model that says whether quotes state a claim: a name at the same provider, or a"
        " table like this one; empty: the model that wrote it",
    )
    tokens_per_day: int = Field(default=0, ge=0, description="tokens a day (UTC) at most; 0: no limit")
    usd_per_day: float = Field(default=0.0, ge=0, description="US dollars a day at most; 0: no limit")

    @property
    def models(self) -> tuple[ModelSettings, ...]:
        """All models in the order they are called; none without a primary one."""
        if not self.model:
            return ()
        return (self, *(self._fallback(item) for item in self.fallbacks))

    @property
    def judges(self) -> tuple[ModelSettings, ...]:
        """The models that judge claims, in the order they are asked: the one named, else those that write."""
        named = self.judge if isinstance(self.judge, str) else self.judge.model
        return (self._fallback(self.judge),) if self.model and named else self.models

    def _fallback(self, stated: str | ModelSettings) -> ModelSettings:
        """A name stands for the same provider with the same key and approval. Another provider has
        neither this one's key nor its approval, so it needs a table."""
        if isinstance(stated, ModelSettings):
            return stated
        if _provider(stated) != _provider(self.model):
            return ModelSettings(model=stated)
        same = {name: getattr(self, name) for name in INHERITED}
        return ModelSettings(model=stated, **same)


INHERITED = ("api_base", "api_key", "collections", "timeout_s", "silence_s", "max_context_tokens")


def _provider(model: str) -> str:
    return model.partition("/")[0]


class RerankerSettings(SettingsSection):
    """Whether the best passages of a search are weighed once more before an answer is made of them."""

    kind: Literal["", "plugin"] = Field(default="", description="`plugin`, or empty: not at all")
    model: str = Field(default="", description="the plug-in's name")
    candidates: int = Field(default=20, ge=2, le=20, description="passages that are considered")
    min_score: float = Field(default=0.1, ge=0, le=1, description="passages under this relevance are dropped")
    gap: float = Field(
        default=0.6, gt=0, le=1, description="what comes after a fall of relevance by more is dropped"
    )
    deadline_s: float = Field(default=5.0, gt=0, description="seconds; then the order stays as it is")
