"""Every command of the chats, one row each: what people type, who may use it and where, and its cost.

The parser, the guard, the limits, the menus of the platforms, the help and the table in `docs/chats.md`
are read from these rows. A new command is a row here, a method marked with `handles`, and its texts.
"""

import re
import unicodedata
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, TypeVar

from bot.presentation.i18n import Texts, languages, typed, words_of

_PLACE = re.compile(r"\{([a-z]+)\}")


class Role(IntEnum):
    """A person's role; every role includes those below it."""

    ANYONE = 0
    STAFF = 1
    PUBLISHER = 2
    ADMIN = 3


@dataclass(frozen=True, slots=True)
class Bare:
    """When a command may be typed without its slash after a mention: its words also begin questions ("Antrag
    auf Wohngeld", "party funding").

    `alone`: with nothing after it. `leads`: the canonical name followed by anything but a question, or with
    `one_word` only by a single word. `shape`: what has to follow any other of its words, and the canonical
    name unless that leads (a case-insensitive regular expression); None if nothing will do. In it `{clear}`
    stands for what people type for "clear" in every language, `{languages}` for the languages.
    """

    alone: bool = False
    leads: bool = False
    one_word: bool = False
    shape: str | None = None

    def fits(self, rest: str) -> bool:
        """Whether `rest` has the shape required after the command."""
        return self.shape is not None and bool(_shape(self.shape).fullmatch(rest))


@cache
def _shape(shape: str) -> re.Pattern[str]:
    def words(place: re.Match[str]) -> str:
        named = languages() if place[1] == "languages" else typed(place[1])
        return "|".join(each.replace("-", r"[-\s]") for each in named)

    return re.compile(_PLACE.sub(words, shape), re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """A command. The words that people type for it are in `locales/words.*.toml`. `anywhere`: works even in a
    chat that is not in the settings; `staff_chat`: only in staff chats. `limited`: counted against the
    limits, since it costs time. `repeated`: done again when its message is edited. `running`: followed by
    running text. `menu`: offered while people type. `helped`: listed by help. `of_words`: works on files
    only; this is the command to use for words shown instead of a file (with neither, and without its slash,
    it is a question).
    """

    name: str
    bare: Bare = Bare()
    role: Role = Role.ANYONE
    anywhere: bool = False
    staff_chat: bool = False
    limited: bool = False
    repeated: bool = False
    running: bool = False
    menu: bool = True
    helped: bool = True
    of_words: str | None = None

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The words people type for it, by language."""
        return words_of(self.name)

    @property
    def slash_only(self) -> frozenset[str]:
        """Words for it that always need the slash."""
        return frozenset(word for words in words_of(self.name, "slash_only").values() for word in words)

    def word(self, language: str) -> str:
        """The word to type in a language, in letters that every platform takes."""
        offered = (*self.words.get(language, ()), self.name)
        return next(word for word in offered if word.isascii())

    def usage(self, language: str) -> str:
        """Its arguments as shown in the help; empty if it has none."""
        line = self.help_line(language, "") if self.helped else ""
        return line.partition(" - ")[0].removeprefix(self.word(language)).strip()

    def help_line(self, language: str, prefix: str) -> str:
        """Its usage and description, as listed in the help."""
        does = Texts(language)(f"help.{self.name}", prefix=prefix, languages="|".join(languages()))
        return f"{prefix}{self.word(language)}{does}"


_DOCUMENT = r"\S+|[\"„“].+|.+\.\w{2,4}"
_ALONE = Bare(alone=True)
_LEADS = Bare(leads=True, shape=r".+")
_ON_A_DOCUMENT = Bare(leads=True, shape=_DOCUMENT)


def _for_staff(name: str, bare: Bare, role: Role = Role.STAFF) -> CommandSpec:
    return CommandSpec(name=name, bare=bare, role=role, staff_chat=True, menu=False)


COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec(name="ask", bare=_LEADS, limited=True, repeated=True, running=True),
    CommandSpec(name="jurisdiction", bare=Bare(leads=True, one_word=True, shape=r"\S+")),
    CommandSpec(name="party", bare=Bare(shape=r"(?-i:[A-ZÄÖÜ0-9])\S*|[\"„“].+|{clear}")),
    CommandSpec(name="compare", bare=_LEADS, limited=True, repeated=True, running=True),
    CommandSpec(name="verify", bare=Bare(leads=True, shape=r".+"), limited=True, repeated=True, running=True),
    CommandSpec(
        name="motion",
        bare=Bare(leads=True, shape=r".*\b(?:{mover}|{jurisdiction})=.+"),
        limited=True,
        running=True,
    ),
    CommandSpec(
        name="references", bare=Bare(leads=True, shape=r".*\d.*"), limited=True, repeated=True, running=True
    ),
    CommandSpec(name="summary", bare=_LEADS, limited=True, running=True),
    CommandSpec(name="sources", bare=_ALONE),
    CommandSpec(
        name="page",
        bare=Bare(shape=r"(?:\S+|.+\.\w{2,4})\s\d{1,4}|\[?[SF]\d{1,3}\]?"),
        limited=True,
        repeated=True,
    ),
    CommandSpec(name="why", bare=Bare(alone=True, shape=r"{details}")),
    CommandSpec(name="language", bare=Bare(shape=r"{languages}|{clear}")),
    CommandSpec(name="files", bare=Bare(shape=r"{pdf}|{picture}|{both}|{request}|{clear}"), menu=False),
    CommandSpec(name="corrections", bare=Bare(shape=r"{on}|{off}"), menu=False),
    CommandSpec(name="subscribe", bare=Bare(leads=True, shape=r".+"), limited=True),
    CommandSpec(
        name="subscriptions",
        bare=Bare(alone=True, shape=r"(?:{end})\s\d+|\d+\s(?:{at_once}|{daily}|{weekly})"),
    ),
    CommandSpec(name="new", bare=_ALONE),
    CommandSpec(name="cancel", bare=_ALONE),
    CommandSpec(
        name="feedback",
        bare=Bare(leads=True, one_word=True, shape=r"{useful}|{wrong}|{wrongpage}"),
        menu=False,
    ),
    CommandSpec(name="more", bare=_ALONE, limited=True, repeated=True, menu=False, helped=False),
    CommandSpec(name="privacy", bare=_ALONE, anywhere=True),
    CommandSpec(name="forget", bare=_ALONE, anywhere=True, menu=False),
    CommandSpec(name="id", bare=_ALONE, anywhere=True),
    CommandSpec(name="help", bare=_ALONE, anywhere=True, helped=False),
    CommandSpec(name="start", anywhere=True, limited=True, menu=False, helped=False),
    CommandSpec(name="about", bare=_ALONE, anywhere=True),
    CommandSpec(name="upload", role=Role.STAFF, staff_chat=True, menu=False, helped=False),
    CommandSpec(
        name="check",
        bare=_ALONE,
        role=Role.STAFF,
        staff_chat=True,
        limited=True,
        menu=False,
        of_words="verify",
    ),
    _for_staff("documents", bare=_ALONE),
    _for_staff("yes", bare=Bare()),
    _for_staff("describe", bare=Bare(leads=True, shape=r".+=.+|\S+ \*")),
    _for_staff("publish", bare=_ON_A_DOCUMENT, role=Role.PUBLISHER),
    _for_staff("unpublish", bare=_ON_A_DOCUMENT, role=Role.PUBLISHER),
    _for_staff("remove", bare=_ON_A_DOCUMENT),
    _for_staff("restore", bare=_ON_A_DOCUMENT),
    _for_staff("reingest", bare=_ON_A_DOCUMENT),
    CommandSpec(
        name="retract", bare=Bare(alone=True, leads=True, shape=_DOCUMENT), role=Role.STAFF, menu=False
    ),
    _for_staff("library", bare=Bare(alone=True, shape=r"(?:{approve}|{reject}|{run})\s.+")),
)

SPECS: Mapping[str, CommandSpec] = {spec.name: spec for spec in COMMANDS}
"""By canonical name. `upload` is triggered by files; nobody types it."""


def listed(role: Role) -> list[CommandSpec]:
    """The commands that help lists for a role but not for the one below it."""
    return [spec for spec in COMMANDS if spec.helped and min(spec.role, Role.STAFF) == role]


def offered(language: str) -> list[tuple[str, str]]:
    """The commands to offer to people of a language: the word to type in plain letters, and what it does."""
    texts = Texts(language)
    return [(spec.word(language), texts(f"menu.{spec.name}")) for spec in COMMANDS if spec.menu]


def hinted(language: str) -> str:
    """The commands followed by running text, and help, as they are typed, in one line."""
    hinting = [*(spec for spec in COMMANDS if spec.running), SPECS["help"]]
    return " · ".join(f"{spec.word(language)} {spec.usage(language)}".strip() for spec in hinting)


# The command grammar, the same on every platform: `/name rest of the line`.

_COMMAND = re.compile(r"^[/!](?P<word>[^\W_]+)(?:@\w+)?(?:\s+(?P<rest>.*))?$", re.DOTALL)
_BARE = re.compile(r"^(?P<word>[^\W_]+)(?:\s+(?P<rest>.*))?$", re.DOTALL)


@cache
def _by_word() -> Mapping[str, CommandSpec]:
    return {word: spec for spec in COMMANDS for words in spec.words.values() for word in words}


@dataclass(frozen=True, slots=True)
class Command:
    """A command as typed. `name` is canonical, or None for an unknown `word`; `rest` is what follows."""

    name: str | None
    word: str
    rest: str


def parse(text: str, *, bare: bool = False) -> Command | None:
    """The command that `text` is, or None for a question. `bare`: the bot was mentioned, so a command may
    stand without its slash (slash commands cannot be typed everywhere). A question that merely begins
    with such a word stays a question."""
    text = unicodedata.normalize("NFC", text).strip()
    match = _COMMAND.match(text)
    if match is None:
        return _bare(text) if bare else None
    word = match["word"].lower()
    spec = _by_word().get(word)
    return Command(name=spec.name if spec else None, word=word, rest=(match["rest"] or "").strip())


def _bare(text: str) -> Command | None:
    match = _BARE.match(text)
    if match is None:
        return None
    word, rest = match["word"].lower(), (match["rest"] or "").strip()
    spec = _by_word().get(word)
    if spec is None or not (_stands_bare(spec, word, rest) if rest else spec.bare.alone):
        return None
    return Command(name=spec.name, word=word, rest=rest)


def _stands_bare(spec: CommandSpec, word: str, rest: str) -> bool:
    """Whether `word` followed by `rest` is the command without a slash."""
    bare = spec.bare
    if word in spec.slash_only or rest.endswith("?"):
        return False
    if word == spec.name and bare.leads:
        return not (bare.one_word and " " in rest)
    return bare.fits(rest)


def languages_of(command: Command) -> tuple[str, ...]:
    """The languages that a command's word belongs to; none if running text follows, which shows it better
    than names, codes and labels."""
    spec = SPECS.get(command.name or "")
    if spec is None or (command.rest and spec.running):
        return ()
    return tuple(language for language, words in spec.words.items() if command.word in words) or ("en",)


_Method = TypeVar("_Method", bound=Callable[..., Coroutine[Any, Any, Any]])


def handles(name: str) -> Callable[[_Method], _Method]:
    """Marks the method that answers the command `name`. Raises KeyError for a command without a row."""
    spec = SPECS[name]

    def marked(method: _Method) -> _Method:
        vars(method)["handles"] = spec.name
        return method

    return marked


def handlers_of(service: object) -> dict[str, Callable[..., Coroutine[Any, Any, Any]]]:
    """The methods of `service` that answer commands, by canonical name."""
    methods = [method for method in vars(type(service)).values() if callable(method)]
    return {
        vars(method)["handles"]: getattr(service, method.__name__)
        for method in methods
        if "handles" in getattr(method, "__dict__", ())
    }
