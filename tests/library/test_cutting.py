"""Cutting in a process of its own: the same result, and an end to what does not end."""

import asyncio
import os
import signal
import sys
from dataclasses import fields, replace

import pytest

from adapters import children
from adapters.cutting import child
from adapters.cutting.cutter import CutLimits, ProcessCutter
from adapters.pages import packed, unpacked
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import VersionId
from core.domain.pages import Box, Page, PageReading, PageTrouble, Region, RegionKind, TextSource, Word
from core.errors import Broken, FailedElsewhere, Refused
from core.library.cutting import CutterInThread
from core.library.repairs import number
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_pdf import text_page
from tests.support.world import RULES_HO, UFER_2021, UFER_2025, WIND_2025

FIELDS = DocumentFields(title="Programm", language="de", doc_type=DocumentType.RULES)
RULES = "Rules\n\n" + "\n\n".join(
    f"{n}. Title {n}.- The fee under section {n} of the Act is {n} taler, as rule {n + 1} says."
    for n in range(1, 9)
)
COUNT = FakeEmbedder(64).count_tokens


@pytest.fixture
async def cutter():
    made = ProcessCutter()
    yield made
    await made.close()


def readings() -> list[PageReading]:
    """Pages with a header, a table, a figure, a footnote mark, and one that is garbled."""
    texts = [
        f"Kopf\n\n{text}\n\nFuß {n}" for n, text in enumerate((UFER_2021, UFER_2025, WIND_2025, RULES_HO))
    ]
    made = [
        PageReading(page=text_page(text, n + 1)) for n, text in enumerate([*texts, RULES, "\u0001\u0002"])
    ]
    words = len(made[0].page.words)
    table = Region(
        kind=RegionKind.TABLE, box=Box(0, 0, 9, 9), rows=((1, 2), (3, 4)), header_rows=1, caption=(5,)
    )
    figure = Region(kind=RegionKind.FIGURE, box=Box(0, 0, 9, 9), caption=(words - 1,))
    first = PageReading(page=made[0].page, hidden_characters=3, regions=(table, figure))
    return [first, *made[1:5], PageReading(page=made[5].page, trouble=PageTrouble.GARBLED)]


async def test_it_cuts_as_a_thread_does(cutter):
    expected = await CutterInThread().cut(readings(), FIELDS, COUNT)
    assert await cutter.cut(readings(), FIELDS, COUNT) == expected
    assert expected[1].passages
    passages = number(expected[1].passages, VersionId("v"), "p")
    assert any(passage.section for passage in passages)
    references = await CutterInThread().references(passages, FIELDS)
    assert await cutter.references(passages, FIELDS) == references
    assert references


async def test_the_process_is_kept(cutter):
    await cutter.cut(readings(), FIELDS, COUNT)
    first = cutter.pid
    await cutter.cut(readings(), FIELDS, COUNT)
    assert cutter.pid == first


@pytest.mark.skipif(sys.platform != "linux", reason="the measures are Linux's")
async def test_what_takes_too_long_is_ended_and_the_next_document_cut():
    """A count that never comes, and a process that stands still, are no different from a slow pattern."""
    cutter = ProcessCutter(CutLimits(base=1.0, wall_factor=1.0))
    await cutter.cut(readings(), FIELDS, COUNT)

    def stopping(texts: list[str]) -> list[int]:
        os.kill(cutter.pid, signal.SIGSTOP)
        return COUNT(texts)

    with pytest.raises(Refused) as caught:
        await cutter.cut(readings(), FIELDS, stopping)
    assert caught.value.key == "text.too_slow"
    assert (await cutter.cut(readings(), FIELDS, COUNT))[1].passages
    await cutter.close()


async def test_a_process_that_is_killed_is_replaced(cutter):
    await cutter.cut(readings(), FIELDS, COUNT)

    def killing(texts: list[str]) -> list[int]:
        os.kill(cutter.pid, signal.SIGKILL)
        return COUNT(texts)

    with pytest.raises(Refused) as caught:
        await cutter.cut(readings(), FIELDS, killing)
    assert caught.value.key == "text.too_large"
    assert (await cutter.cut(readings(), FIELDS, COUNT))[1].passages


async def test_what_does_not_come_up_is_started_once_more(cutter, monkeypatch):
    commands, real = iter([[sys.executable, "-c", ""]]), children.command_of
    monkeypatch.setattr(children, "command_of", lambda *of: next(commands, None) or real(*of))
    assert (await cutter.cut(readings(), FIELDS, COUNT))[1].passages


async def test_what_never_comes_up_is_broken(cutter, monkeypatch):
    started: list[str] = []
    monkeypatch.setattr(
        children, "command_of", lambda *of: started.append(of[0]) or [sys.executable, "-c", ""]
    )
    with pytest.raises(Broken) as caught:
        await cutter.cut(readings(), FIELDS, COUNT)
    assert (caught.value.key, len(started)) == ("text.no_cutter", 2)


async def test_too_much_memory_is_a_refusal():
    cutter = ProcessCutter(CutLimits(address_space=256 << 20))
    page = PageReading(page=replace(text_page("Wort"), text="Wort " * 26_000_000))
    with pytest.raises(Refused) as caught:
        await cutter.cut([page], FIELDS, COUNT)
    assert caught.value.key == "text.too_large"
    await cutter.close()


async def test_an_error_says_where(cutter):
    broken = readings()[0]
    table = Region(kind=RegionKind.TABLE, box=Box(0, 0, 9, 9), rows=((99_999,),))
    with pytest.raises(FailedElsewhere) as caught:
        await cutter.cut([PageReading(page=broken.page, regions=(table,))], FIELDS, COUNT)
    assert caught.value.kind == "IndexError"
    assert "core/library" in caught.value.frames[-1]
    assert (await cutter.cut(readings(), FIELDS, COUNT))[1].passages


async def test_counting_that_fails_ends_nothing_else(cutter):
    def failing(texts: list[str]) -> list[int]:
        raise IndexError

    with pytest.raises(IndexError):
        await cutter.cut(readings(), FIELDS, failing)
    assert (await cutter.cut(readings(), FIELDS, COUNT))[1].passages


async def test_a_cancelled_cut_leaves_no_process(cutter):
    await cutter.cut(readings(), FIELDS, COUNT)
    first = cutter.pid
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def waiting(texts: list[str]) -> list[int]:
        loop.call_soon_threadsafe(asked.set)
        os.kill(first, signal.SIGSTOP)
        return COUNT(texts)

    task = asyncio.create_task(cutter.cut(readings(), FIELDS, waiting))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await cutter.cut(readings(), FIELDS, COUNT))[1].passages
    assert cutter.pid != first


def test_nothing_of_a_page_is_lost_on_the_way():
    box = Box(1.0, 2.5, 3.0, float("inf"))
    word = Word(
        text="15³",
        start=0,
        end=3,
        box=box,
        block=2,
        line=3,
        note_chars=1,
        furniture=True,
        bullet=True,
        struck=True,
        set_off=True,
        reported=True,
    )
    page = Page(
        number=7,
        label="v",
        width=9.0,
        height=8.0,
        rotation=90,
        text="15³",
        words=(word,),
        text_source=TextSource.OCR,
    )
    region = Region(kind=RegionKind.TABLE, box=box, rows=((0,),), header_rows=1, caption=(0,))
    sent = [PageReading(page=page, trouble=PageTrouble.GARBLED, hidden_characters=5, regions=(region,))]
    pages, told = child.CUT.validate_json(child.CUT.dump_json((list(map(packed, sent)), FIELDS)))
    assert (list(map(unpacked, pages)), told) == (sent, FIELDS)
    for given in (word, page, region, sent[0]):
        for field in fields(given):
            assert getattr(given, field.name) != field.default, field.name
