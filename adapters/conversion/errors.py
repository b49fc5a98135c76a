"""Why a file cannot be converted, and the keys the parent takes from the child."""


class ConversionError(Exception):
    """A message key and an English detail that says what to do."""

    def __init__(self, key: str, detail: str) -> None:
        super().__init__(detail)
        self.key = key
        self.detail = detail


KEYS = frozenset(
    {"file.unsupported", "file.bomb", "file.broken", "file.empty", "file.too_large", "file.needs_office"}
)
"""Message keys of everything that can be wrong with a file of another format."""
