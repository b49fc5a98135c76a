"""What a chat says about a motion: its text or a file, who moves it, and where.

`mover=PARTY` and `jurisdiction=PLACE` (`antragsteller=`, `ort=`) stand before or behind the text, never
inside it: there they are the motion's own words. A name of several words is put in quotation marks, or
written out as the registry has it. What a chat says is text, never the name of a file on this machine.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.answers.comparisons import Comparisons
from bot.chat.request import Request
from bot.library.scoping import KnownNames, Scoping
from bot.presentation.i18n import typed
from core.domain.messages import Attachment
from core.errors import Refused

MAX_BYTES = 20_000_000
"""Maximum bytes of a motion's file."""

FILES = (".pdf", ".txt", ".md")
_LONG = "{0,200}"
"""Of a quoted name; a search for its closing mark that has no end takes seconds in a long text."""
_QUOTED = rf"\"[^\"\n]{_LONG}\"|“[^”\n]{_LONG}”|„[^“”\n]{_LONG}[“”]|«[^»\n]{_LONG}»|'[^'\n]{_LONG}'"
_QUOTED_VALUE = re.compile(rf"({_QUOTED})(?=[\s,;]|$)")
_LAST_WITHIN = 300
_MARKS = "\"“”„«»'"
_MOST_OPTIONS = 40
"""Before and behind a motion at most: each is looked up, and a message has room for thousands."""
_MOST_WORDS = 6
"""Words of a name that is not in quotation marks at most."""


@cache
def _option_before() -> re.Pattern[str]:
    return re.compile(rf"\s*({_names()})=(?=\S)", re.IGNORECASE)


@cache
def _option_behind() -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)({_names()})=({_QUOTED}|[^=\n\"“„«]{{1,120}})$", re.IGNORECASE)


def _names() -> str:
    return "|".join((*typed("mover"), *typed("jurisdiction")))


@dataclass(slots=True)
class MotionWords:
    """The motion's text and the options around it, as written."""

    text: str
    movers: list[str] = field(default_factory=list)
    jurisdiction: str | None = None

    def take(self, option: str, value: str) -> None:
        """Note an option; several movers are separated by commas."""
        if option.lower() in typed("jurisdiction"):
            self.jurisdiction = value
        else:
            self.movers += [name.strip() for name in value.split(",") if name.strip()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """A motion to report on. `movers` are canonical names, `jurisdiction` is a code."""

    text: str
    jurisdiction: str
    movers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MotionInput:
    """Reads what a chat says about a motion."""

    comparisons: Comparisons
    scoping: Scoping

    async def read(self, request: Request, rest: str) -> Motion | None:
        """The motion that a message holds, as text behind the command or as its first file; None where it
        holds neither. The place is the one named, else the chat's. Raises Refused for a file that cannot be
        read, for unknown parties or places, and where no place is known."""
        said = await self.words(request, rest)
        text = said.text
        if request.message.attachments:
            text = await self._file_text(request, request.message.attachments[0])
        if not text:
            return None
        place = said.jurisdiction or request.state.jurisdiction or request.chat.jurisdiction
        if not place:
            detail = "say where it is moved: jurisdiction=CODE, or set the chat's place"
            raise Refused("motion.no_place", detail)
        names = self._names(request)
        return Motion(
            text=text,
            jurisdiction=names.jurisdiction(place),
            movers=tuple(dict.fromkeys(names.party(name) for name in said.movers)),
        )

    async def words(self, request: Request, rest: str) -> MotionWords:
        """The text and the options around it."""
        return await asyncio.to_thread(motion_words, rest, self._names(request).knows)

    def _names(self, request: Request) -> KnownNames:
        return self.scoping.within(request.chat.collections)

    async def _file_text(self, request: Request, attachment: Attachment) -> str:
        if Path(attachment.name).suffix.lower() not in FILES:
            detail = f"{attachment.name} is no motion that can be read; send a PDF or a text file"
            raise Refused("motion.file", detail, name=attachment.name)
        with TemporaryDirectory(prefix="fundstelle-") as folder:  # nobody needs the file once it is read
            path = await request.stage.fetch(attachment, Path(folder), max_bytes=MAX_BYTES)
            return await self.comparisons.file_text(path)


def motion_words(rest: str, known: Callable[[str], bool]) -> MotionWords:
    """Text and options of `rest`. `known` tells whether words are the name of a party or place, which
    shows where a name of several words ends."""
    said = MotionWords(rest.strip())
    for _ in range(_MOST_OPTIONS):
        first = _option_before().match(said.text)
        if first is None:
            break
        value, said.text = _value(said.text[first.end() :], known)
        said.take(first[1], value)
    last: list[tuple[str, str]] = []
    while (found := _last(said.text, len(last))) and not _goes_on(found[2], known):
        last.append((found[1], found[2].strip(_MARKS).strip()))
        said.text = said.text[: found.start()].rstrip()
    for option, value in reversed(last):
        said.take(option, value)
    return said


def _last(text: str, taken: int) -> "re.Match[str] | None":
    return _option_behind().search(text, max(0, len(text) - _LAST_WITHIN)) if taken < _MOST_OPTIONS else None


def _goes_on(value: str, known: Callable[[str], bool]) -> bool:
    """Whether what stands behind an option is more text than a name."""
    if value[0] in _MARKS or known(value) or " " not in value:
        return False
    return any(
        name.rstrip().endswith((".", "!", "?")) or len(name.split()) > _MOST_WORDS
        for name in value.split(",")
    )


def _value(text: str, known: Callable[[str], bool], most: int = _MOST_OPTIONS) -> tuple[str, str]:
    """The value that `text` begins with, and the rest: what is quoted, else the longest known name, else
    a word; further ones behind commas."""
    if quoted := _QUOTED_VALUE.match(text):
        value, rest = quoted[1].strip(_MARKS), text[quoted.end() :]
    else:
        value, rest = _unquoted(text, known)
    if most > 1 and rest.lstrip().startswith(",") and known(value):
        more, rest = _value(rest.lstrip()[1:].lstrip(), known, most - 1)
        value = f"{value}, {more}"
    return value, rest.lstrip(" ;\t\n")


def _unquoted(text: str, known: Callable[[str], bool]) -> tuple[str, str]:
    line = text.split("\n", 1)[0]
    ends = [match.end() for match in islice(re.finditer(r"\S+", line), _MOST_WORDS)]
    for end in reversed(ends):
        name = line[:end].rstrip(",;:.")
        if "," not in name and known(name):
            return name, text[len(name) :].lstrip(":.")
    first = re.match(r"[^\s,;]+", text)
    return (first[0], text[first.end() :]) if first else ("", text)
