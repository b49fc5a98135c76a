"""Plug-ins: found by the entry points of installed packages, and built if the settings name them."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol

from bot.settings.tree import Settings
from core.errors import Broken
from core.ports.files import PluginContext

if TYPE_CHECKING:
    from core.ports.chat import ChatPlatform
    from core.ports.files import Converter, ConverterPlugin
    from core.ports.models import Embedder, Reranker

FOLDER = "plugins"
"""Folder in the data folder, with one for each plug-in."""


def platform(settings: Settings, name: str) -> ChatPlatform:
    """The chat platform of that name."""
    from core.ports.chat import ChatPlatform

    made: ChatPlatform = _made(settings, "platforms", name, ChatPlatform)
    return made


def embedder(settings: Settings, name: str) -> Embedder:
    """The encoder of that name."""
    from core.ports.models import Embedder

    made: Embedder = _made(settings, "embedders", name, Embedder)
    return made


def reranker(settings: Settings, name: str) -> Reranker:
    """The reranker of that name."""
    from core.ports.models import Reranker

    made: Reranker = _made(settings, "rerankers", name, Reranker)
    return made


def converter(settings: Settings, ours: Converter) -> Converter:
    """The built-in converters, after those in the settings."""
    from core.ports.files import ConverterPlugin

    names = settings.plugins.converters
    made: list[ConverterPlugin] = [_made(settings, "converters", name, ConverterPlugin) for name in names]
    return _FirstThatCan(made, ours) if made else ours


class _FirstThatCan:
    """Converters by the extensions that they read."""

    def __init__(self, plugins: list[ConverterPlugin], ours: Converter) -> None:
        self._plugins = plugins
        self._ours = ours

    async def convert(self, path: Path, kind: str, name: str) -> bytes:
        """See the port."""
        ending = Path(name).suffix.lower()
        chosen = next((each for each in self._plugins if ending in each.endings), self._ours)
        return await chosen.convert(path, kind, name)


def _made(settings: Settings, kind: str, name: str, port: type) -> Any:
    """The result of the plug-in's factory. Raises Broken("plugin.missing") if none is installed by that name,
    and Broken("plugin.unusable") for one that fails, or lacks members of the port."""
    group = f"fundstelle.{kind}"
    points = entry_points(group=group)
    if name not in points.names:
        there = ", ".join(sorted(points.names)) or "none"
        detail = f"no package is installed that has {name} under {group}; there is {there}"
        raise Broken("plugin.missing", detail, name=name)
    context = PluginContext(
        name=name,
        options={
            key: value.get_secret_value() for key, value in settings.plugins.options.get(name, {}).items()
        },
        folder=settings.data / FOLDER / name,
        threads=settings.encoders.threads,
    )
    try:
        made: Any = points[name].load()(context)
    except Exception as error:  # whatever third-party code raises
        detail = f"the plug-in {name} cannot be used: {type(error).__name__}: {error}"
        raise Broken("plugin.unusable", detail, name=name) from error
    lacking = sorted(each for each in _members(port) if not hasattr(made, each))
    if lacking:
        detail = f"the plug-in {name} is no {port.__name__}: it lacks {', '.join(lacking)}"
        raise Broken("plugin.unusable", detail, name=name)
    return made


def _members(port: type) -> set[str]:
    """The members required by a protocol and its bases."""
    protocols = [each for each in port.__mro__ if each not in (object, Generic, Protocol)]
    return {name for each in protocols for name in vars(each) if not name.startswith("_")}
