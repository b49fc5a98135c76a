"""One language a message: every scene in each language, held against the small words of the others."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.chat.asked import language_of
from bot.chat.command_table import COMMANDS
from bot.chat.conversation import Conversation
from bot.presentation.i18n import catalogue, languages
from core.domain.messages import MessageKind, Reply
from core.domain.rich_text import Style, rich
from tests.support.chats import conversation_over, message, say
from tests.support.world import populated

SMALL_WORDS = {
    "de": "und oder nicht ist sind wird werden der das dem den ein eine einen für mit von auf aus bei zu zur"
    " zum im nur noch kein keine sich es wer wo wie hier dort dieser diese dieses wenn weil aber auch ich",
    "en": "the and is are were of for with from by this that there here not no only you your which who where"
    " how it its has have be been can cannot may at but if",
    "fr": "le la les et ou est sont une du pour avec par sur dans ne pas qui que quoi ce cette ces il elle"
    " vous votre au aux même aussi mais si où ici n'est d'une c'est",
}
"""Words that sentences of a language can hardly do without and that none of the others has."""

QUOTED = re.compile(r"^- .*\?$|„[^“]*“|“[^”]*”|«[^»]*»|`[^`]*`")
"""What is in the language of documents: quotes, and examples of questions to them."""

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

ASKED = {
    "de": "Was sagt die Uferpartei zum Mindestlohn?",
    "en": "What does the Riverside Party say about the minimum wage?",
    "fr": "Que dit le parti Uferpartei sur le salaire minimum dans son programme ?",
}
SCENES = (
    *(f"/{spec.name}" for spec in COMMANDS if spec.name not in ("upload", "forget", "ask")),
    "/ask",
    "/nosuch",
    "/comparre x",
    "/jurisdiction nowhere",
    "/jurisdiction xv-ho",
    "/jurisdiction",
    "/jurisdiction list",
    "/jurisdiction clear",
    "/party Nobody",
    "/party Windmillers",
    "/party",
    "/party clear",
    "/compare Mindestlohn",
    "/compare + Mindestlohn",
    "/verify Der Mindestlohn steigt auf 16 Taler in der Stunde.",
    "/verify Der Mindestlohn steigt auf 15 Taler in der Stunde.",
    "/verify kurz",
    "/verify Nichts davon steht irgendwo in einem dieser vielen Papiere geschrieben.",
    "/summary Mindestlohn",
    "/summary list",
    "/summary show 99",
    "/page nothing.pdf 3",
    "/page S9",
    "/files picture",
    "/files nothing",
    "/files clear",
    "/corrections on",
    "/corrections off",
    "/language xx",
    "/references nonsense",
    "/references § 4",
    "/motion Der Landtag möge den Mindestlohn auf 20 Taler erhöhen.",
    "/feedback nonsense",
    "/why details",
    "/why no-such-trace",
    "Was kostet ein Mondflug?",
    "Was sagen die Drachenflieger zum Mindestlohn?",
    "Wen soll ich wählen?",
    "Hallo!",
    "?",
    "/why",
    "/new",
    "/forget",
)
STAFF = (
    "/help",
    "/describe ufer25.pdf",
    "/describe ufer25.pdf colour=red",
    "/publish nothing.pdf",
    "/unpublish nothing.pdf",
    "/restore nothing.pdf",
    "/remove nothing.pdf",
    "/library approve nothing.pdf",
    "/yes",
    "/retract",
)


def foreign(text: str, language: str) -> set[str]:
    """The small words of other languages in `text`."""
    said = {word[0].casefold() for word in WORD.finditer(QUOTED.sub(" ", text))}
    own = set(SMALL_WORDS[language].split())
    return {
        word
        for other, words in SMALL_WORDS.items()
        if other != language
        for word in said & set(words.split()) - own
    }


def own_words(reply: Reply) -> Iterator[str]:
    """What a reply says itself: blocks without quotes, buttons, captions and names of files."""
    for block in map(rich, reply.blocks):
        text = block.text
        for start, end in reversed(block.ranges(Style.QUOTE)):
            text = text[:start] + text[end:]
        yield from text.splitlines()
    yield from (button.label for row in reply.buttons for button in row)
    yield from (part for file in reply.files for part in (file.caption, file.name.replace("-", " ")))


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    return conversation_over((await populated()).app, tmp_path)


async def said_foreign(
    conversation: Conversation, line: str, language: str, **fields: object
) -> dict[str, set[str]]:
    reply = await say(conversation, line, **fields)  # type: ignore[arg-type]
    found = {text: foreign(text, language) for text in own_words(reply)}
    return {f"{line}: {text}": words for text, words in found.items() if words}


@pytest.mark.parametrize("language", languages())
async def test_every_scene_is_in_the_chats_language(conversation: Conversation, language: str) -> None:
    await say(conversation, f"/language {language}", direct=True)
    wrong: dict[str, set[str]] = {}
    for line in SCENES:
        if not line.startswith("/language"):
            wrong |= await said_foreign(conversation, line, language, direct=True)
    await say(conversation, f"/language {language}", "staff-room", sender="sam")
    for line in STAFF:
        wrong |= await said_foreign(conversation, line, language, chat="staff-room", sender="sam")
    wrong |= await said_foreign(conversation, "", language, chat="staff-room", kind=MessageKind.JOINED)
    assert wrong == {}


@pytest.mark.parametrize("language", languages())
async def test_without_a_setting_the_question_says_the_language(
    conversation: Conversation, language: str
) -> None:
    assert await said_foreign(conversation, ASKED[language], language, direct=True) == {}
    spec = next(spec for spec in COMMANDS if spec.name == "why")
    assert await said_foreign(conversation, f"/{spec.word(language)}", language, direct=True) == {}
    for spec in COMMANDS:
        if (
            spec.helped
            and not spec.staff_chat
            and spec.words[language]
            and spec.name not in ("language", "forget")
        ):
            word = spec.word(language)
            shared = sum(word in words for words in spec.words.values()) > 1
            found = {} if shared else await said_foreign(conversation, f"/{word}", language, direct=True)
            assert found == {}


def own_text(text: str) -> str:
    """A text without its places, names of options and settings, and words for singular and plural."""
    return re.sub(r"\{\w+\}|--[\w-]+|\w*[_=]\w*\S*|\[\w+\]|\(\w+:", " ", text)


@pytest.mark.parametrize("language", languages())
def test_no_text_has_words_of_another_language(language: str) -> None:
    """Every text there is, also those that no scene shows."""
    texts = {key: own_text(text) for key, text in catalogue(language).items()}
    assert {key: words for key, text in texts.items() if (words := foreign(text, language))} == {}


UNCOUNTED = {
    "info.more",
    "doctor.more",
    "doctor.missing_files",
    "cli.times",
    "cli.letter_tried",
    "cli.token_rate",
}
"""Say the same of one as of several, in some language."""


@pytest.mark.parametrize("language", languages())
def test_a_number_before_a_word_has_one_for_one(language: str) -> None:
    """A count is never followed by a bare plural: its word stands in both forms."""
    texts = catalogue(language)
    bare = {
        key
        for key, text in texts.items()
        for name in re.findall(r"\{(count|pages|documents|passages|days|hours)\} [^\W\d_]{3,}", text)
        if f"({name}:" not in text and f"{key}_one" not in texts and not key.endswith("_one")
    }
    assert bare <= UNCOUNTED


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("is it in their programme: „Der Mindestlohn steigt auf 15 Taler in der Stunde.“", "en"),
        ("le livre allemand dit bien « Der Mindestlohn steigt auf 15 Taler in der Stunde. » non ?", "fr"),
        ("steht da wirklich “The minimum wage rises to 15 thalers an hour.” drin?", "de"),
        ("„Der Mindestlohn steigt auf 15 Taler in der Stunde.“ ok?", "de"),
    ],
)
def test_a_quote_in_another_language_is_not_what_its_asker_speaks(text: str, language: str) -> None:
    assert language_of(message(text)) == language
