"""How the server says no."""

from typing import Any


class Violation(Exception):
    """A call that no client should make: it fails the test. `description` is how the Bot API would refuse
    it."""

    def __init__(self, description: str, *, status: int = 400) -> None:
        super().__init__(description)
        self.description = description
        self.status = status


class Refusal(Exception):
    """The Bot API says no to a call that was well formed."""

    def __init__(self, status: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.parameters = parameters
