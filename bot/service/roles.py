"""What a process of `serve` does of all that there is to do."""

from enum import StrEnum


class ServingRole(StrEnum):
    """`front` has the platforms' sessions and sends, `answers` answers, `library` reads, fetches, corrects
    and clears up; `all` does all of it, which is the only way beside SQLite or the embedded index."""

    ALL = "all"
    FRONT = "front"
    ANSWERS = "answers"
    LIBRARY = "library"

    @property
    def fronts(self) -> bool:
        """Whether it receives and sends."""
        return self in (ServingRole.ALL, ServingRole.FRONT)

    @property
    def answers(self) -> bool:
        """Whether it answers."""
        return self in (ServingRole.ALL, ServingRole.ANSWERS)

    @property
    def keeps_library(self) -> bool:
        """Whether it works on the library."""
        return self in (ServingRole.ALL, ServingRole.LIBRARY)
