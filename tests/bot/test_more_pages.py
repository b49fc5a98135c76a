"""Pages on request: whatever an answer quotes can be had, in as many messages as it takes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.answers.records.why import recorded_citations
from bot.chat.cited_pages import rest_of
from bot.presentation.i18n import Texts, languages
from core.domain.ids import TraceId
from core.domain.journal import chat_key
from core.domain.messages import Reply
from core.domain.passages import Span
from core.domain.scope import Scope
from tests.support.chats import conversation_over, message, say
from tests.support.fake_stage import EVERYTHING, FakeStage
from tests.support.journal_examples import record
from tests.support.world import NOW, World, populated

PAGES = 12
WORDS = [
    "Brunnen",
    "Brücken",
    "Deiche",
    "Felder",
    "Gärten",
    "Häfen",
    "Inseln",
    "Karten",
    "Lampen",
    "Mühlen",
    "Netze",
    "Wälder",
]
TRACE = "a" * 32


async def answered(world: World) -> None:
    """An answer in the public room that quotes the first words of twelve pages."""
    await world.add("lang.pdf", *(" ".join((*WORDS[number:], *WORDS[:number])) for number in range(PAGES)))
    (document,) = [item for item in await world.library.documents() if item.file == "lang.pdf"]
    (version,) = await world.library.versions(document.id)
    base = record(TRACE)
    citations = tuple(
        replace(
            base.citations[0],
            label=f"S{number}",
            document=document.id,
            version=version.id,
            passage=None,
            spans=(Span(number, 0, len(WORDS[number - 1])),),
            quote=WORDS[number - 1],
            printed_labels=(None,),
        )
        for number in range(1, PAGES + 1)
    )
    chat = world.journal.pseudonyms.chat(chat_key(message("").ref))
    made = replace(base, at=NOW, chat=chat, scope=Scope(collections=("public",)), citations=citations)
    await world.journal.record(replace(made, trace=TraceId(TRACE)))


def numbers(reply: Reply) -> list[int]:
    return [int(file.path.stem.rpartition("-p")[2]) for file in reply.files]


@pytest.mark.parametrize(("shown", "key"), [(0, "pages_cited"), (3, "more")])
async def test_pages_that_are_the_first_to_come_are_no_further_ones(shown: int, key: str) -> None:
    world = await populated()
    await answered(world)
    found = await world.journal.answer(TraceId(TRACE))
    assert found is not None
    citations = await recorded_citations(found, world.library)
    for language in languages():
        texts = Texts(language)
        for buttons in (True, False):
            stage = FakeStage(capabilities=replace(EVERYTHING, buttons=buttons))
            request = SimpleNamespace(texts=texts, stage=stage)
            rest = rest_of(request, TraceId(TRACE), citations, shown=shown)  # type: ignore[arg-type]
            left = PAGES - shown
            if buttons:
                assert [each.label for each in rest.buttons] == [texts(f"button.{key}", count=left)]
            else:
                line = f"command.{'more_left' if shown else 'pages_cited'}"
                prefix = stage.capabilities.command_prefix
                assert rest.blocks == (texts(line, count=left, prefix=prefix),)


@pytest.mark.parametrize(
    ("buttons", "max_files", "sizes"), [(True, 4, [4, 4, 1]), (False, 4, [4, 4, 1]), (True, None, [9])]
)
async def test_all_pages_come_in_the_end(
    tmp_path: Path, buttons: bool, max_files: int | None, sizes: Sequence[int]
) -> None:
    world = await populated()
    await answered(world)
    can = replace(EVERYTHING, buttons=buttons, max_files=max_files, command_prefix="!")
    stage = FakeStage(capabilities=can)
    conversation = conversation_over(world.app, tmp_path)
    line, shown = f"!more {TRACE}", list[list[int]]()
    while line:
        reply = await say(conversation, line, stage=stage, number=f"m{len(shown)}")
        assert reply.trace == TRACE
        shown.append(numbers(reply))
        pressed = [button.command for row in reply.buttons for button in row]
        typed = [block[block.index("!") :] for block in reply.blocks[1:2] if "!more" in block]
        assert not (pressed and typed)
        line = next(iter(pressed + typed), "")
    assert [len(pages) for pages in shown] == sizes
    assert [page for pages in shown for page in pages] == list(range(4, PAGES + 1))


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("2", []),
        (f"{TRACE} 1", [1, 2, 3]),
        (f"{TRACE} 0", [1, 2, 3]),
        (f"{TRACE} 12", [12]),
        (f"{TRACE} 13", []),
    ],
)
async def test_it_begins_where_it_is_told_to(tmp_path: Path, words: str, pages: list[int]) -> None:
    world = await populated()
    await answered(world)
    stage = FakeStage(capabilities=replace(EVERYTHING, max_files=3))
    reply = await say(conversation_over(world.app, tmp_path), f"/more {words}", stage=stage)
    assert numbers(reply) == pages


async def test_what_came_with_the_answer_is_not_skipped_nor_repeated(tmp_path: Path) -> None:
    world = await populated()
    await answered(world)
    stage = FakeStage(capabilities=replace(EVERYTHING, max_files=3, files_at_once=2))
    conversation = conversation_over(world.app, tmp_path)
    assert numbers(await say(conversation, f"/more {TRACE}", stage=stage, number="m1")) == [3, 4, 5]
    assert numbers(await say(conversation, f"/more {TRACE}", stage=stage, number="m2")) == [6, 7, 8]


async def test_where_nothing_comes_by_itself_more_begins_at_the_first_page(tmp_path: Path) -> None:
    world = await populated()
    await answered(world)
    stage = FakeStage(capabilities=replace(EVERYTHING, max_files=3))
    conversation = conversation_over(world.app, tmp_path)
    await say(conversation, "/files request", stage=stage, number="m1")
    assert numbers(await say(conversation, f"/more {TRACE}", stage=stage, number="m2")) == [1, 2, 3]
