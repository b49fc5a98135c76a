"""Standard streams whose reader may leave early, as `head` does: the command ends as it would have."""

import io
import os
import sys


class UntilClosed(io.FileIO):
    """Takes everything, also when nobody reads any more."""

    def write(self, content: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        """How many bytes were taken."""
        try:
            return super().write(content)
        except BrokenPipeError:
            drop_the_rest(self.fileno())
            return len(content)


def drop_the_rest(descriptor: int) -> None:
    """From now on what is written to `descriptor` goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def outlive_readers() -> None:
    """Have this process write to its standard streams for as long as somebody reads."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # none where the shell has closed it
        sys.stdout = _outliving(sys.stdout)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = _outliving(sys.stderr)


def _outliving(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(UntilClosed(stream.fileno(), "w", closefd=False)),  # type: ignore[type-var]
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
