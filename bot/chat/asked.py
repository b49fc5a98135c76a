"""What a message asks for, and in which language."""

import re

from bot.answers.alleged import (
    IN_PLACE,
    OF_A_SENTENCE,
    is_sentence,
    marked_otherwise,
    one_quoted,
    with_usual_marks,
)
from bot.chat import command_table
from bot.chat.command_table import SPECS, Command, parse
from bot.chat.memory import WORDS, ChatMemory, Remembered
from bot.chat.personal import REACTIONS
from bot.chat.upload_fields import only_fields, without_fields
from bot.presentation.escaping import WORD_JOINER
from core.answering.entries import UNREADABLE
from core.domain.journal import Pseudonyms, chat_key
from core.domain.messages import IncomingMessage, MessageKind
from core.errors import Refused
from core.language.terms import content_words
from core.question.language import small_talk_languages, spoken_language
from core.question.turns import TurnKind, TurnReader

_LANGUAGE_SHOWS = 400
"""Minimum characters of a message for its language to be clear."""

_FILE = re.compile(r"\S+\.[A-Za-z]{2,4}")
_ID = re.compile(r"\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b")

_WORDS = 3
"""Minimum words of a message to show the language spoken in its chat."""


class RecentTexts:
    """Recognises edits that change nothing: a platform may report one when it has only unfolded a link. Keeps
    digests with the key of the `pseudonyms`, of the last messages only; later edits are answered again, and
    so is an event that is processed a second time."""

    def __init__(self, memory: ChatMemory, pseudonyms: Pseudonyms) -> None:
        self._digests = Remembered[tuple[str, str]](memory, "texts", tuple[str, str], WORDS)
        self._pseudonyms = pseudonyms

    def says_again(self, message: IncomingMessage) -> bool:
        """Whether `message` is an edit that leaves its text as it was."""
        if message.kind not in (MessageKind.MESSAGE, MessageKind.EDIT):
            return False
        chat, place = chat_key(message.ref), (message.ref.thread or "", message.ref.message)
        digest = self._pseudonyms.person("", "", message.text)
        before, event = self._digests.get(chat, *place) or ("", "")
        retried = event == message.event
        same = message.kind is MessageKind.EDIT and before == digest and not retried
        self._digests.put(chat, *place, value=(digest, message.event))
        return same


def what_is_said(message: IncomingMessage) -> tuple[str, ...]:
    """The words of a message to the bot, of its file's caption or after its command, without ids of answers
    and documents, and the words that it points at: any of them may be a call for help."""
    if not (message.addressed or message.called) or message.kind not in (
        MessageKind.MESSAGE,
        MessageKind.EDIT,
    ):
        return ()
    text = message.text.replace(WORD_JOINER, "").translate(UNREADABLE)
    command = parse(text)
    own = text if command is None or command.name is None else command.rest
    return tuple(filter(None, (_ID.sub("", own).strip(), message.shown)))


def command_of(message: IncomingMessage) -> Command:
    """What a message asks for: the command in it, an upload, or a question."""
    if message.kind is MessageKind.JOINED:
        return Command(name="help", word="help", rest="")
    if message.kind is MessageKind.REACTION:
        return Command(name="feedback", word="feedback", rest=REACTIONS[message.text].value)
    found = parse(message.text, bare=message.addressed)
    if found is not None and found.name is None and " " in without_fields(found.rest):
        # "/fundstelle What does ...": everything after a platform's single command looks like a command
        return _question(message.text.strip()[1:])
    if found is not None:
        return found if message.attachments or message.shown_files else _without_file(found, message)
    if message.attachments:
        return Command(name="upload", word="upload", rest=message.text)
    return _question(message.text)


def _without_file(command: Command, message: IncomingMessage) -> Command:
    """What a message without files asks for with `command`."""
    spec = SPECS.get(command.name or "")
    if spec is None or spec.of_words is None:
        return command
    if message.shown:
        return Command(name=spec.of_words, word=spec.of_words, rest=command.rest)
    return command if message.text.strip().startswith(("/", "!")) else _question(message.text)


def _question(text: str) -> Command:
    """The command for a text without one."""
    return Command(name="ask", word="ask", rest=text)


def checking(words: str) -> Command:
    """The command for checking alleged words."""
    return Command(name="verify", word="verify", rest=words)


_LANGUAGES = {
    "de": re.compile(r"\b(?:deutsch|german|allemand)", re.IGNORECASE),
    "en": re.compile(r"\b(?:englisch|english|anglais)", re.IGNORECASE),
    "fr": re.compile(r"\b(?:franz(?:ö|oe|o)sisch|french|fran[çc]ais)", re.IGNORECASE),
}
"""The names of the languages that the bot speaks."""
_INTO = r"\b(?:auf|ins?|into|to|en)\s+"
"""Before the one that is wanted, if several are named."""


def in_words(command: Command, kind: TurnKind, speaking: str) -> Command:
    """The command that a question amounts to: a quote to verify, or another language than the one we are
    `speaking`, without a word of its own, for what was said last as well."""
    if kind is TurnKind.ALLEGED:
        return checking(command.rest)
    if kind is not TurnKind.LANGUAGE:
        return command
    named = [
        tag for tag, called in _LANGUAGES.items() if re.search(_INTO + called.pattern, command.rest, re.I)
    ]
    named = named or [tag for tag, called in _LANGUAGES.items() if called.search(command.rest)]
    wanted = next((tag for tag in named if tag != speaking), spoken_language(command.rest))
    return Command(name="language", word="", rest=wanted)


async def kind_of(text: str, turns: TurnReader) -> TurnKind:
    """The kind of `text`; with a quoted sentence, which would otherwise drown what it asks, as it is without
    its words. A statement behind a colon may be one."""
    text = with_usual_marks(text)
    kind, quoted = await turns.read(text), one_quoted(text)
    if quoted is None and kind in (TurnKind.QUESTION, TurnKind.REMARK):
        for behind in filter(_is_stated, map(one_quoted, marked_otherwise(text))):
            if behind and await turns.asks_of_quote(behind[1]):
                return TurnKind.ALLEGED
    if quoted is None or not is_sentence(quoted[0]):
        return kind
    states = kind is TurnKind.QUESTION and "?" not in quoted[1]
    if states or await turns.asks_of_quote(quoted[1]):
        return TurnKind.ALLEGED
    return await turns.read(quoted[1]) if kind is TurnKind.ALLEGED else kind


def _is_stated(found: tuple[str, str] | None) -> bool:
    """Whether words that may be a quote without marks stand behind a colon and are a statement."""
    if found is None or not found[1].partition(IN_PLACE)[0].rstrip().endswith(":"):
        return False
    words = found[0].strip("„“").strip()
    return "?" not in words and words[:1].isupper() and len(words.split()) >= OF_A_SENTENCE


def as_confirmation(command: Command) -> Command:
    """A lone "yes" as the command for confirming guesses where receipts ask for that; any other command
    unchanged."""
    word = command.rest.strip(" .!").lower()
    said_so = command == _question(command.rest) and any(
        word in words for words in SPECS["yes"].words.values()
    )
    return Command(name="yes", word=word, rest="") if said_so else command


def beside_a_file(command: Command) -> Command:
    """The question sent with a file that is not ingested. Raises Refused if there is none, and for a word
    that only accompanies a file ("hier", "please")."""
    topic = content_words(command.rest, spoken_language(command.rest)) if command.rest else ()
    asks = len(topic) > 1 or (topic and command.rest.endswith("?"))
    if not asks or only_fields(command.rest):
        raise Refused("upload.elsewhere", "files are taken in by staff chats only")
    return _question(command.rest)


def has_words(message: IncomingMessage) -> bool:
    """Whether a message has enough running words to tell which language is spoken."""
    return len(_said(message, parse(message.text)).split()) >= _WORDS


def language_of(message: IncomingMessage, spoken: str = "") -> str:
    """The language that a message is written in; a bare command has that of its word. Button presses, fields,
    file names, unknown commands and common command names have none of their own: theirs is the one `spoken`
    in their chat."""
    command = parse(message.text, bare=message.addressed)
    of_word = command_table.languages_of(command) if command and command.name else ()
    words = _said(message, command) or message.shown
    pressed = message.kind in (MessageKind.BUTTON, MessageKind.REACTION)
    known_to_all = of_word and command is not None and command.word == command.name
    if spoken and (pressed or known_to_all or spoken in of_word or not (of_word or words)):
        return spoken
    if of_word and not (known_to_all and message.shown):
        return of_word[0]
    return _written_in(words or (command.word if command else ""), spoken)


def _written_in(text: str, spoken: str) -> str:
    """The language of running text: for greetings and thanks the one they belong to or, among several, the
    one `spoken` in the chat."""
    small = small_talk_languages(text)
    if small:
        return spoken if spoken and len(small) > 1 else small[0]
    return spoken_language(text[:_LANGUAGE_SHOWS], spoken) if text else "en"


def _said(message: IncomingMessage, command: Command | None) -> str:
    """The running text of a message: no command, no fields, no names of files, no quote that it asks about in
    words of its own."""
    text = message.text if command is None else command.rest
    said = " ".join(word for word in without_fields(text).split() if not _FILE.fullmatch(word))
    if quoted := one_quoted(said):
        around = " ".join(quoted[1].replace(IN_PLACE, " ").split())
        said = around if len(around.split()) >= _WORDS else said
    return said
