"""Parties, places, aliases and titles of an inner manifest: every command and form of question of a public
chat answers without one of their words; the staff chat knows them all."""

import re
from pathlib import Path

import pytest

from adapters.files.manifest import parse_manifest
from bot.chat.conversation import Conversation
from bot.library.intake import IngestOptions
from bot.presentation.escaping import WORD_JOINER
from core.domain.documents import DocumentType
from tests.support.chats import conversation_over, say
from tests.support.world import World, populated

INNER = parse_manifest("""
[defaults]
collection = "internal"
[[jurisdiction]]
code = "xv"
name = "Valdorien"
aliases = ["Drosselland"]
[[jurisdiction]]
code = "xv-zz"
name = "Amselgrund"
aliases = ["Kauzwinkel"]
[[party]]
name = "Windmüller"
aliases = ["Zeisigliste", "Zeisige"]
[[party]]
name = "Amselpartei"
aliases = ["Spatzenbund"]
[[party]]
name = "Finkenallianz"
members = ["Amselpartei", "Uferpartei"]
[[government]]
jurisdiction = "xv"
parties = ["Amselpartei"]
from = 2024-01-01
""")
WORDS = ("drossel", "amsel", "kauz", "zeisig", "spatz", "fink", "meise", "xv-zz")
NEAR = {  # what somebody may type who does not know them, and gets near
    "Amselparty",
    "Amselgrnd",
    "Finkenalianz",
    "Spatzenbnd",
    "Zeisiglist",
    "Drosselnd",
    "xv-zy",
    "Kautzwinkel",
    "Meisenplam",
}
NAMES = (
    "Amselpartei",
    "Spatzenbund",
    "Zeisigliste",
    "Finkenallianz",
    "Amselgrund",
    "Kauzwinkel",
    "Drosselland",
    "xv-zz",
    "Meisenplan",
    "amselplan.pdf",
)
FORMS = (
    "Was sagt {name} zum Mindestlohn?",
    "Was will die {name}?",
    "What does {name} say about housing?",
    "Que dit {name} du salaire minimum ?",
    "{name}",
    "{name}?",
    "und {name}?",
    "Und in {name}?",
    "Was kostet ein Hausboot in {name}?",
    "Welche Parteien gibt es in {name}?",
    "Vergleiche {name} und Uferpartei zum Mindestlohn",
    "Was steht im {name}-Programm?",
    "Was sagen alle Parteien zum Mindestlohn?",
    "/party {name}",
    "/jurisdiction {name}",
    "/compare Mindestlohn {name} Uferpartei",
    "/compare Mindestlohn: {name}",
    "/compare {name} zum Mindestlohn",
    "/compare Mindestlohn jurisdiction={name}",
    "/motion Wir fordern 15 Taler Mindestlohn. jurisdiction=xv mover={name}",
    "/motion Wir fordern 15 Taler Mindestlohn. jurisdiction={name} mover=Uferpartei",
    "/summary new {name} Mindestlohn",
    '/verify {name}: "Der Mindestlohn steigt auf 15 Taler in der Stunde"',
    "/verify Der Mindestlohn steigt auf 15 Taler ({name})",
    "/page {name} 1",
    "/references {name} § 1",
)
PLAIN = (
    "/help", "/start", "/hello", "/privacy", "/sources", "/jurisdiction", "/jurisdiction liste",
    "/jurisdiction list",
    "/party", "/party x", "/jurisdiction xv-z", "/party par", "/documents", "/library", "/status", "/why",
    "/summary list", "/language", "/compare", "/motion", "/verify", "/page",
    "/motion Wir fordern 15 Taler Mindestlohn. jurisdiction=xv mover=Uferpartei",
    "Welche Parteien kennst du?", "Welche Dokumente hast du?", "Wer regiert in Valdorien?",
    "Was sagt Windmüller zum Mindestlohn?", "Was sagt Volt zum Mindestlohn?",
)  # fmt: skip


@pytest.fixture
async def world(tmp_path: Path) -> World:
    world = await populated()
    world.app.intake.read_manifest = lambda _: INNER
    async for _ in world.app.intake.ingest([], IngestOptions(), tmp_path / "inner.toml"):
        raise AssertionError("it lists no documents")
    await world.add(
        "amselplan.pdf",
        "Mindestlohn\n\nDer Mindestlohn steigt mit der Amselpartei auf 99 Taler in der Stunde.",
        title="Meisenplan",
        parties=("Amselpartei",),
        jurisdiction="xv-zz",
        doc_type=DocumentType.MANIFESTO,
        collection="internal",
    )
    return world


@pytest.fixture
def conversation(world: World, tmp_path: Path) -> Conversation:
    return conversation_over(world.app, tmp_path)


async def shown(conversation: Conversation, text: str, chat: str, number: int = 0) -> str:
    """All that a reply shows: words, buttons and what is behind them, names and captions of files."""
    sender = "sam" if chat == "staff-room" else f"anna{number}"
    reply = await say(conversation, text, chat, number=f"m{number}", sender=sender)
    parts = [str(block) for block in reply.blocks]
    parts += [f"{button.label} {button.command}" for row in reply.buttons for button in row]
    parts += [f"{file.name} {file.caption}" for file in reply.files]
    return "\n".join(parts).replace(WORD_JOINER, "")


async def test_a_public_chat_says_no_word_of_an_inner_manifest(conversation: Conversation) -> None:
    names = sorted({*NAMES, *NEAR})
    forms = [
        form.format(name=names[at % len(names)])
        for each in range(4)
        for at, form in enumerate(FORMS, each * 5)
    ]
    asked = [
        *PLAIN,
        *dict.fromkeys(forms),
        *(f"/{name} {each}" for name in ("party", "jurisdiction") for each in names),
    ]
    for number, text in enumerate(asked):
        said = (await shown(conversation, text, "public-room", number)).casefold()
        words = {*re.findall(r"[\w.-]+", text.casefold()), *re.findall(r"\w+", text.casefold())}
        for typed in sorted(words, key=len, reverse=True):
            said = said.replace(typed, "")  # a name that is said back tells nothing
        assert not [word for word in WORDS if word in said], (text, said)


async def test_settings_and_lists_of_a_public_chat_know_public_names_only(conversation: Conversation) -> None:
    listed = await shown(conversation, "/jurisdiction liste", "public-room")
    assert "Hochau" in listed
    assert "Amselgrund" not in listed
    for command in (
        "/party Amselpartei",
        "/party Spatzenbund",
        "/jurisdiction xv-zz",
        "/jurisdiction Kauzwinkel",
    ):
        await shown(conversation, command, "public-room")
    assert "Amsel" not in await shown(conversation, "/party", "public-room")
    assert "Amsel" not in await shown(conversation, "/jurisdiction", "public-room")


async def test_the_staff_chat_knows_them_all(conversation: Conversation) -> None:
    for command, word in (
        ("/jurisdiction liste", "Amselgrund"),
        ("/jurisdiction Kauzwinkel", "Amselgrund"),
        ("/jurisdiction Drosselland", "Valdorien"),
        ("/jurisdiction clear", ""),
        ("/party Spatzenbund", "Amselpartei"),
        ("/party Zeisigliste", "Windmüller"),
        ("/party Amselparty", "Amselpartei"),
        ("/party clear", ""),
        ("Was sagt der Spatzenbund zum Mindestlohn?", "99 Taler"),
        ("Was sagt die Zeisigliste zum Mindestlohn?", "Tarifpartner"),
        ("/motion Wir fordern 15 Taler Mindestlohn. jurisdiction=xv mover=Uferpartei", "Amselpartei"),
        ("/sources", "Amselgrund"),
    ):
        said = await shown(conversation, command, "staff-room")
        assert word in said, (command, said)


async def test_a_published_document_answers_for_its_party_in_public(
    world: World, conversation: Conversation
) -> None:
    (document,) = [
        item for item in await world.library.documents(["internal"]) if item.file == "amselplan.pdf"
    ]
    await world.app.publishing.publish(document, "public")
    said = await shown(conversation, "Was sagt die Amselpartei zum Mindestlohn?", "public-room")
    assert "99 Taler" in said
    assert "Amselgrund" in await shown(conversation, "/sources", "public-room")
    assert "Amselpartei" not in await shown(conversation, "/party Spatzenbund", "public-room")
