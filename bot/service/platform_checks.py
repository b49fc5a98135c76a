"""What `doctor` asks the configured chat platforms."""

import asyncio
from collections.abc import Sequence

from bot.presentation import Texts
from bot.presentation.i18n import ENGLISH
from core.domain.messages import Finding
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform

CHECK_S = 10.0
"""Seconds that a platform gets to answer."""


async def platform_findings(
    platform: ChatPlatform, texts: Texts = ENGLISH, *, within_s: float = CHECK_S, close: bool = True
) -> Sequence[Finding]:
    """The self-check of a platform, in bounded time; with `close` its connections are closed."""
    try:
        async with asyncio.timeout(within_s):
            return await platform.check()
    except TimeoutError:
        why = texts("doctor.no_answer", seconds=f"{within_s:g}")
        return [_unanswered(why, texts("doctor.look_at_network"), texts)]
    except FundstelleError as error:
        return [_unanswered(error.key, error.detail, texts)]
    except Exception as error:  # an adapter's mistake must not hide the other checks
        return [_unanswered(type(error).__name__, texts("doctor.report"), texts)]
    finally:
        if close:
            await _close(platform)


async def _close(platform: ChatPlatform) -> None:
    try:
        async with asyncio.timeout(CHECK_S):
            await platform.close()
    except (TimeoutError, FundstelleError):
        return


def _unanswered(why: str, advice: str, texts: Texts) -> Finding:
    return Finding(ok=False, what=texts("doctor.unchecked", why=why), advice=advice)
