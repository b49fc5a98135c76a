"""Port for progress of long-running work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, total), no more often than is worth showing."""
