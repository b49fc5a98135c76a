"""Plug-ins: third-party packages that implement a port, found by their entry points."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.ports.files import Converter


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginContext:
    """What a plug-in is constructed with. `options` come from its table `[plugins.options.NAME]`; `folder` is
    its own folder in the data folder and may not exist yet; `threads` is the number of processor cores it may
    use."""

    name: str
    options: Mapping[str, str]
    folder: Path
    threads: int


class ConverterPlugin(Converter, Protocol):
    """Converts files with certain extensions to PDF, taking precedence over the built-in readers. It runs in
    this process: one that reads files from strangers has to contain itself."""

    @property
    def endings(self) -> frozenset[str]:
        """File name extensions in lower case, with the dot."""
        ...
