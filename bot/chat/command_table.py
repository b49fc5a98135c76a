"""Every command of the chats, one row each: what people type, who may, where, and what it costs.

The parser, the guard, the limits, the menus of the platforms, the help and the table in `docs/chats.md`
are read from these rows. A new command is a row here, a method marked with `handles`, and its texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from bot.presentation.i18n import Texts


class Role(IntEnum):
    """What a person is; every role may do what those below it may."""

    ANYONE = 0
    STAFF = 1
    PUBLISHER = 2
    ADMIN = 3


@dataclass(frozen=True, slots=True)
class Bare:
    """When a command stands without its slash after a mention: its words begin questions, too ("Antrag
    auf Wohngeld", "party funding").

    `alone`: with nothing behind it. `leads`: the canonical name with anything behind it that is no
    question, or with `one_word` only. `shape`: what has to stand behind any other of its words, and behind
    the canonical name unless that leads (a regular expression, without regard to case); None where nothing
    will do. `never`: words that always need the slash.
    """

    alone: bool = False
    leads: bool = False
    one_word: bool = False
    shape: str | None = None
    never: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """A command.

    `words` by language, the one offered to people first. `anywhere`: even in a chat that is not in the
    settings; `staff_chat`: only in chats of staff. `limited`: counted against the limits, since it costs
    time. `repeated`: done again when its message is edited. `running`: text in a language stands behind it.
    `menu`: offered while people type. `helped`: listed by help.
    """

    name: str
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bare: Bare = Bare()
    role: Role = Role.ANYONE
    anywhere: bool = False
    staff_chat: bool = False
    limited: bool = False
    repeated: bool = False
    running: bool = False
    menu: bool = True
    helped: bool = True

    def word(self, language: str) -> str:
        """The word to type in a language, in letters that every platform takes."""
        offered = (*self.words.get(language, ()), self.name)
        return next(word for word in offered if word.isascii())

    def help_line(self, language: str, prefix: str) -> str:
        """How it is typed and what it does, as help lists it."""
        texts = Texts(language)
        return f"{prefix}{self.word(language)}{texts(f'help.{self.name}', prefix=prefix)}"


def _words(*english: str, de: tuple[str, ...] = ()) -> Mapping[str, tuple[str, ...]]:
    return {"en": english, "de": de}


_DOCUMENT = r"\S+|[\"„“].+|.+\.\w{2,4}"
_ALONE = Bare(alone=True)
_LEADS = Bare(leads=True, shape=r".+")
_ON_A_DOCUMENT = Bare(leads=True, shape=_DOCUMENT)


def _for_staff(
    name: str, *words: str, de: tuple[str, ...], bare: Bare, role: Role = Role.STAFF
) -> CommandSpec:
    typed = _words(*words, de=de)
    return CommandSpec(name=name, words=typed, bare=bare, role=role, staff_chat=True, menu=False)


COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec(
        name="ask",
        words=_words("ask", de=("frage", "fragen")),
        bare=_LEADS,
        limited=True,
        repeated=True,
        running=True,
    ),
    CommandSpec(
        name="jurisdiction",
        words=_words("jurisdiction", "place", de=("ort",)),
        bare=Bare(leads=True, one_word=True, shape=r"\S+", never=frozenset({"place"})),
    ),
    CommandSpec(
        name="party",
        words=_words("party", de=("partei",)),
        bare=Bare(shape=r"(?-i:[A-ZÄÖÜ0-9])\S*|[\"„“].+|clear|weg"),
    ),
    CommandSpec(
        name="compare",
        words=_words("compare", de=("vergleich", "vergleiche")),
        bare=_LEADS,
        limited=True,
        repeated=True,
        running=True,
    ),
    CommandSpec(
        name="verify",
        words=_words("verify", de=("zitat", "pruefen", "prüfen")),
        bare=Bare(leads=True, shape=r".+", never=frozenset({"pruefen", "prüfen"})),
        limited=True,
        repeated=True,
        running=True,
    ),
    CommandSpec(
        name="motion",
        words=_words("motion", de=("antrag",)),
        bare=Bare(leads=True, shape=r".*\b(?:mover|antragsteller|jurisdiction|ort)=.+"),
        limited=True,
        running=True,
    ),
    CommandSpec(
        name="references",
        words=_words("references", de=("verweise",)),
        bare=Bare(leads=True, shape=r".*\d.*"),
        limited=True,
        repeated=True,
        running=True,
    ),
    CommandSpec(
        name="summary",
        words=_words("summary", de=("zusammenfassung",)),
        bare=_LEADS,
        limited=True,
        running=True,
    ),
    CommandSpec(name="sources", words=_words("sources", de=("quellen",)), bare=_ALONE),
    CommandSpec(
        name="page",
        words=_words("page", de=("seite",)),
        bare=Bare(shape=r"(?:\S+|.+\.\w{2,4})\s\d{1,4}|\[?[SF]\d{1,3}\]?"),
        limited=True,
        repeated=True,
    ),
    CommandSpec(name="why", words=_words("why", de=("warum",)), bare=_ALONE),
    CommandSpec(
        name="language", words=_words("language", de=("sprache",)), bare=Bare(shape=r"de|en|clear|weg")
    ),
    CommandSpec(
        name="corrections",
        words=_words("corrections", de=("korrekturen",)),
        bare=Bare(shape=r"on|off|an|aus"),
        menu=False,
    ),
    CommandSpec(name="new", words=_words("new", de=("neu",)), bare=_ALONE),
    CommandSpec(name="cancel", words=_words("cancel", de=("abbrechen",)), bare=_ALONE),
    CommandSpec(
        name="feedback",
        words=_words("feedback", de=("rueckmeldung", "rückmeldung")),
        bare=Bare(leads=True, one_word=True, shape=r"useful|wrong|wrong_page"),
        menu=False,
    ),
    CommandSpec(
        name="more",
        words=_words("more", de=("mehr",)),
        bare=_ALONE,
        limited=True,
        repeated=True,
        menu=False,
        helped=False,
    ),
    CommandSpec(name="privacy", words=_words("privacy", de=("datenschutz",)), bare=_ALONE, anywhere=True),
    CommandSpec(
        name="forget", words=_words("forget", de=("vergessen",)), bare=_ALONE, anywhere=True, menu=False
    ),
    CommandSpec(name="id", words=_words("id"), bare=_ALONE, anywhere=True),
    CommandSpec(
        name="help", words=_words("help", "start", de=("hilfe",)), bare=_ALONE, anywhere=True, helped=False
    ),
    CommandSpec(name="about", words=_words("about", de=("ueber", "über")), bare=_ALONE, anywhere=True),
    CommandSpec(name="upload", role=Role.STAFF, staff_chat=True, menu=False, helped=False),
    _for_staff("documents", "documents", de=("dokumente",), bare=_ALONE),
    _for_staff("describe", "describe", de=("angaben",), bare=Bare(leads=True, shape=r".+=.+|\S+ \*")),
    _for_staff(
        "publish",
        "publish",
        de=("veroeffentlichen", "veröffentlichen"),
        bare=_ON_A_DOCUMENT,
        role=Role.PUBLISHER,
    ),
    _for_staff(
        "unpublish",
        "unpublish",
        de=("zuruecknehmen", "zurücknehmen"),
        bare=_ON_A_DOCUMENT,
        role=Role.PUBLISHER,
    ),
    _for_staff("remove", "remove", de=("entfernen",), bare=_ON_A_DOCUMENT),
    _for_staff("restore", "restore", de=("wiederherstellen",), bare=_ON_A_DOCUMENT),
    _for_staff("reingest", "reingest", de=("neueinlesen",), bare=_ON_A_DOCUMENT),
    CommandSpec(
        name="retract",
        words=_words("retract", de=("widerrufen",)),
        bare=Bare(alone=True, leads=True, shape=_DOCUMENT),
        role=Role.STAFF,
        menu=False,
    ),
    _for_staff(
        "library",
        "library",
        "status",
        de=("bibliothek",),
        bare=Bare(alone=True, shape=r"(?:approve|reject|run|annehmen|ablehnen|holen)\s.+"),
    ),
)

SPECS: Mapping[str, CommandSpec] = {spec.name: spec for spec in COMMANDS}
"""By canonical name. `upload` is what files ask for; nobody types it."""


def listed(role: Role) -> list[CommandSpec]:
    """The commands that help lists for a role and not for the one below it."""
    return [spec for spec in COMMANDS if spec.helped and min(spec.role, Role.STAFF) == role]


def offered(language: str) -> list[tuple[str, str]]:
    """The commands to offer to people of a language: the word to type in plain letters, and what it does."""
    texts = Texts(language)
    return [(spec.word(language), texts(f"menu.{spec.name}")) for spec in COMMANDS if spec.menu]
