"""Places that are offered to read on."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.cited_pages import AT_ONCE, OfferedPlaces
from bot.chat.memory import ChatMemory
from core.domain.answers import Reading
from core.domain.ids import TraceId

PAGES = st.tuples(st.sampled_from("abc"), st.integers(1, 4))


def reading(document: str, page: int) -> Reading:
    edition: Any = SimpleNamespace(document=SimpleNamespace(id=document))
    return Reading(edition=edition, page=page, begins="...")


@given(st.lists(st.lists(PAGES, unique=True, max_size=8), max_size=5))
def test_no_page_is_offered_twice_in_whatever_order_they_are_found(
    found: list[list[tuple[str, int]]],
) -> None:
    offered, told = OfferedPlaces(ChatMemory()), list[tuple[str, int]]()
    request: Any = SimpleNamespace(key="chat", person="anna")
    for pages in found:
        places = offered.next(request, TraceId("a" * 32), [reading(*page) for page in pages])
        now = [(str(place.edition.document.id), place.page) for place in places]
        assert now == [page for page in pages if page not in told][:AT_ONCE]
        told += now
    assert len(told) == len(set(told))
