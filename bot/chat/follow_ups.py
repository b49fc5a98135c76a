"""What may be asked next of an answer, to be tapped: the same of another party, of all side by side, of the
edition before; the page of the first quote, if it was not sent. Only what has something on it."""

from collections.abc import Iterator
from dataclasses import replace

from bot.chat.cited_pages import files_wanted
from bot.chat.reports import LONGEST_BUTTON
from bot.chat.request import Request
from bot.presentation.attachments import pages_of
from bot.presentation.presenter import Presenter
from core.domain.answers import Answer
from core.domain.messages import Button, Reply
from core.domain.rich_text import small

PARTIES = 2
"""Parties to ask next at most."""


def with_follow_ups(
    content: Reply, request: Request, answer: Answer, topic: str, presenter: Presenter
) -> Reply:
    """`content` with what may be asked next of `answer`; `topic` is what all parties may be compared on,
    empty where that is not known. Where that is too long for a button, it is told as a line to type."""
    can = request.stage.capabilities
    comparable = bool(topic) and bool(answer.others or any(each.key == TOLD for each in answer.notices))
    offered = [*_parties(answer, presenter)]
    if comparable:
        offered.append(Button(label=request.texts("compare.all"), command=f"/compare {topic}"))
    offered += [*_page(request, answer), *_earlier(answer, presenter)]
    fit = [each for each in offered if len(each.command.encode()) <= LONGEST_BUTTON]
    content = replace(content, follow_ups=tuple(fit))
    if not comparable or any(each.command.startswith("/compare") for each in fit):
        return content
    by_line = request.texts("compare.all_by", prefix=can.command_prefix, question=topic)
    return replace(content, blocks=(*content.blocks, small(by_line)))


TOLD = "notice.others_too"
"""Says that parties have something on the topic of which nothing is quoted."""


def _parties(answer: Answer, presenter: Presenter) -> Iterator[Button]:
    texts = presenter.texts(answer.language)
    for party in answer.others[:PARTIES]:
        asked = texts("button.party", name=presenter.names.parties(party))
        yield Button(label=asked, command=f"/ask {asked}")


def _page(request: Request, answer: Answer) -> Iterator[Button]:
    """The page of the first quote; where no page came and there is one alone, that has its button."""
    wanted = files_wanted(request)
    pages = pages_of(answer.citations)
    if pages and (wanted == "picture" or (wanted == "request" and len(pages) > 1)):
        label = request.texts("button.one_page", page=pages[0].printed or str(pages[0].page))
        yield Button(label=label, command=f"/page {answer.citations[0].label}")


def _earlier(answer: Answer, presenter: Presenter) -> Iterator[Button]:
    if answer.earlier:
        texts, year = presenter.texts(answer.language), str(answer.earlier)
        asked = texts("button.year", year=year)
        yield Button(label=texts("button.earlier", year=year), command=f"/ask {asked}")
