"""How far long work is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, total), never more often than is useful to show."""
