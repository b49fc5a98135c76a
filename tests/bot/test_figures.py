"""A figure that is cited: its label, its line, its picture beside the page, in the small world."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answers.records.why import recorded_citations
from bot.chat.cited_pages import page_files
from bot.library.scoping import ScopeOptions
from bot.presentation.attachments import Attached
from bot.presentation.views.answers import answer_view
from core.domain.answers import Answer
from core.domain.pages import Box, Region, RegionKind
from core.domain.passages import PassageKind
from core.domain.scope import Scope
from core.errors import Refused
from tests.support.bad_models import saying, writing_asker
from tests.support.fake_model import FakeModel
from tests.support.fake_pdf import text_reading
from tests.support.world import World, request

CAPTION = "Abb. 1: Windräder in den Dörfern und Gemeinden am großen Fluss"
QUESTION = "Windräder in den Dörfern und Gemeinden am großen Fluss"
OPTIONS = {"public": ScopeOptions(collections=("public",)), "intern": ScopeOptions(collections=("intern",))}


async def world(collection: str = "public") -> World:
    """A paper with a sentence, and a figure: the words "2016 2018" and a caption."""
    made = await World().with_registry()
    reading = text_reading(f"Der Strom kommt aus dem Netz und kostet wenig Geld.\n\n2016 2018\n\n{CAPTION}")
    page = reading.pages[0].page
    labels = [word for word in page.words if word.block == 1]
    box = Box(labels[0].box.x0, labels[0].box.y0, labels[-1].box.x1, labels[-1].box.y1)
    caption = tuple(i for i, word in enumerate(page.words) if word.block == 2)
    figure = Region(kind=RegionKind.FIGURE, box=box, caption=caption)
    pages = (replace(reading.pages[0], regions=(figure,)),)
    made.pdf.documents["wind.pdf"] = replace(reading, pages=pages)
    await made.ingest(request("wind.pdf", title="Wind und Netz", collection=collection))
    return made


async def asked(
    made: World, out: Path | None = None, collection: str = "public"
) -> tuple[Answer, dict[str, Attached]]:
    answer = await made.app.questions.ask(QUESTION, OPTIONS[collection])
    return answer, await made.app.attacher.attach(answer.citations, out)


@pytest.mark.parametrize("collection", ["public", "intern"])
async def test_the_caption_is_quoted_with_its_picture(tmp_path: Path, collection: str) -> None:
    made = await world(collection)
    answer, attached = await asked(made, tmp_path, collection)
    citation = answer.citations[0]
    assert (citation.label, citation.kind, citation.quote.text) == ("F1", PassageKind.FIGURE, CAPTION)
    figure = attached["F1"].figure
    assert figure == tmp_path / "wind-und-netz-p1-F1.png"
    assert json.loads(figure.read_bytes()[8:])["inside"] == ["2016", "2018"]
    assert attached["F1"].files == (*attached["F1"].pages, figure)
    shown = answer_view(answer, attached, made.app.presenter).json_object
    assert (shown["citations"][0]["kind"], shown["citations"][0]["figure"]) == ("figure", str(figure))
    assert "[F1] Wind und Netz, Abbildung, S. 1" in shown["text"]


async def test_chats_get_the_picture_behind_its_page(tmp_path: Path) -> None:
    made = await world()
    answer, _ = await asked(made)
    texts = made.app.presenter.texts("de")
    pages = await made.app.attacher.merged(answer.citations, tmp_path, limit=3, thumbnails=True)
    strips = {pages[0].path: await made.app.attacher.strip(pages[0].path)}
    files = page_files(pages, {}, texts, strips=strips)
    names = [file.name for file in files][:3]
    assert names == ["wind-und-netz-s1.jpg", "wind-und-netz-s1.pdf", "wind-und-netz-p1-F1.png"]
    assert files[1].thumbnail is not None
    assert files[2].caption == "[F1] Bild der Abbildung"


async def test_a_recorded_answer_still_has_its_picture(tmp_path: Path) -> None:
    made = await world()
    answer, _ = await asked(made)
    record = await made.journal.answer(answer.trace)
    assert record is not None
    again = await recorded_citations(record, made.library)
    assert again == list(answer.citations)
    assert (await made.app.attacher.attach(again, tmp_path))["F1"].figure is not None


async def test_without_a_picture_the_page_goes_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await world()
    answer, _ = await asked(made)
    (citation,) = [item for item in answer.citations if item.label == "F1"]
    gone = replace(citation, passage=None)

    async def broken(*_: object) -> bytes:
        raise Refused("pdf.broken", "there is nothing in that part")

    monkeypatch.setattr(made.pdf, "cutout", broken)
    for each in (citation, gone):
        attached = (await made.app.attacher.attach([each], tmp_path))["F1"]
        assert attached.figure is None
        assert len(attached.pages) == 1


async def test_a_model_that_quotes_the_caption_cites_the_figure() -> None:
    made = await world()
    model = FakeModel(answer=saying(("Windräder stehen in den Dörfern am großen Fluss.", "S1", CAPTION)))
    asker = writing_asker(made, model)
    answer = (await asker.answered(QUESTION, scope=Scope(collections=("public",)))).answer
    assert [claim.labels for claim in answer.claims] == [("F1",)]
    assert [(item.label, item.kind) for item in answer.citations] == [("F1", PassageKind.FIGURE)]
