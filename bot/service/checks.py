"""Checks of `doctor` and their severity; and the self-checks of chat platforms."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.presentation.i18n import ENGLISH, Texts
from core.domain.messages import Finding
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform

Line = tuple[str, bool, str, str]
"""A check's name, whether it passed, what was found, what to do."""
CHECK_S = 10.0
"""Timeout in seconds for a platform's response."""


class State(StrEnum):
    """Severity: nothing to do, something that can wait, or something broken."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


_SHOWN = {State.OK: "ok  ", State.WARN: "warn", State.FAIL: "FAIL"}
"""How a state is shown at the beginning of a line."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a check: what was found, and advice if something needs to be done."""

    name: str
    state: State
    message: str
    advice: str = ""

    @classmethod
    def of(cls, name: str, ok: bool, message: str, advice: str = "") -> "Check":
        """A passed check that comes with advice: it can wait."""
        works = State.WARN if advice else State.OK
        return cls(name, works if ok else State.FAIL, message, advice)

    @property
    def lines(self) -> list[str]:
        """Lines for people: what was found, and below it what to do."""
        advice = [f"     -> {self.advice}"] if self.advice else []
        return [f"{_SHOWN[self.state]} {self.name}: {self.message}", *advice]

    @classmethod
    def failed(cls, name: str, error: FundstelleError, texts: Texts) -> "Check":
        """A check that could not be done, or failed."""
        return cls(name, State.FAIL, error.detail or error.key, advice_on(error, texts))


def advice_on(error: FundstelleError, texts: Texts) -> str:
    """What to do about an error; empty if its detail says it."""
    key = f"advice.{error.key}"
    return texts(key) if texts.has(key) else ""


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
    except Exception as error:  # a bug in an adapter must not hide the other checks
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
