"""Whole answers on every chat platform: the same words, drawn as well as each can, with their files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.delivery.outbox import fit
from core.domain.messages import Button, IncomingMessage, MessageRef, Outgoing, Reply, ReplyFile
from core.domain.rich_text import Block, bold, heading, joined, quotation, rich, small, struck, table
from tests.support.chat_harness import ChatHarness, Shown
from tests.support.chat_scenes import asked, needs, part, place

HEADING = heading("Ufer & Söhne · Ferry *toll*")
QUOTE = quotation(rich("The toll <falls> to ") + bold("3 crowns") + " 🚢 in 2026.")
SOURCE = "Programme 2025, p. 4"
SMALL = small("No legal advice.")
ANSWER = (joined([HEADING, QUOTE, SOURCE]), SMALL)
JPEG = b"\xff\xd8\xff\xe0 a strip \xff\xd9"
PDF = b"%PDF-1.4\n% a page\n%%EOF\n"


Said = tuple[Reply, MessageRef]


def reply(to: IncomingMessage, *blocks: Block, files: Sequence[ReplyFile] = (), **more: object) -> Said:
    return Reply(blocks=blocks, files=tuple(files), **more), to.ref  # type: ignore[arg-type]


def parts(chats: ChatHarness, said: Said, key: str = "k") -> list[Outgoing]:
    platform = chats.platform
    return fit(*said, platform.capabilities, platform.length, key=key)


async def told(chats: ChatHarness, said: Said, key: str = "k") -> list[tuple[str, ...]]:
    return [await chats.platform.send(each) for each in parts(chats, said, key)]


def strip_and_page(folder: Path) -> list[ReplyFile]:
    found = []
    for name, content in (("programme-p4.jpg", JPEG), ("programme-p4.pdf", PDF)):
        path = folder / name
        path.write_bytes(content)
        found.append(ReplyFile(name=name, caption="", path=path))
    return found


def text_of(shown: Sequence[Shown]) -> str:
    return "\n\n".join(item.text for item in shown if item.text)


async def test_what_is_drawn_is_drawn_and_every_word_is_there(chats: ChatHarness) -> None:
    message = await asked(chats, await place(chats))
    was, now = struck("3 crowns"), bold("4 crowns")
    rows = table([["Party", "Toll"], ["Ufer", rich("lower ") + bold("now")]])
    blocks = [QUOTE, joined(["It was ", was, ", it is ", now, "."], ""), rows]
    await told(chats, reply(message, *blocks))
    (shown,) = await chats.shown(message.ref.chat)
    squeezed = "".join(shown.text.replace("~~", "").split())  # how the console strikes words
    for block in (QUOTE, "It was 3 crowns, it is 4 crowns.", "Party", "Toll", "Ufer", "lower now"):
        assert "".join(str(block).split()) in squeezed
    wanted = {
        ("quote", QUOTE.text),
        ("bold", "3 crowns"),
        ("struck", "3 crowns"),
        ("bold", "4 crowns"),
        ("cell", "Toll"),
        ("cell", "lower now"),
    }
    assert {each for each in wanted if each[0] in chats.draws} <= shown.drawn


async def test_an_answer_with_strip_and_page(chats: ChatHarness, tmp_path: Path) -> None:
    message = await asked(chats, await place(chats))
    await told(chats, reply(message, *ANSWER, files=strip_and_page(tmp_path)))
    shown = await chats.shown(message.ref.chat)
    texts, files = [item for item in shown if item.text], [item for item in shown if item.files]
    assert len(texts) == len(files) == 1
    assert [item.thread for item in shown] == [message.ref.thread] * len(shown)
    assert [(file.name, file.content) for file in files[0].files] == [
        ("programme-p4.jpg", JPEG),
        ("programme-p4.pdf", PDF),
    ]
    together = chats.platform.capabilities.text_with_files
    assert (texts[0] is files[0]) is together
    for words in (HEADING.text, QUOTE.text, SOURCE, SMALL.text):
        assert words in texts[0].text.replace("\u2060", "")
    if together:  # names stand below the files
        assert "programme-p4" not in texts[0].text


async def test_an_answer_can_be_asked_about_and_taken_back_with_its_files(
    chats: ChatHarness, tmp_path: Path
) -> None:
    needs(chats.platform.capabilities.deletes, "deletion")
    message = await asked(chats, await place(chats))
    sent = await told(chats, reply(message, *ANSWER, files=strip_and_page(tmp_path)))
    shown = await chats.shown(message.ref.chat)
    assert {each for ids in sent for each in ids} == {each for item in shown for each in item.ids}
    for each in {each for ids in sent for each in ids}:
        await chats.platform.delete(replace(message.ref, message=each))
    assert await chats.shown(message.ref.chat) == []


async def test_a_corrected_answer_keeps_its_page_and_says_what_changed(
    chats: ChatHarness, tmp_path: Path
) -> None:
    needs(chats.platform.capabilities.edits, "edits")
    message = await asked(chats, await place(chats))
    ((first, *_), *_) = await told(chats, reply(message, *ANSWER, files=strip_and_page(tmp_path)))
    news = joined([struck("3 crowns"), bold("4 crowns")], " ")
    edit = reply(message, bold("Corrected"), *ANSWER, news, replaces=first)
    assert await told(chats, edit, "e") == [(first,)]
    shown = await chats.shown(message.ref.chat)
    (text,) = [item for item in shown if item.text]
    assert (text.ids[0], text.text.replace("\u2060", "").startswith("Corrected")) == (first, True)
    assert {("bold", "Corrected"), ("struck", "3 crowns"), ("bold", "4 crowns")} <= text.drawn
    assert [file.name for item in shown for file in item.files] == ["programme-p4.jpg", "programme-p4.pdf"]


async def test_a_receipt_grows_in_place(chats: ChatHarness) -> None:
    needs(chats.platform.capabilities.edits, "edits")
    message = await asked(chats, await place(chats))
    files = [f"programme-{number}.pdf is read: 12 pages" for number in range(1, 4)]
    (first,) = await chats.platform.send(part(message.ref, "I read it now."))
    for number in range(1, 4):
        said = reply(message, bold(f"{number} files:"), *files[:number], replaces=first)
        assert await told(chats, said, f"r{number}") == [(first,)]
    (shown,) = await chats.shown(message.ref.chat)
    assert all(line in shown.text.replace("\u2060", "") for line in ("3 files:", *files))


async def test_a_very_long_answer_comes_in_order_and_loses_nothing(
    chats: ChatHarness, tmp_path: Path
) -> None:
    limit = chats.platform.capabilities.max_text
    needs(limit is not None, "limit")
    assert limit is not None
    message = await asked(chats, await place(chats))
    quotes = [f"Quote number {n} stands here in its own words. " * 20 for n in range(limit // 400)]
    blocks = [joined([quotation(quote.strip()), f"{SOURCE} [S{n}]"]) for n, quote in enumerate(quotes)]
    await told(chats, reply(message, *blocks, files=strip_and_page(tmp_path)))
    shown = await chats.shown(message.ref.chat)
    texts = [item for item in shown if item.text]
    assert len(texts) > 1
    assert "".join(text_of(shown).split()) == "".join("".join(blocks).split())
    assert all(chats.platform.length(item.text) <= limit for item in texts)
    assert all(any(kind == "quote" for kind, _ in item.drawn) for item in texts)
    assert [bool(item.files) for item in shown][-1]


@pytest.mark.parametrize("files", [0, 1])
async def test_buttons_stand_below_the_words(chats: ChatHarness, tmp_path: Path, files: int) -> None:
    message = await asked(chats, await place(chats))
    buttons = ((Button(label="Useful", command="/feedback useful"),),)
    pages = strip_and_page(tmp_path)[1 : 1 + files]
    await told(chats, reply(message, *ANSWER, buttons=buttons, files=pages))
    (text,) = [item for item in await chats.shown(message.ref.chat) if item.text]
    assert text.buttons == ((("/feedback useful",),) if chats.platform.capabilities.buttons else ())
