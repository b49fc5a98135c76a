"""How the stand-in says no."""


class Refusal(Exception):
    """An error that Slack answers and that a sound client may run into."""

    def __init__(self, word: str, **more: str) -> None:
        super().__init__(word)
        self.word = word
        self.more = more


class Violation(Refusal):
    """A call that no client should make: it fails the test."""

    def __init__(self, word: str, why: str, status: int = 200) -> None:
        super().__init__(word)
        self.why = why
        self.status = status
