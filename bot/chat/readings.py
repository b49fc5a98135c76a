"""Places to read on, with their first words: a button each, or how to type it; and what was offered last."""

from collections.abc import Sequence

from bot.chat.request import ReplyContent, Request
from bot.presentation.wording import reading_line
from core.domain.answers import Reading
from core.domain.ids import TraceId
from core.domain.journal import ChatKey
from core.domain.messages import Button
from core.recent import Recent

ON_A_BUTTON = 40
"""Characters of a title on a button."""

AT_ONCE = 3
"""Places offered at once."""

_REMEMBERED = 1000


class OfferedPlaces:
    """The places offered last to each person of a chat, which they name by number, and which of an
    answer's were; in memory."""

    def __init__(self) -> None:
        self._places = Recent[tuple[ChatKey, str], Sequence[Reading]](_REMEMBERED)
        self._told = Recent[TraceId, frozenset[tuple[str, int]]](_REMEMBERED)
        self._pages = Recent[TraceId, int](_REMEMBERED)

    def keep(self, request: Request, places: Sequence[Reading]) -> None:
        """`places` were offered to who asks."""
        if places:
            self._places[request.key, request.person] = places

    def place(self, request: Request, number: int) -> Reading | None:
        """The place `number`, counted from 1."""
        places = self._places.get((request.key, request.person), ())
        return places[number - 1] if 0 < number <= len(places) else None

    def next(self, trace: TraceId, places: Sequence[Reading]) -> Sequence[Reading]:
        """Of an answer's further places those that were not offered before."""
        told = self._told.get(trace, frozenset())
        offered = [each for each in places if _page(each) not in told][:AT_ONCE]
        self._told[trace] = told | {_page(each) for each in offered}
        return offered

    def pages(self, trace: TraceId) -> int | None:
        """How many pages of an answer are shown; None where that is not known any more."""
        return self._pages.get(trace)

    def keep_pages(self, trace: TraceId, shown: int) -> None:
        """The first `shown` pages of an answer are."""
        self._pages[trace] = shown


def _page(place: Reading) -> tuple[str, int]:
    return place.edition.document.id, place.page


def offering(request: Request, heading: str, places: Sequence[Reading]) -> ReplyContent:
    """Places with their first words, and how each comes as a page."""
    texts = request.texts
    lines = []
    for number, reading in enumerate(places, start=1):
        lines.append(f"{number}. {reading_line(reading, texts)}")
    blocks = ("\n".join([heading, *lines]), *how_to_read(request, places))
    return ReplyContent(blocks=blocks, buttons=buttons_to_read(request, places))


def buttons_to_read(request: Request, places: Sequence[Reading]) -> tuple[tuple[Button, ...], ...]:
    """A row for each page that is offered for reading."""
    if not request.stage.capabilities.buttons:
        return ()
    return tuple(
        (
            Button(
                label=request.texts(
                    "button.read", title=_short(document.fields.title), page=reading.printed or reading.page
                ),
                command=f"/page {document.id} {reading.page}",
            ),
        )
        for reading in places
        for document in (reading.edition.document,)
    )


def how_to_read(request: Request, places: Sequence[Reading]) -> tuple[str, ...]:
    """How such a page comes where there are no buttons."""
    can = request.stage.capabilities
    if not places or can.buttons:
        return ()
    word = request.texts("command.page_word", prefix=can.command_prefix)
    numbers = ", ".join(f"{word} {number}" for number in range(1, len(places) + 1))
    return (request.texts("command.read_left", count=len(places), commands=numbers),)


def _short(title: str) -> str:
    return title if len(title) <= ON_A_BUTTON else f"{title[: ON_A_BUTTON - 1]}…"
