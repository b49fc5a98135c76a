"""The nearest pages where nothing answers, on request: a button each, or how to type it."""

from bot.chat.request import Request
from core.domain.answers import Answer
from core.domain.messages import Button

ON_A_BUTTON = 40
"""Characters of a title on a button."""


def buttons_to_read(request: Request, answer: Answer) -> tuple[tuple[Button, ...], ...]:
    """A row for each page that is offered for reading."""
    if not request.stage.capabilities.buttons:
        return ()
    return tuple(
        (
            Button(
                label=request.texts("button.read", title=_short(document.fields.title), page=reading.page),
                command=f"/page {document.id} {reading.page}",
            ),
        )
        for reading in answer.nearest
        for document in (reading.edition.document,)
    )


def how_to_read(request: Request, answer: Answer) -> tuple[str, ...]:
    """How such a page comes where there are no buttons."""
    can = request.stage.capabilities
    if not answer.nearest or can.buttons:
        return ()
    return (request.texts("command.read_left", prefix=can.command_prefix),)


def _short(title: str) -> str:
    return title if len(title) <= ON_A_BUTTON else f"{title[: ON_A_BUTTON - 1]}…"
