"""What systemd is told while `serve` runs: that it is ready, that it stops, and that it is still alive.

The protocol is a datagram to the socket that `NOTIFY_SOCKET` names (sd_notify(3)); without that variable
nothing is sent. A process that does not write within `WATCHDOG_USEC` microseconds is restarted.
"""

import logging
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """The manager that started this process, "" for none. `watchdog_s`: seconds after which it takes silence
    for death, None where it does not watch."""

    address: str = ""
    watchdog_s: float | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str], pid: int) -> "ServiceManager":
        """As `environment` describes it to the process `pid`."""
        watched = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        microseconds = environment.get("WATCHDOG_USEC", "") if watched else ""
        return cls(
            address=environment.get("NOTIFY_SOCKET", ""),
            watchdog_s=int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None,
        )

    @classmethod
    def here(cls) -> "ServiceManager":
        """The one that started this process."""
        return cls.of(os.environ, os.getpid())

    @property
    def alive_every_s(self) -> float | None:
        """Seconds between two signs of life: half of what the manager allows; None if it does not watch."""
        return self.watchdog_s and self.watchdog_s / 2

    def ready(self) -> None:
        """Questions are answered from now on."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """No more is received."""
        self._tell("STOPPING=1")

    async def alive(self) -> None:
        """The event loop turns."""
        self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        """Never an error of ours: a manager that does not listen is no reason to stop answering."""
        if not self.address:
            return
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.connect(address)
                channel.send(state.encode())
        except OSError as error:
            _LOG.warning("the service manager was not told %s: %s", state, error)
