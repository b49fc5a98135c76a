"""Who may come in: files are checked by a virus scanner before anything reads them."""

from pathlib import Path

from core.errors import Refused, Unavailable
from core.ports.files import Quarantine, VirusScanner


class Admission:
    """Lets a file pass, or sets it aside and refuses it. A scanner that does not answer lets nothing pass."""

    def __init__(self, scanner: VirusScanner, quarantine: Quarantine) -> None:
        self._scanner = scanner
        self._quarantine = quarantine

    async def check(self, path: Path, name: str) -> None:
        """Raises Refused (file.infected, file.not_scanned) for a file that was set aside."""
        try:
            found = await self._scanner.infection(path)
        except Unavailable as error:
            place = await self._quarantine.keep(path, name=name, reason=error.detail)
            detail = f"the virus scanner cannot tell ({error.detail}); the file is set aside in {place}"
            raise Refused("file.not_scanned", detail) from error
        if found is not None:
            place = await self._quarantine.keep(path, name=name, reason=found)
            raise Refused("file.infected", f"the virus scanner found {found}; it is set aside in {place}")
