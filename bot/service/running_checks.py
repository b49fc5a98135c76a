"""`doctor`'s checks of the running bot, made inside its process."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass

from bot.presentation.i18n import Texts
from bot.service.checks import Check, platform_findings
from bot.service.index_checks import LibraryChecks
from bot.service.standing import Lookout, Standing


@dataclass(frozen=True, slots=True)
class RunningBot:
    """The parts of the running bot needed for checks."""

    library: LibraryChecks
    lookout: Lookout

    async def checks(self, texts: Texts) -> list[Check]:
        """Whether it answers, and whom it reaches; its platforms say themselves what is wrong with them."""
        platforms = self.lookout.platforms
        standing = await self.lookout.look()
        findings = await asyncio.gather(
            *(platform_findings(each, texts, close=False) for each in platforms.values())
        )
        return [
            *_standing(standing, texts),
            *(
                Check.of(name, finding.ok, finding.what, finding.advice)
                for name, found in zip(platforms, findings, strict=True)
                for finding in found
            ),
        ]


def _standing(standing: Standing, texts: Texts) -> Iterator[Check]:
    yield Check.of("running bot", not standing.obstacles, *_answering(standing, texts))
    for name, contact in standing.contacts.items():
        why = standing.broken[name].key if name in standing.broken else contact.error
        seen = f"{contact.at:%Y-%m-%d %H:%M} UTC" if contact.at else texts("cli.never")
        reached = texts("doctor.reached", time=seen)
        yield Check.of(name, not why, why or reached, texts("doctor.see_log") if why else "")
    for model, key in standing.failing.items():
        yield Check.of("language model", True, f"{model}: {key}", texts("doctor.see_log"))


def _answering(standing: Standing, texts: Texts) -> tuple[str, str]:
    if standing.obstacles:
        return "; ".join(standing.obstacles), texts("doctor.see_log")
    return texts("doctor.answering", process=os.getpid(), time=f"{standing.since:%Y-%m-%d %H:%M} UTC"), ""
