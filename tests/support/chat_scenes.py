"""Steps that scenes of the shared suites of chat platforms have in common."""

from pathlib import Path

import pytest

from core.domain.messages import IncomingMessage, MessageRef, Outgoing, ReplyFile
from tests.support.chat_harness import ChatHarness

PDF = b"%PDF-1.4\n% a page\n%%EOF\n"
QUESTION = "What about the ferry toll?"


async def place(chats: ChatHarness) -> str:
    return await (chats.group() if chats.groups else chats.direct())


async def asked(chats: ChatHarness, chat: str, question: str = QUESTION) -> IncomingMessage:
    before = len(chats.inbox.messages)
    await chats.say(chat, chats.asking(question) if chats.groups else question)
    return await chats.inbox.next(after=before)


def part(to: MessageRef, text: str = "", key: str = "k-0", **more: object) -> Outgoing:
    return Outgoing(key=key, to=to, text=text, **more)  # type: ignore[arg-type]


def page(folder: Path, number: int) -> ReplyFile:
    path = folder / f"S{number}-page.pdf"
    path.write_bytes(PDF + b"%" * number)
    return ReplyFile(name=path.name, caption=f"[S{number}] p. {number}", path=path)


def needs(condition: bool, what: str) -> None:
    if not condition:
        pytest.skip(f"has no {what}")
