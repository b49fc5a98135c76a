"""In which order a page is marked: pictures of it begin at what lies first."""

from core.domain.pages import Box
from core.domain.passages import Span
from core.domain.scope import Scope
from tests.support.world import populated


async def test_the_marks_of_the_first_quote_lie_first_wherever_it_stands() -> None:
    world = await populated()
    lines = "Die Brücken am Fluss werden saniert.\n\nDer Lohn steigt auf 20 Taler."
    await world.add("wege.pdf", lines, title="Wege", jurisdiction="xv", parties=("Uferpartei",))
    [edition] = [
        each
        for each in await world.library.editions(Scope(collections=("public",)), on=world.clock.now().date())
        if each.document.fields.title == "Wege"
    ]
    page = await world.library.page(edition.version.id, 1)
    assert page is not None
    upper, lower = (
        Span(page=1, start=page.text.index(text), end=page.text.index(text) + len(text))
        for text in ("Brücken am Fluss", "Lohn steigt")
    )
    asked: list[list[Box]] = []
    pdf, attacher = world.pdf, world.app.attacher
    real = pdf.highlighted_page

    async def seen(path, number, boxes, **others):
        asked.append(list(boxes))
        return await real(path, number, boxes, **others)

    pdf.highlighted_page = seen
    await attacher.page(edition, 1, (upper, lower))
    await attacher.page(edition, 1, (lower, upper))
    in_order, turned = asked
    assert in_order[0].y0 < in_order[-1].y0
    assert turned[0].y0 > turned[-1].y0
    assert sorted(in_order, key=str) == sorted(turned, key=str)
