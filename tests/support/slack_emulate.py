"""Slack as others imitate it (the npm package emulate) in its own process, and its people."""

import json
import time
from collections.abc import Callable
from typing import Any, Self

import httpx

from tests.servers.slack.delivery import signed
from tests.support.node_servers import installed
from tests.support.repository import ROOT
from tests.support.stand_in import StandIn

PROGRAM = ROOT / "tests" / "servers" / "slack_emulate" / "server.mjs"
MANIFEST = ROOT / "docs" / "platforms" / "slack-manifest.json"
BOT, BOT_TOKEN, SECRET = "U0FUNDSTELLE", "xoxb-fundstelle", "a signing secret"
ANN, BOB = "xoxp-ann", "xoxp-bob"
Json = dict[str, Any]


def _seed() -> Json:
    """A workspace with two people and the app, which has the scopes of our manifest and no others."""
    scopes = json.loads(MANIFEST.read_text())["oauth_config"]["scopes"]["bot"]
    app = {"app_id": "A0FUNDSTELLE", "bot_id": "B0FUNDSTELLE", "bot_user_id": BOT, "scopes": scopes}
    client = {"client_id": "1.1", "client_secret": "-", "redirect_uris": [], "name": "Fundstelle"}
    people = [{"token": token, "user": token.removeprefix("xoxp-")} for token in (ANN, BOB)]
    return {
        "users": [{"name": each["user"]} for each in people],
        "oauth_apps": [app | client],
        "tokens": [*people, app | {"token": BOT_TOKEN, "type": "bot", "user_id": BOT}],
        "signing_secret": SECRET,
        "strict_scopes": True,
    }


class SlackEmulate(StandIn):
    """The server, and what people do there, by the Web API and their own tokens."""

    folder = installed("slack_emulate")

    @property
    def command(self) -> list[str]:
        return ["node", str(PROGRAM), json.dumps(_seed())]

    def __enter__(self) -> Self:
        super().__enter__()
        self.files = httpx.Client(timeout=20, trust_env=False)
        return self

    def __exit__(self, *error: Any) -> None:
        self.files.close()
        super().__exit__(*error)

    @property
    def settings(self) -> str:
        """The section of the settings that leads a bot here."""
        secrets = f'bot_token = "{BOT_TOKEN}"\nsigning_secret = "{SECRET}"\n'
        return f'[slack]\n{secrets}api_base = "{self.address}/api/"\n'

    def until_heard(self, url: str) -> None:
        """Wait until the app takes events: Slack would send them again, this server sends them once."""
        body = json.dumps({"type": "url_verification", "challenge": "?"}).encode()
        headers = {"Content-Type": "application/json"} | signed(body, secret=SECRET)
        while (
            self.files.post(url, content=body, headers=headers).status_code == httpx.codes.SERVICE_UNAVAILABLE
        ):
            time.sleep(0.1)

    def call(self, method: str, *, by: str = ANN, **arguments: Any) -> Json:
        """A call of the Web API."""
        headers = {"Authorization": f"Bearer {by}"}
        answer: Json = self.client.post(f"/api/{method}", json=arguments, headers=headers).json()
        assert answer["ok"], answer
        return answer

    def direct(self) -> str:
        """The direct messages of Ann with the app."""
        return str(self.call("conversations.open", users=BOT)["channel"]["id"])

    def channel(self, name: str) -> str:
        """A new public channel, to which Ann invites the app and Bob comes."""
        channel = str(self.call("conversations.create", name=name)["channel"]["id"])
        self.call("conversations.invite", channel=channel, users=BOT)
        self.call("conversations.join", channel=channel, by=BOB)
        return channel

    def say(self, channel: str, text: str, **more: Any) -> str:
        """Somebody writes; the message's `ts`."""
        return str(self.call("chat.postMessage", channel=channel, text=text, **more)["ts"])

    def shown(self, channel: str, thread: str = "") -> list[Json]:
        """The app's messages in a channel, or below the message `thread`, the oldest first."""
        method, where = "conversations.replies" if thread else "conversations.history", {"ts": thread}
        found = self.call(method, channel=channel, limit=100, **(where if thread else {}))["messages"]
        return sorted((each for each in found if each.get("user") == BOT), key=lambda each: each["ts"])

    def waits(
        self, channel: str, true: Callable[[list[Json]], object], thread: str = "", within_s: float = 60
    ) -> list[Json]:
        """The app's messages there once `true` holds of them."""
        until = time.monotonic() + within_s
        while not true(shown := self.shown(channel, thread)):
            assert time.monotonic() < until, shown
            time.sleep(0.1)
        return shown

    def file(self, described: Json) -> bytes:
        """What the app sent as a file."""
        headers = {"Authorization": f"Bearer {ANN}"}
        answer = self.files.get(described["url_private"], headers=headers)
        answer.raise_for_status()
        return answer.content
