"""One plug-in of each kind, as small as they get: a converter, an encoder, a reranker and a chat platform."""

import asyncio
import re
import shutil
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from fundstelle import Refused
from fundstelle.plugins import (
    Attachment,
    Block,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    Inbox,
    IncomingMessage,
    MessageRef,
    Outgoing,
    PluginContext,
    Progress,
    Recovery,
    Relevance,
    Vector,
)


class Subtitles:
    """Makes a PDF of the spoken lines of a file of subtitles."""

    endings = frozenset({".srt"})

    def __init__(self, context: PluginContext) -> None:
        self._line = int(context.options.get("points", "12"))

    async def convert(self, path: Path, kind: str, name: str) -> bytes:  # noqa: ARG002
        """The lines, on as many pages as they take."""
        written = await asyncio.to_thread(path.read_text, "utf-8")
        spoken = [line for line in written.splitlines() if line and not _is_cue(line)]
        return pdf([spoken[start : start + 40] for start in range(0, len(spoken), 40)], self._line)


def _is_cue(line: str) -> bool:
    return line.isdigit() or "-->" in line


def pdf(pages: Sequence[Sequence[str]], points: int) -> bytes:
    """A PDF with these lines on each page, in Helvetica."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for lines in pages:
        shown = b" ".join(b"(" + _escaped(line) + b") Tj T*" for line in lines)
        drawn = b"BT /F1 %d Tf %d TL 72 770 Td " % (points, points + 4) + shown + b" ET"
        objects.append(b"<< /Length %d >>\nstream\n" % len(drawn) + drawn + b"\nendstream")
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R" % len(objects)
        objects.append(page + b" /Resources << /Font << /F1 3 0 R >> >> >>")
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [" + b" ".join(kids) + b"] /Count %d >>" % len(kids)
    written, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(written))
    return written + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def _escaped(line: str) -> bytes:
    return re.sub(rb"([()\\])", rb"\\\1", line.encode("cp1252", "replace"))


class Letters:
    """Encodes a text by the trigrams of its letters."""

    name = "letters/1"
    dimension = 256
    max_tokens = 100_000

    def __init__(self, context: PluginContext) -> None:
        del context  # it needs nothing

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Its words."""
        return [len(text.split()) for text in texts]

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """A row for each text."""
        rows = [self._vector(text) for text in texts]
        if progress is not None:
            progress(len(texts), len(texts))
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    async def query(self, text: str) -> Vector:
        """The same as of a passage."""
        return self._vector(text)

    async def warm_up(self) -> None:
        """There is nothing to load."""

    def _vector(self, text: str) -> Vector:
        small = f"  {' '.join(text.lower().split())}  "
        counts = np.zeros(self.dimension, np.float32)
        for start in range(len(small) - 2):
            counts[zlib.crc32(small[start : start + 3].encode()) % self.dimension] += 1
        return counts / np.float32(np.linalg.norm(counts))


class Words:
    """Says that the passage with most of the question's words answers best."""

    name = "plugin/words"

    def __init__(self, context: PluginContext) -> None:
        self._least = int(context.options.get("letters", "4"))

    async def rank(
        self,
        question: str,
        texts: Sequence[str],
        *,
        collections: Sequence[str],  # noqa: ARG002
        deadline_s: float,  # noqa: ARG002
    ) -> list[Relevance]:
        """All of them, best first."""
        asked = self._words(question)
        found = [len(asked & self._words(text)) / max(len(asked), 1) for text in texts]
        ranked = sorted(range(len(texts)), key=lambda index: -found[index])
        return [Relevance(index=index, score=found[index]) for index in ranked]

    def _words(self, text: str) -> set[str]:
        return {word for word in re.findall(r"\w+", text.lower()) if len(word) >= self._least}

    async def warm_up(self) -> None:
        """There is nothing to load."""


class Folder:
    """A chat made of files: a question is NAME.txt in `in`, its answer NAME.txt with the pages in `out`."""

    name = "folder"
    capabilities = Capabilities(
        max_text=None,
        max_caption=None,
        max_file_bytes=None,
        threads=False,
        edits=False,
        buttons=False,
        typing=False,
        recovery=Recovery.RESEND,
    )

    def __init__(self, context: PluginContext) -> None:
        self.contact = Contact()
        self._every_s = float(context.options.get("seconds", "1"))
        self._in, self._out = context.folder / "in", context.folder / "out"

    def length(self, text: Block) -> int:
        """Characters."""
        return len(text)

    async def run(self, inbox: Inbox) -> None:
        """Take over what lies there, and look again."""
        for folder in (self._in, self._out):
            folder.mkdir(parents=True, exist_ok=True)
        while True:
            self.contact.made(datetime.now(UTC))
            for file in sorted(self._in.glob("*.txt")):
                await inbox.accept([self._message(file)])
                file.unlink()  # only when it is in good hands
            await asyncio.sleep(self._every_s)

    def _message(self, file: Path) -> IncomingMessage:
        return IncomingMessage(
            ref=MessageRef(platform=self.name, workspace="", chat="files", thread=None, message=file.stem),
            sender="files",
            text=file.read_text("utf-8").strip(),
            addressed=True,
            received_at=datetime.now(UTC),
            event=f"{file.stem}-{file.stat().st_mtime_ns}",
            direct=True,
        )

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """Write it; a part that comes a second time is the same file."""
        answer = self._out / f"{part.to.message}.txt"
        shown = answer.read_text("utf-8") if answer.exists() else ""
        if part.text and part.text not in shown:
            answer.write_text(f"{shown}{part.text}\n", "utf-8")
        for each in part.files:
            shutil.copy(each.path, self._out / f"{part.to.message}-{each.path.name}")
        return (part.key,)

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:  # noqa: ARG002
        """Never asked for: writing again is harmless."""
        return None

    async def delete(self, message: MessageRef) -> None:
        """Take the answer away."""
        (self._out / f"{message.message}.txt").unlink(missing_ok=True)

    async def react(self, to: MessageRef, emoji: str) -> None:
        """Never asked for: no file can be reacted to."""

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:  # noqa: ARG002
        """Nothing to show."""
        yield

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:  # noqa: ARG002
        """No message has files."""
        raise Refused("upload.gone", "messages in files have no files")

    async def exposure(self, chat: MessageRef) -> Exposure:  # noqa: ARG002
        """Who can read the folder is up to the system."""
        return Exposure(closed=True, direct=True)

    async def check(self) -> list[Finding]:
        """Whether the folder is there."""
        return [
            Finding(
                ok=self._in.is_dir(), what=str(self._in), advice="start `fundstelle serve`, which makes it"
            )
        ]

    async def close(self) -> None:
        """Nothing is open."""
