"""What `doctor` asks the configured chat platforms."""

import asyncio
from collections.abc import Sequence

from core.domain.messages import Finding
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform

CHECK_S = 10.0
"""Seconds that a platform gets to answer."""


async def platform_findings(platform: ChatPlatform, *, within_s: float = CHECK_S) -> Sequence[Finding]:
    """The self-check of a platform, in bounded time; its connections are closed."""
    try:
        async with asyncio.timeout(within_s):
            return await platform.check()
    except TimeoutError:
        return [
            _unanswered(f"no answer within {within_s:g} s", "look at the network and the platform's status")
        ]
    except FundstelleError as error:
        return [_unanswered(error.key, error.detail)]
    except Exception as error:  # an adapter's mistake must not hide the other checks
        return [_unanswered(type(error).__name__, "this is a mistake of ours: please report it")]
    finally:
        await _close(platform)


async def _close(platform: ChatPlatform) -> None:
    try:
        async with asyncio.timeout(CHECK_S):
            await platform.close()
    except (TimeoutError, FundstelleError):
        return


def _unanswered(what: str, advice: str) -> Finding:
    return Finding(ok=False, what=f"could not be checked: {what}", advice=advice)
