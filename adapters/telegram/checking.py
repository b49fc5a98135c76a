"""Telegram's part of `doctor`, and what it needs to know of commands."""

import re
from collections.abc import Mapping, Sequence

from telegram import Bot, BotCommand

from adapters.telegram.errors import translated
from core.domain.messages import Finding
from core.errors import Broken, FundstelleError

_TOKEN = re.compile(r"\d+:[\w-]+", re.ASCII)
"""core.telegram.org/bots/api#authorizing-your-bot"""

Commands = Mapping[str, Sequence[tuple[str, str]]]
"""Per language (ISO 639-1) the names of commands without slash, with descriptions; the first language is
shown to everybody whose own is not among them."""


async def register(bot: Bot, commands: Commands) -> None:
    """Show `commands` to people who type a slash."""
    with translated():
        for number, (language, listed) in enumerate(commands.items()):
            shown = [BotCommand(name, description) for name, description in listed]
            if number == 0:
                await bot.set_my_commands(shown)
            await bot.set_my_commands(shown, language_code=language)


def check_form(token: str) -> None:
    """Raises Broken("platform.token") for what cannot be a token: with it in a URL, Telegram would seem
    unreachable for ever."""
    if not _TOKEN.fullmatch(token):
        detail = "[telegram] token has not the form 123456:ABC-DEF...: take it from @BotFather again"
        raise Broken("platform.token", detail)


async def findings(bot: Bot, commands: Commands) -> list[Finding]:
    """What is in order and what is not."""
    try:
        return await _looked_at(bot, commands)
    except FundstelleError as error:
        what = "Telegram: token" if error.key == "platform.token" else "Telegram: cannot be asked"
        return [Finding(ok=False, what=what, advice=error.sentence)]


async def _looked_at(bot: Bot, commands: Commands) -> list[Finding]:
    check_form(bot.token)
    with translated():
        await bot.initialize()
        me = await bot.get_me()
    return [
        Finding(ok=True, what=f"Telegram: token of @{me.username}"),
        _privacy(reads_all=bool(me.can_read_all_group_messages)),
        _joining(may_join=bool(me.can_join_groups)),
        await _webhook(bot),
        await _registered(bot, commands),
    ]


def _privacy(*, reads_all: bool) -> Finding:
    if reads_all:
        return Finding(ok=True, what="Telegram: privacy mode off, mentions and uploads in groups arrive")
    return Finding(  # as Telegram sets it, and a choice to respect: questions by command work
        ok=True,
        what="Telegram: privacy mode on, in groups only commands and replies to the bot arrive",
        advice="For mentions and uploads in groups write /setprivacy to @BotFather, choose the bot and "
        "Disable, then remove the bot from its groups and add it again; or make it an administrator.",
    )


def _joining(*, may_join: bool) -> Finding:
    if may_join:
        return Finding(ok=True, what="Telegram: may be added to groups")
    return Finding(
        ok=False,
        what="Telegram: may not be added to groups",
        advice="Write /setjoingroups to @BotFather, choose the bot and Enable.",
    )


async def _webhook(bot: Bot) -> Finding:
    with translated():
        elsewhere = bool((await bot.get_webhook_info()).url)
    return Finding(
        ok=not elsewhere,
        what="Telegram: updates are polled, no webhook" if not elsewhere else "Telegram: a webhook is set",
        advice="Another program receives with this token; `fundstelle serve` takes its webhook away when it "
        "starts. Give each program a bot of its own."
        if elsewhere
        else "",
    )


async def _registered(bot: Bot, commands: Commands) -> Finding:
    for language, listed in commands.items():
        with translated():
            known = await bot.get_my_commands(language_code=language)
        if [(command.command, command.description) for command in known] != list(listed):
            return Finding(  # which is so before the first start, too
                ok=True,
                what=f"Telegram: the commands in {language} are not registered as they are now",
                advice="Start `fundstelle serve`: it registers them.",
            )
    return Finding(ok=True, what="Telegram: commands registered")
