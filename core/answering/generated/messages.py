"""Prompts: versioned files, and the messages made from them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.answering.labels import plain
from core.domain.models import MessageRole, ModelMessage
from core.language.languages import of, tags

_PART = re.compile(r"^## ([a-z]+)\n", re.MULTILINE)
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt file: `name` and `version` for the record, the opening messages, and the task."""

    name: str
    version: str
    opening: tuple[ModelMessage, ...]
    task: str

    @property
    def id(self) -> str:
        """Name and version, as the record of an answer has it."""
        return f"{self.name}@{self.version}"

    def messages(self, **values: str) -> tuple[ModelMessage, ...]:
        """The conversation up to the task. Values are substituted once and not scanned again, so nothing in
        them can refer to another field."""
        opening = [ModelMessage(speaker=m.speaker, text=_filled(m.text, values)) for m in self.opening]
        return (*opening, ModelMessage(speaker=MessageRole.USER, text=_filled(self.task, values)))


@lru_cache(maxsize=8)
def load_prompt(name: str) -> Prompt:
    """The prompt in `prompts/<name>.md`: a line `version: N`, then parts headed `## system`, `## user`,
    `## assistant` (examples) and `## task`, with fields in braces. Raises ValueError for another form."""
    text = files("core.answering.generated").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    head, *parts = _PART.split(text)
    version = re.fullmatch(r"version: (\w+)\s*", head)
    pairs = [(speaker, part.strip()) for speaker, part in zip(parts[::2], parts[1::2], strict=True)]
    if version is None or not pairs or pairs[-1][0] != "task":
        raise ValueError(f"prompts/{name}.md has no version or does not end with a task")
    opening = tuple(ModelMessage(speaker=MessageRole(speaker), text=part) for speaker, part in pairs[:-1])
    return Prompt(name=name, version=version[1], opening=opening, task=pairs[-1][1])


def language_name(code: str) -> str:
    """English name of a supported language; the code itself for others."""
    return of(code).name if code in tags() else code


def missing_line(names: Sequence[str]) -> str:
    """A line naming the parties, places and editions without a source, or ""."""
    return f"No source in the library for: {plain(', '.join(names))}\n\n" if names else ""


def _filled(text: str, values: dict[str, str]) -> str:
    return _FIELD.sub(lambda field: values.get(field[1], field[0]), text)
