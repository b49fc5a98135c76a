"""Limits of the contained reader processes."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """What one file and one worker process may use. Sizes in bytes, times in seconds.

    A request of n pages may use `cpu_base + n * cpu_per_page` of CPU time; the wall limit is
    `wall_factor` times that. A worker is replaced after `max_requests` or when its resident memory
    is over `max_resident` between two requests. All pages of a file together have `max_characters` at most
    and take `most_seconds` at most: a small file can name one page twenty thousand times.
    """

    address_space: int = 1024 * MIB
    cpu_base: float = 20.0
    cpu_per_page: float = 2.0
    wall_factor: float = 2.0
    max_file: int = 256 * MIB
    max_pages: int = 20_000
    max_page_characters: int = 1_000_000
    max_characters: int = 60_000_000
    most_seconds: float = 1800.0
    max_output: int = 64 * MIB
    max_requests: int = 500
    max_resident: int = 200 * MIB
    range_pages: int = 8
    start_timeout: float = 60.0

    def cpu_seconds(self, pages: int) -> float:
        """CPU time allowed for a request of `pages` pages."""
        return self.cpu_base + self.cpu_per_page * pages

    def wall_seconds(self, pages: int) -> float:
        """Wall time allowed for a request of `pages` pages."""
        return self.wall_factor * self.cpu_seconds(pages)
