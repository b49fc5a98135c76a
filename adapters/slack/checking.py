"""Slack's part of `doctor`."""

from adapters.slack.api import SlackApi
from adapters.slack.errors import translated
from adapters.slack.scopes import APP_SCOPE, SCOPES, commands
from core.domain.messages import Finding
from core.errors import FundstelleError

_PAGE = "on the app's page at api.slack.com/apps"


async def findings(
    api: SlackApi, *, app_token: str, signing_secret: str, command_prefix: str
) -> list[Finding]:
    """What is in order and what is not."""
    names = commands(command_prefix)
    try:
        granted, name = await _token(api)
    except FundstelleError as error:
        what = "Slack: bot token" if error.key == "platform.token" else "Slack: cannot be asked"
        return [Finding(ok=False, what=what, advice=error.sentence)]
    return [
        Finding(ok=True, what=f"Slack: bot token of @{name}"),
        *_scopes(granted),
        await _way_in(api, app_token, signing_secret),
        Finding(
            ok=True,
            what=f"Slack: whether {' and '.join(names)} are registered cannot be asked",
            advice=f"Type {names[0]} help in a chat with the app; if Slack does not know it, paste what "
            f"`fundstelle init slack --manifest` prints under App Manifest, {_PAGE}.",
        ),
    ]


async def _token(api: SlackApi) -> tuple[frozenset[str], str]:
    _ = api.session
    with translated():
        response = await api.web.auth_test()
    granted = str(response.headers.get("x-oauth-scopes", ""))
    return frozenset(scope.strip() for scope in granted.split(",")), str(response.get("user", ""))


def _scopes(granted: frozenset[str]) -> list[Finding]:
    missing = [scope for scope in SCOPES if scope not in granted]
    if not missing:
        return [Finding(ok=True, what="Slack: all scopes granted")]
    return [
        Finding(
            ok=False,
            what=f"Slack: scope {scope} is missing",
            advice=f"It is needed {SCOPES[scope]}: add it under OAuth & Permissions, Bot Token Scopes, "
            f"{_PAGE}, and install the app again.",
        )
        for scope in missing
    ]


async def _way_in(api: SlackApi, app_token: str, signing_secret: str) -> Finding:
    if not app_token:
        return _signed(signing_secret)
    try:
        await api.call(api.web.apps_connections_open, app_token=app_token)
    except FundstelleError as error:
        return Finding(
            ok=False,
            what="Slack: Socket Mode cannot be opened",
            advice=f"{error.sentence} Make an app-level token with {APP_SCOPE} under Basic Information, "
            f"and switch Socket Mode on, {_PAGE}.",
        )
    return Finding(ok=True, what="Slack: Socket Mode opens")


def _signed(signing_secret: str) -> Finding:
    if not signing_secret:
        return Finding(
            ok=False,
            what="Slack: no way for events to come in",
            advice="Set [slack] app_token (Socket Mode) or signing_secret (signed events over [http]).",
        )
    return Finding(
        ok=True,
        what="Slack: signed events are taken at /slack/events",
        advice="Slack must reach it over https: put that address under Event Subscriptions, Slash Commands "
        f"and Interactivity {_PAGE}.",
    )
