"""Which encoders answer, and which ones make the index that will: those of the settings, unless the index
that there is was made by others, which answer until a new one is whole."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings.tree import Settings
from bot.wiring.models import primary_embedder, secondary_embedder
from core.errors import FundstelleError
from core.ports.generations import IndexGeneration, IndexGenerations, answering

if TYPE_CHECKING:
    from core.ports.clock import Clock
    from core.ports.embedding import Embedder, LexicalEncoder

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoders:
    """The encoders that a generation of the index was made by."""

    primary: Embedder
    secondary: Embedder
    generation: IndexGeneration


async def encoders(
    settings: Settings, models: Path, lexical: LexicalEncoder, generations: IndexGenerations, clock: Clock
) -> tuple[Encoders, Encoders | None]:
    """Those that answer, and those of the settings where they are others: their index is to be made. Where
    those of the index that there is cannot be used here, those of the settings answer with what they have."""
    wanted = _of(settings, models, lexical, settings.encoders.primary)
    active = answering(await generations.all())
    if active is None:
        made = await generations.begin(_generation(wanted, settings.encoders.primary, place=""))
        active = made if made.since else await _chosen(generations, made, clock)
    if active.encoders == wanted[2]:
        return Encoders(primary=wanted[0], secondary=wanted[1], generation=active), None
    place = "-" + hashlib.sha256(wanted[2].encode()).hexdigest()[:8]
    new = await generations.begin(_generation(wanted, settings.encoders.primary, place=place))
    following = Encoders(primary=wanted[0], secondary=wanted[1], generation=new)
    try:
        former = _of(settings, models, lexical, active.setting)
    except FundstelleError as error:
        _LOG.error("the encoders %s cannot be used any more: %s", active.encoders, error.detail)
        former = None
    if former is None or former[2] != active.encoders:
        _LOG.error("the index of %s cannot be searched any more, and is made anew", active.encoders)
        return following, None
    return Encoders(primary=former[0], secondary=former[1], generation=active), following


_Made = tuple["Embedder", "Embedder", str]


def _of(settings: Settings, models: Path, lexical: LexicalEncoder, primary: str) -> _Made:
    stated = settings.encoders.model_copy(update={"primary": primary})
    first = primary_embedder(settings.model_copy(update={"encoders": stated}), models)
    second = secondary_embedder(stated, models)
    return first, second, "/".join((first.name, second.name, lexical.name))


def _generation(made: _Made, primary: str, *, place: str) -> IndexGeneration:
    return IndexGeneration(encoders=made[2], setting=primary, place=place)


async def _chosen(
    generations: IndexGenerations, generation: IndexGeneration, clock: Clock
) -> IndexGeneration:
    await generations.answer_from(generation.encoders, at=clock.now())
    return next(each for each in await generations.all() if each.encoders == generation.encoders)
