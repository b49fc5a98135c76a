"""What a worker is asked about one file."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from adapters.pymupdf.limits import WorkerLimits
from adapters.pymupdf.pool import WorkerProcess, WorkerReply
from adapters.pymupdf.protocol import ProtocolError, decode_page
from core.domain.pages import PageReading
from core.errors import Refused

_HEADER = b"%PDF-"
_HEADER_WITHIN = 1024


class File(NamedTuple):
    """A file to work on. The worker that has it open is told apart by its identity."""

    path: Path
    identity: tuple[int, int, int, int]

    @classmethod
    def check(cls, path: Path, limits: WorkerLimits) -> "File":
        """Look at size and first bytes. Raises Refused (not a PDF, too large, not there)."""
        try:
            with path.open("rb") as file:
                stat, start = os.fstat(file.fileno()), file.read(_HEADER_WITHIN)
        except OSError as error:
            raise Refused("pdf.broken", f"the file cannot be opened: {error.strerror}") from error
        if _HEADER not in start:
            raise Refused("pdf.not_a_pdf", "the file does not start as a PDF does")
        if stat.st_size > limits.max_file:
            raise Refused("pdf.too_large", f"{stat.st_size} bytes, {limits.max_file} are allowed")
        return cls(path, (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns))

    def open_in(self, worker: WorkerProcess) -> WorkerReply:
        """Open it in a worker."""
        worker.opened = None
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            answer = worker.ask("open", pages=0, file=descriptor)
        finally:
            os.close(descriptor)
        worker.opened = self.identity
        return answer

    def ask(
        self, worker: WorkerProcess, do: str, *, pages: int = 1, room: int | None = None, **values: Any
    ) -> WorkerReply:
        """A request on this file, opening it first where the worker has another one."""
        if worker.opened != self.identity:
            self.open_in(worker)
        return worker.ask(do, pages=pages, room=room, **values)


def read_range(
    file: File, first: int, last: int, worker: WorkerProcess
) -> tuple[list[PageReading], set[int]]:
    """The pages `first` to `last`, and the numbers of those that are broken. Raises Refused."""
    answer = file.ask(worker, "read", pages=last - first + 1, first=first, last=last)
    try:
        pages = [decode_page(payload) for payload in answer.pages]
        if [page.page.number for page in pages] != list(range(first, last + 1)):
            raise ProtocolError("other pages than asked for")
    except ProtocolError as error:
        worker.end()
        raise Refused("pdf.broken", f"the reader process gave no sense: {error}") from error
    return pages, {int(info["broken_page"]) for info in answer.infos if "broken_page" in info}


def with_layers(
    file: File, layers: Mapping[str, tuple[str, int]], room: int, worker: WorkerProcess
) -> WorkerReply:
    """The worker has another document open afterwards."""
    try:
        return file.ask(worker, "layers", pages=len(layers), room=room, layers=layers)
    finally:
        worker.opened = None


def shown_of(worker: WorkerProcess, pdf: bytes, do: str, **values: Any) -> WorkerReply:
    """Pass the bytes on in an unnamed file, as every other file."""
    worker.opened = None
    descriptor = os.memfd_create("page")
    with os.fdopen(descriptor, "w+b") as file:
        file.write(pdf)
        file.seek(0)
        worker.ask("open", pages=0, file=descriptor)
    return worker.ask(do, pages=1, **values)
