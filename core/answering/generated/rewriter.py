"""Rewriting: one call that puts a question into the documents' terms and language.

The result is only ever used for searching, in addition to the question itself; if nothing usable arrives in
time, the search continues without it. `core.search.rewrites` decides which wordings are admitted.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.answering.generated.drafts import json_objects
from core.answering.generated.sources import data, language_name, load_prompt
from core.answering.labels import addresses, plain, without_labels
from core.answering.personal_data import KEPT_BACK, Privacy
from core.domain.models import ModelMessage
from core.domain.scope import ThreadContext
from core.errors import FundstelleError
from core.ports.models import LanguageModel
from core.search.rewrites import MOST_REWRITES, Rewritable, Rewrite

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["queries"],
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
}
"""JSON Schema of a rewriting."""

_LANGUAGES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteSettings:
    """How many seconds a question waits for other wordings, and how many tokens they may have."""

    timeout_s: float = 8.0
    max_tokens: int = 300


class Rewriter:
    """Asks a language model for other wordings."""

    def __init__(
        self, *, model: LanguageModel, settings: RewriteSettings | None = None, privacy: Privacy = KEPT_BACK
    ) -> None:
        self._model = model
        self._settings = settings or RewriteSettings()
        self._privacy = privacy
        self._prompt = load_prompt("rewrite")

    def for_question(
        self, question: str, thread: ThreadContext | None, tried: Sequence[str], within_s: float
    ) -> Rewrite:
        """A function that finds wordings like `wordings`, within a time limit that may already be over."""
        within_s = max(within_s, 0.1)
        return partial(self.wordings, question=question, thread=thread, tried=tried, within_s=within_s)

    async def wordings(
        self,
        asked: Rewritable,
        *,
        question: str,
        thread: ThreadContext | None = None,
        tried: Sequence[str] = (),
        within_s: float | None = None,
    ) -> tuple[str, ...]:
        """Other wordings of `asked`, best first; none if no model may be asked or answers in time.

        `question` is what was written; where `asked` differs from it, it continues `thread`. `tried` were
        already searched without success. `within_s` limits the time further, including the one-time loading
        of the model; the settings' limit excludes loading, since writing the answer needs it too.
        """
        limit = self._settings.timeout_s
        try:
            async with asyncio.timeout(within_s):
                await self._model.warm_up()
            async with asyncio.timeout(limit if within_s is None else min(limit, within_s)):
                completion = await self._model.complete(
                    await asyncio.to_thread(self._messages, asked, question, thread, tried),
                    collections=asked.collections,
                    schema=SCHEMA,
                    max_tokens=self._settings.max_tokens,
                    deadline_s=limit,
                )
        except (FundstelleError, TimeoutError):
            return ()
        return read_wordings(completion.text)

    def _messages(
        self, asked: Rewritable, question: str, thread: ThreadContext | None, tried: Sequence[str]
    ) -> tuple[ModelMessage, ...]:
        continues = thread is not None and asked.question != question
        earlier = thread.questions[-1:] if thread is not None and continues else ()
        languages = asked.languages[:_LANGUAGES] or (asked.language,)
        return self._prompt.messages(
            languages=" and ".join(language_name(code) for code in languages),
            documents=f"Documents: {'; '.join(map(data, asked.documents))}\n" if asked.documents else "",
            earlier="".join(f"Earlier question: {self._safe(text)}\n" for text in earlier),
            tried="".join(
                f"Already searched, find other words: {self._safe(text)}\n"
                for text in tried
                if text != asked.question
            ),
            question=self._safe(question),
        )

    def _safe(self, text: str) -> str:
        return plain(self._privacy.for_models(text))


def read_wordings(text: str) -> tuple[str, ...]:
    """The wordings in a model's output, without labels; those with links or addresses are left out."""
    listed = [item["queries"] for item in json_objects(text) if isinstance(item.get("queries"), list)]
    written = [query for queries in listed for query in queries if isinstance(query, str)]
    cleaned = (without_labels(query).strip(" \"'“”„«»") for query in written[: 2 * MOST_REWRITES])
    return tuple(query for query in cleaned if query and not addresses(query))
