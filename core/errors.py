"""Errors, classified by who can act. Messages are keys; the presenter has the texts."""

from collections.abc import Mapping, Sequence

from core.message_keys import ErrorKey

LONGEST_WAIT_S = 86_400.0
"""Nobody has to wait longer than a day, whatever a server says."""


class FundstelleError(Exception):
    """Base class of all our errors: a message key, values for the text, and a plain English detail."""

    def __init__(self, key: ErrorKey, detail: str = "", **values: str | int | float) -> None:
        super().__init__(detail or key)
        self.key: ErrorKey = key
        self.detail = detail
        self.values = values

    @property
    def sentence(self) -> str:
        """The detail as a complete sentence."""
        return self.detail[:1].upper() + self.detail[1:] + "."


class Refused(FundstelleError):
    """The person asking can act: different input, another file, a password, a shorter question."""


class NotKnown(Refused):
    """Nothing is called `name`, or too many things are. `meant` are the names that may have been meant, best
    first: as shown, with what each is understood as."""

    def __init__(self, key: ErrorKey, detail: str, *, name: str, meant: Mapping[str, str]) -> None:
        super().__init__(key, detail, name=name, suggestions=", ".join(meant))
        self.name = name
        self.meant = meant


class Unavailable(FundstelleError):
    """A temporary failure: retrying later may help. `retry_after_s` is from 0 to `LONGEST_WAIT_S`; anything
    that is not a number counts as one second."""

    def __init__(
        self, key: ErrorKey, detail: str = "", retry_after_s: float = 1.0, **values: str | int | float
    ) -> None:
        super().__init__(key, detail, **values)
        known = retry_after_s if retry_after_s == retry_after_s else 1.0
        self.retry_after_s = min(max(known, 0.0), LONGEST_WAIT_S)


class Broken(FundstelleError):
    """The operator must act: settings, disk, a missing package, a store in use."""


class FailedElsewhere(Exception):
    """An unexpected error in one of our own processes: `kind` is its class, `frames` say where it was
    raised."""

    def __init__(self, kind: str, frames: Sequence[str]) -> None:
        super().__init__(kind)
        self.kind = kind
        self.frames = tuple(frames)
