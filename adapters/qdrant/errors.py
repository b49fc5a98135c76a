"""Foreign errors of both stores, translated once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters import disk
from core.errors import Broken, FundstelleError


@contextmanager
def edge_errors(folder: Path) -> Iterator[None]:
    """Translate what the embedded engine raises: bare `Exception`s, panics of its Rust code (which are
    `BaseException`s of a class that cannot be imported), and errors of the disk."""
    try:
        yield
    except FundstelleError:
        raise
    except OSError as error:
        if disk.is_full(error):
            raise Broken(disk.FULL, f"the index {folder} cannot be written: {disk.ADVICE}") from error
        raise Broken(
            "index.storage", f"the index {folder} cannot be read or written: {error}. Check disk and rights."
        ) from error
    except Exception as error:
        raise Broken("index.failed", f"the embedded index {folder} failed: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Broken("index.failed", f"the embedded index {folder} panicked: {error}") from error
