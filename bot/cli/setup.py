"""`fundstelle init`: asks for a platform's tokens, tests and saves them, and lists its first chat:
whoever writes to it before the bot serves."""

import asyncio
import secrets
import shlex
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Annotated, Any, Literal, Self, TypeVar

import typer

from bot.cli.frame import DONE, CommandContext, OptionGroup, command
from bot.cli.output import complain, print_json, say
from bot.cli.terminal import texts, told
from bot.presentation.i18n import Texts
from bot.presentation.views.records import CheckedView
from bot.service.checks import Check, platform_findings
from bot.settings.settings_file import SECTIONS, SecretPlace, SettingsFile, Values, is_secret
from bot.settings.tree import Settings, load
from bot.wiring.probes import PROBES
from core.domain.journal import Cursor
from core.domain.messages import IncomingMessage, MessageKind, MessageRef, Outgoing
from core.errors import Broken, FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.journal import Journal

Waited = TypeVar("Waited")

CONNECT_S = 60.0
"""How long a platform may take to start receiving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardChat:
    """A chat that somebody wrote in, or that the bot was added to: its id as in the settings, and the
    person's."""

    id: str
    person: str
    direct: bool
    ref: MessageRef


async def tried(platform: ChatPlatform, texts: Texts) -> list[Check]:
    """The platform's response to its tokens; connections are closed afterwards. Raises
    Broken("platform.token") if it rejects them or does not respond."""
    found = await platform_findings(platform, texts)
    if not found[0].ok:
        raise Broken("platform.token", f"{found[0].what}: {found[0].advice}")
    return [Check.of(platform.name, each.ok, each.what, each.advice) for each in found]


class Listener:
    """Receives as `serve` does, while the context lasts: messages are stored, and answered by the next
    `serve` if their chat is listed by then."""

    def __init__(self, platform: ChatPlatform, journal: Journal, now: Callable[[], datetime]) -> None:
        self._platform = platform
        self._journal = journal
        self._now = now
        self._news: asyncio.Queue[HeardChat] = asyncio.Queue()
        self._seen: set[str] = set()
        self._taken_up = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._platform.run(self))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self._platform.close()

    async def cursor(self) -> str | None:
        """The cursor from which the platform continues."""
        return await self._journal.cursor(self._platform.name, "")

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        """Store messages, and report chats heard for the first time."""
        stated = None if cursor is None else Cursor(platform=self._platform.name, workspace="", value=cursor)
        await self._journal.accept(messages, at=self._now(), cursor=stated)
        self._taken_up.set()
        for message in messages:
            chat = message.ref.listed_chat
            if message.kind is not MessageKind.LEFT and chat not in self._seen:
                self._seen.add(chat)
                heard = HeardChat(id=chat, person=message.sender, direct=message.direct, ref=message.ref)
                self._news.put_nowait(heard)

    async def heard(self, within_s: float) -> HeardChat | None:
        """The next chat not heard from before; None if nobody writes in time. Raises what ended receiving."""
        return await self._while_running(self._news.get(), within_s)

    async def taken_up(self) -> None:
        """Wait until the platform has reported a cursor: then its login is complete."""
        await self._while_running(self._taken_up.wait(), CONNECT_S)

    async def greet(self, chat: HeardChat, text: str) -> None:
        """Send a message to a chat. Raises like sending."""
        await self._platform.send(Outgoing(key=f"init-{secrets.token_hex(8)}", to=chat.ref, text=text))

    async def _while_running(self, work: Coroutine[Any, Any, Waited], within_s: float) -> Waited | None:
        waiting = asyncio.create_task(work)
        try:
            await asyncio.wait(
                {waiting, self._running}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED
            )
            if self._running.done():
                self._running.result()
            return waiting.result() if waiting.done() else None
        finally:
            waiting.cancel()


WAIT_S = 300.0
"""How long to wait for the user to write to the bot."""

ASKED = {
    "telegram": ("token",),
    "slack": ("bot_token", "app_token"),
    "matrix": ("homeserver", "user_id", "password"),
}
"""Settings required by a platform, in the order they are asked for."""

INSTEAD = {"app_token": "signing_secret", "password": "access_token"}
"""Settings that can be replaced by another one."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """The options of `init`: the file, the platform, and how to list chats."""

    file: SettingsFile
    platform: str
    staff: bool
    first: bool
    asks: bool
    quiet: bool

    def said(self, key: str, **values: object) -> None:
        """Print a line for people, if somebody reads it."""
        if not self.quiet:
            say(told(key, **values))

    async def listed(self, listener: Listener, within_s: float) -> list[HeardChat]:
        """Wait for chats until one is listed or the time is up; returns those heard."""
        heard: list[HeardChat] = []
        deadline = asyncio.get_running_loop().time() + within_s
        while chat := await listener.heard(max(deadline - asyncio.get_running_loop().time(), 0)):
            heard.append(chat)
            kind = told("cli.init_direct" if chat.direct else "cli.init_group")
            self.said("cli.init_heard", kind=kind, chat=chat.id, person=chat.person or "-")
            if await self._wanted():
                self.list(chat.id)
                await _greeted(listener, chat)
                break
        return heard

    def list(self, chat: str) -> None:
        """Write a chat into the settings."""
        new = self.file.add_chat(self.platform, chat, staff=self.staff)
        self.said("cli.init_listed" if new else "cli.init_listed_before", chat=chat, file=self.file.path)

    async def _wanted(self) -> bool:
        if self.first or not self.asks:
            return self.first
        sys.stdout.write(told("cli.init_list_it") + " ")
        sys.stdout.flush()
        return (await _typed()).strip().lower()[:1] in ("", "y", "j", "o")


def values_of(**given: str | list[str] | None) -> Values:
    """The settings given as options."""
    return {name: value for name, value in given.items() if value}


STATED = OptionGroup(
    {
        "token": Annotated[str | None, typer.Option()],
        "bot_token": Annotated[str | None, typer.Option()],
        "app_token": Annotated[str | None, typer.Option()],
        "signing_secret": Annotated[str | None, typer.Option()],
        "homeserver": Annotated[str | None, typer.Option()],
        "user_id": Annotated[str | None, typer.Option()],
        "password": Annotated[str | None, typer.Option()],
        "access_token": Annotated[str | None, typer.Option()],
        "device_id": Annotated[str | None, typer.Option()],
        "invites": Annotated[list[str] | None, typer.Option("--invite")],
        "api_base": Annotated[str | None, typer.Option()],
        "file_base": Annotated[str | None, typer.Option()],
        "command_prefix": Annotated[str | None, typer.Option()],
    },
    values_of,
)


@command("init", alone=True, founds=True)
async def init(
    context: CommandContext,
    *,
    platform: Annotated[Literal["telegram", "slack", "matrix"] | None, typer.Argument()] = None,
    stated: Annotated[Values, STATED],
    place: Annotated[SecretPlace, typer.Option("--secrets")] = "settings",
    chats: Annotated[list[str] | None, typer.Option("--chat")] = None,
    audience: Annotated[Literal["public", "staff"], typer.Option()] = "public",
    first: Annotated[bool, typer.Option("--first")] = False,
    wait: Annotated[float | None, typer.Option(min=0)] = None,
    manifest: Annotated[bool, typer.Option("--manifest")] = False,
) -> int:
    """Set up a chat platform: try its tokens, write them down, and list the chat that writes first."""
    asks = sys.stdin.isatty() and not context.json
    chosen = platform or _platform(asks)
    loaded = load(data=context.data, config=context.config, new=True)
    file = SettingsFile(loaded)
    if manifest:
        return _manifest(context, chosen, file, stated)
    file.refuse_twice(chosen)
    values = _completed(chosen, stated, file.stated(chosen), asks)
    settings = file.with_platform(chosen, values)
    trying = PROBES.platforms(settings)[chosen]
    checks = await tried(trying, texts())
    if not context.json:
        say("\n".join(line for check in checks for line in check.lines))
    setting = SetUp(file, chosen, audience == "staff", first, asks, context.json)
    made = file.add_platform(chosen, values, place)
    setting.said("cli.init_written", files=", ".join(map(str, made)))
    for chat in chats or ():
        setting.list(chat)
    heard = await _wait_for_chats(setting, settings, _patience(wait, asks, chats, first))
    if context.json:
        print_json(
            {
                "file": str(file.path),
                "platform": chosen,
                "checks": [CheckedView.showing(check) for check in checks],
                "chats": [{"id": chat.id, "person": chat.person, "direct": chat.direct} for chat in heard],
                "listed": file.chats(chosen),
            }
        )
    else:
        _next(context, file.chats(chosen), trying.capabilities.command_prefix)
    return DONE


def _manifest(context: CommandContext, platform: str, file: SettingsFile, stated: Values) -> int:
    """Print the manifest for Slack's app; nothing is asked for or written."""
    if platform != "slack":
        raise typer.BadParameter(told("cli.init_not_of", platform=platform, options="--manifest"))
    made = PROBES.slack_manifest(file.with_platform(platform, stated), texts())
    print_json(made, indent=None if context.json else 2)
    return DONE


async def _wait_for_chats(setting: SetUp, settings: Settings, within_s: float) -> list[HeardChat]:
    """Chats that wrote to the bot; a password login is completed even if nobody waits for any."""
    by_password = setting.platform == "matrix" and bool(settings.matrix.password.get_secret_value())
    if not within_s and not by_password:
        return []
    async with PROBES.journal(settings) as journal:
        platform = PROBES.platforms(settings)[setting.platform]
        async with Listener(platform, journal, lambda: datetime.now(UTC)) as listener:
            if by_password:
                await listener.taken_up()
            if within_s:
                setting.said(f"cli.init_write_{setting.platform}", seconds=f"{within_s:g}")
            return await setting.listed(listener, within_s)


async def _greeted(listener: Listener, chat: HeardChat) -> None:
    try:
        await listener.greet(chat, told("cli.init_hello"))
    except FundstelleError as error:
        complain(told("cli.warning", text=error.detail or error.key))


def _platform(asks: bool) -> str:
    if not asks:
        raise typer.BadParameter(told("cli.init_which", names=", ".join(ASKED)))
    found = ""
    while found not in ASKED:
        found = typer.prompt(told("cli.init_which", names=", ".join(ASKED))).strip().lower()
    return found


def _completed(platform: str, stated: Values, known: Mapping[str, object], asks: bool) -> Values:
    """The settings completed by asking for missing ones; raises if nobody can be asked. `known` are those
    from the environment."""
    unknown = [name for name in stated if name not in SECTIONS[platform].model_fields]
    if unknown:
        raise typer.BadParameter(told("cli.init_not_of", platform=platform, options=_options(unknown)))
    values = dict(stated)
    for name in ASKED[platform]:
        if {name, INSTEAD.get(name)} & {*values, *known}:
            continue
        if not asks:
            raise typer.BadParameter(told("cli.init_missing", platform=platform, options=_options([name])))
        if given := _asked(platform, name):
            values[name] = given
        elif instead := INSTEAD.get(name):
            values[instead] = _asked(platform, instead)
    if platform == "matrix" and "invites" not in {*values, *known}:
        values["invites"] = (f"*:{str({**known, **values}['user_id']).partition(':')[2]}",)
    return values


def _asked(platform: str, name: str) -> str:
    hidden = is_secret(platform, name)
    question = told(f"cli.init_{platform}_{name}")
    return str(typer.prompt(question, hide_input=hidden, default="" if name in INSTEAD else None)).strip()


async def _typed() -> str:
    """Read a line from the terminal without blocking anything else."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(sys.stdin, ready.set)
    try:
        await ready.wait()
        return sys.stdin.readline()
    finally:
        loop.remove_reader(sys.stdin)


def _patience(wait: float | None, asks: bool, chats: Sequence[str] | None, first: bool) -> float:
    if wait is not None:
        return wait
    return WAIT_S if first or (asks and not chats) else 0.0


def _options(names: Sequence[str]) -> str:
    return ", ".join("--" + ("invite" if name == "invites" else name.replace("_", "-")) for name in names)


def _next(context: CommandContext, chats: Sequence[str], prefix: str) -> None:
    """Print what to type next; `prefix` is that of commands on the platform."""
    told_where = (("--data", context.data), ("--config", context.config))
    where = [word for name, path in told_where if path for word in (name, str(path))]
    if not chats:
        say(told("cli.init_unlisted", prefix=prefix))
    say(told("cli.init_next", options=f" {shlex.join(where)}" if where else ""))


COMMANDS = (init,)
