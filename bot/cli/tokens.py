"""`fundstelle token`: who may ask over HTTP and MCP."""

from typing import Annotated

import typer

from bot.cli.frame import DONE, CollectionOption, CommandContext, command
from bot.cli.output import listing, print_json, say
from bot.cli.terminal import told
from bot.library.scoping import DEFAULT_COLLECTIONS
from bot.presentation.views.records import NewTokenView, TokenView
from bot.wiring.services import token_office
from core.domain.access import TokenRole

NameArgument = Annotated[str, typer.Argument(metavar="NAME")]


@command("new")
async def new(
    context: CommandContext,
    name: NameArgument,
    *,
    role: Annotated[TokenRole, typer.Option("--role")] = TokenRole.READER,
    collection: CollectionOption = None,
    rate: Annotated[int, typer.Option("--rate", min=1, max=100_000)] = 30,
    days: Annotated[int, typer.Option("--days", min=0, max=36_500)] = 365,
) -> int:
    """Make a token and print it, once."""
    async with token_office(await context.library_settings()) as office:
        collections = collection or DEFAULT_COLLECTIONS
        token, secret = await office.issue(
            name, role=role, collections=collections, per_minute=rate, days=days or None
        )
    if context.json:
        print_json(NewTokenView.showing(token, token=secret))
        return DONE
    say(secret)
    say(told("cli.token_once"))
    return DONE


@command("list")
async def list_(context: CommandContext) -> int:
    """List the tokens, without their secrets."""
    async with token_office(await context.library_settings()) as office:
        found, now = await office.listed(), office.audit.clock.now()
    if context.json:
        print_json({"tokens": [TokenView.showing(token) for token in found]})
        return DONE
    rows = []
    for token in found:
        until = "" if token.expires_at is None else f"{token.expires_at:%Y-%m-%d}"
        over = "" if token.holds(now) else told("cli.token_over")
        rate = told("cli.token_rate", count=token.per_minute)
        rows.append([token.name, token.role.value, ", ".join(token.collections), rate, until, over])
    listing(told("cli.tokens", count=len(found)), rows)
    return DONE


@command("revoke")
async def revoke(context: CommandContext, name: NameArgument) -> int:
    """End a token at once."""
    async with token_office(await context.library_settings()) as office:
        await office.revoke(name)
    print_json({"revoked": name}) if context.json else say(told("cli.token_revoked", name=name))
    return DONE


COMMANDS = (new, list_, revoke)
