"""What plug-ins are: packages of others that implement a port, found by their entry points."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.ports.files import Converter


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginContext:
    """What a plug-in is made with. `options` are those of its table `[plugins.options.NAME]`; `folder`, which
    may not be there yet, is its own in the data folder; `threads` is how many processor cores it may use."""

    name: str
    options: Mapping[str, str]
    folder: Path
    threads: int


class ConverterPlugin(Converter, Protocol):
    """Makes PDFs of files whose names have certain endings, whatever else could read them. It works in this
    process: one that reads what strangers send has to contain itself."""

    @property
    def endings(self) -> frozenset[str]:
        """Endings of file names, in small letters and with the dot."""
        ...
