"""What Slack shows beside messages: the Home tab, the form for comparisons, previews of our own links.

Everything is drawn as rich text or plain text, in which nothing that a document or a person wrote can come
alive (docs.slack.dev/surfaces/app-home, /surfaces/modals, /messaging/unfurling-links-in-messages).
"""

import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from adapters.slack import outgoing
from adapters.slack.api import Json, SlackAccount, SlackApi
from adapters.slack.catching_up import UNREADABLE
from adapters.slack.incoming import PLATFORM, commanded, is_direct
from core.asides import Asides
from core.domain.messages import ComparisonForm, Exposure, HomePage, IncomingMessage, LinkPreview, MessageRef
from core.domain.rich_text import joined
from core.errors import FundstelleError, Refused
from core.one_line import shortened
from core.ports.chat import Inbox, Surfaces, WhoReads

COMPARE = "compare"
"""Callback id of the form, and id of the button that opens it."""

TOPIC, PARTIES = "topic", "parties"
MOST_LINKS = 5
"""Previews of a message at most."""
MAX_TOPIC = 500
MAX_GROUP = 100
"""Options of a group, and groups of a menu (docs.slack.dev/reference/block-kit/block-elements)."""
MAX_OPTION, MAX_VALUE, MAX_TITLE = 75, 150, 24
MAX_CHOSEN = 30
MAX_LONG = 2000
"""Characters of a field's label and of a picture's description."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a delivery: the content of the acknowledgement, and the message that it stands for."""

    answer: Json
    message: IncomingMessage | None = None


class SlackSurfaces:
    """Answers what is done outside of messages. `exposure` asks who can read a channel; `command_prefix`
    stands before the slash commands. Without `surfaces` there are none."""

    def __init__(
        self,
        api: SlackApi,
        surfaces: Surfaces | None,
        *,
        exposure: Callable[[str], Awaitable[Exposure]],
        command_prefix: str,
    ) -> None:
        self._api = api
        self._surfaces = surfaces
        self._exposure = exposure
        self._prefix = command_prefix
        self._works = Asides()

    async def close(self) -> None:
        await self._works.end()

    def taken(self, body: Json, me: SlackAccount, now: datetime, inbox: Inbox) -> Taken | None:
        """What comes of a delivery; None where it is none of these. What takes time is done beside it: Slack
        waits 3 seconds, and what a crash loses here people do again."""
        if self._surfaces is None:
            return None
        event: Json = body.get("event", {})
        if event.get("type") == "app_home_opened":
            if event.get("tab") == "home":
                self._start(
                    self._show_home(self._surfaces, event["user"], _chat(me, event.get("channel", "")))
                )
            return Taken({})
        if event.get("type") == "link_shared":
            if event.get("user") != me.user:
                self._start(self._unfold(self._surfaces, event))
            return Taken({})
        if "command" in body:
            return self._commanded(self._surfaces, commanded(body, me, now, self._prefix), body, inbox)
        if body.get("type") == "block_actions" and body.get("container", {}).get("type") == "view":
            if body["actions"][0].get("action_id") == COMPARE:
                channel = body["view"]["private_metadata"]
                self._start(self._open(self._surfaces, _chat(me, channel), body["trigger_id"]))
            return Taken({})
        if body.get("type") == "view_submission":
            return self._submitted(self._surfaces, body, me, now)
        return None

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._works.start(_tried(work))

    # The Home tab

    async def _show_home(self, surfaces: Surfaces, user: str, chat: MessageRef) -> None:
        chat = chat if chat.chat else replace(chat, chat=await self._api.private_chat(user))
        page = await surfaces.home(chat, self._who_reads(chat))
        await self._api.call(self._api.web.views_publish, user_id=user, view=home_view(page, chat.chat))

    def _who_reads(self, chat: MessageRef) -> WhoReads:
        return partial(self._exposure, chat.chat)

    # The form

    def _commanded(
        self, surfaces: Surfaces, message: IncomingMessage, body: Json, inbox: Inbox
    ) -> Taken | None:
        """Opens the form for a bare command; where that fails it is answered like any other."""
        if not surfaces.asks_for_form(message.text):
            return None

        async def opened() -> None:
            try:
                await self._open(surfaces, message.ref, body["trigger_id"])
            except FundstelleError:
                await inbox.accept([message])

        self._start(opened())
        return Taken({})

    async def _open(self, surfaces: Surfaces, chat: MessageRef, trigger: str) -> None:
        form = await surfaces.form(chat, self._who_reads(chat))
        await self._api.call(self._api.web.views_open, trigger_id=trigger, view=form_view(form, chat.chat))

    def _submitted(self, surfaces: Surfaces, body: Json, me: SlackAccount, now: datetime) -> Taken | None:
        """The filled-in form as the command that it stands for, in the channel that it was opened in, which
        Slack keeps with it."""
        view: Json = body["view"]
        if view.get("callback_id") != COMPARE:
            return None
        values = view["state"]["values"]
        topic = (values[TOPIC][TOPIC].get("value") or "").strip()
        chosen = [
            each["value"] for each in values.get(PARTIES, {}).get(PARTIES, {}).get("selected_options", [])
        ]
        channel, _, too_few = view["private_metadata"].partition("\n")
        if len(chosen) == 1:
            return Taken({"response_action": "errors", "errors": {PARTIES: too_few}})
        message = IncomingMessage(
            ref=_chat(me, channel),
            sender=body["user"]["id"],
            text=surfaces.comparison(topic, chosen),
            addressed=True,
            received_at=now,
            event=f"form:{view['id']}",
            direct=is_direct(channel),
        )
        return Taken({}, message)

    # Previews of links

    async def _unfold(self, surfaces: Surfaces, event: Json) -> None:
        found: dict[str, LinkPreview] = {}
        for each in event["links"][:MOST_LINKS]:
            preview = await surfaces.preview(each["url"])
            if preview is not None:
                found[each["url"]] = preview
        if not found:
            return
        try:
            await self._unfurl(event, {url: unfurl(each) for url, each in found.items()})
        except Refused:  # Slack fetches the picture first, and refuses all where it cannot
            await self._unfurl(event, {url: unfurl(each, picture=False) for url, each in found.items()})

    async def _unfurl(self, event: Json, unfurls: Json) -> None:
        if event.get("unfurl_id") and event.get("source"):
            place = {"unfurl_id": event["unfurl_id"], "source": event["source"]}
        else:
            place = {"channel": event["channel"], "ts": event["message_ts"]}
        await self._api.call(self._api.web.chat_unfurl, unfurls=unfurls, **place)


async def _tried(work: Coroutine[Any, Any, None]) -> None:
    """Do `work`; what cannot be shown is not shown."""
    try:
        await work
    except FundstelleError as error:
        _LOG.warning("Slack does not show a page, form or preview: %s", error.key)
    except UNREADABLE as error:
        _LOG.error("a page, form or preview of Slack's could not be shown (%s)", type(error).__name__)


def _chat(me: SlackAccount, channel: str) -> MessageRef:
    return MessageRef(platform=PLATFORM, workspace=me.team, chat=channel, thread=None, message="")


def _text(words: str, most: int) -> Json:
    return {"type": "plain_text", "text": shortened(words, most), "emoji": False}


def home_view(page: HomePage, channel: str) -> Json:
    """The Home tab; `channel` is where a comparison goes that is made from it."""
    blocks = outgoing.drawn(joined(page.blocks, "\n\n"), "home")
    if page.compare:
        button = {"type": "button", "action_id": COMPARE, "text": _text(page.compare, outgoing.MAX_LABEL)}
        blocks.append({"type": "actions", "elements": [button]})
    return {"type": "home", "private_metadata": channel, "blocks": blocks}


def form_view(form: ComparisonForm, channel: str) -> Json:
    """The form as a modal; a menu shows at most 10,000 parties, and none whose name Slack cannot carry."""
    topic: Json = {
        "type": "plain_text_input",
        "action_id": TOPIC,
        "max_length": MAX_TOPIC,
        "placeholder": _text(form.example, 150),
    }
    blocks: list[Json] = [
        {"type": "input", "block_id": TOPIC, "label": _text(form.topic, MAX_LONG), "element": topic}
    ]
    names = [name for name in form.names if outgoing.length(name) <= MAX_VALUE]
    if len(names) > 1:
        menu = {
            "type": "multi_static_select",
            "action_id": PARTIES,
            "placeholder": _text(form.all_of_them, 150),
            "max_selected_items": MAX_CHOSEN,
            **_options(names),
        }
        label = _text(form.parties, MAX_LONG)
        blocks.append(
            {"type": "input", "block_id": PARTIES, "label": label, "element": menu, "optional": True}
        )
    return {
        "type": "modal",
        "callback_id": COMPARE,
        "private_metadata": f"{channel}\n{form.too_few}",
        "title": _text(form.title, MAX_TITLE),
        "submit": _text(form.submit, MAX_TITLE),
        "close": _text(form.close, MAX_TITLE),
        "blocks": blocks,
    }


def _options(names: Sequence[str]) -> Json:
    """All in one list, or in groups named after their first and last."""
    options = [{"text": _text(name, MAX_OPTION), "value": name} for name in names]
    if len(options) <= MAX_GROUP:
        return {"options": options}
    groups = []
    for start in range(0, min(len(options), MAX_GROUP * MAX_GROUP), MAX_GROUP):
        own = options[start : start + MAX_GROUP]
        ends = (names[start][:30], names[start + len(own) - 1][:30])
        groups.append({"label": _text(" – ".join(ends), MAX_OPTION), "options": own})
    return {"option_groups": groups}


def unfurl(preview: LinkPreview, *, picture: bool = True) -> Json:
    """A preview of a link: quote, source, what has become of it, and its lines as the page shows them."""
    blocks: list[Json] = [{"type": "section", "text": _text(preview.quote, outgoing.MAX_ELEMENT)}]
    if picture:
        alt = shortened(preview.quote, MAX_LONG)
        blocks.append({"type": "image", "image_url": preview.picture, "alt_text": alt})
    lines = [preview.source, *preview.since][: outgoing.MAX_SMALL]
    blocks.append({"type": "context", "elements": [_text(line, outgoing.MAX_ELEMENT) for line in lines]})
    return {"blocks": blocks}
