"""The contained process that puts comments into one Word file.

Standard input is a line of JSON with the notes, then the file; the answer on standard output is as that of
`child`. Words are found by their letters, so that neither runs nor hyphens nor the kind of marks matter.
"""

import codecs
import copy
import io
import json
import sys
from collections.abc import Sequence
from typing import Any

import docx
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.oxml.ns import nsdecls, qn
from docx.oxml.parser import parse_xml
from docx.parts.comments import CommentsPart
from docx.text.run import Run

from adapters.containment import contain, limit_cpu
from adapters.conversion.formats import ConversionError, kind_of_archive
from core.evidence.skeleton import skeleton

DOCX, ERROR = b"D", b"E"
AUTHOR, INITIALS = "Fundstelle", "F"


class _Runs:
    """The runs of a document in order, and their letters."""

    def __init__(self, body: Any) -> None:
        self.runs: list[Any] = [run for run in body.iter(qn("w:r")) if run.text]
        self._index()

    def _index(self) -> None:
        letters: list[str] = []
        self._places: list[tuple[int, int]] = []
        for number, run in enumerate(self.runs):
            for at, character in enumerate(run.text):
                for letter in skeleton(character):
                    letters.append(letter)
                    self._places.append((number, at))
        self._letters = "".join(letters)

    def find(self, words: str, since: int) -> tuple[int, int]:
        """The range of letters of `words`, from `since` on where possible; (-1, -1) for none."""
        wanted = skeleton(words)
        start = self._letters.find(wanted, since)
        start = start if start >= 0 else self._letters.find(wanted)
        return (start, start + len(wanted)) if wanted and start >= 0 else (-1, -1)

    def between(self, start: int, end: int) -> list[Any]:
        """The runs with the letters `start` to `end` alone, cut where they begin and end inside one."""
        (first, begin), (last, stop) = self._places[start], self._places[end - 1]
        if self._cut(last, stop + 1) | self._cut(first, begin):
            self._index()
            return self.between(start, end)
        return self.runs[first : last + 1]

    def _cut(self, number: int, at: int) -> bool:
        """Cut a run that is nothing but text in two; whether it was cut."""
        run = self.runs[number]
        texts = [child for child in run if child.tag != qn("w:rPr")]
        if not 0 < at < len(run.text) or [child.tag for child in texts] != [qn("w:t")]:
            return False
        text, rest = run.text, copy.deepcopy(run)
        run.text, rest.text = text[:at], text[at:]
        run.addnext(rest)
        self.runs.insert(number + 1, rest)
        return True


def commented(data: bytes, notes: Sequence[tuple[str, str]]) -> bytes:
    """The Word file with a comment on the words of each note. Raises ConversionError."""
    if kind_of_archive(data) != "docx":
        raise ConversionError("file.unsupported", "this is no Word file (DOCX)")
    document = docx.Document(io.BytesIO(data))
    if RELATIONSHIP_TYPE.COMMENTS not in {each.reltype for each in document.part.rels.values()}:
        root = parse_xml(f"<w:comments {nsdecls('w')}/>".encode())  # docx would read its own from the disk
        part = CommentsPart(
            PackURI("/word/comments.xml"), CONTENT_TYPE.WML_COMMENTS, root, document.part.package
        )
        document.part.relate_to(part, RELATIONSHIP_TYPE.COMMENTS)
    found, since = _Runs(document.element.body), 0
    for words, text in notes:
        start, end = found.find(words, since)
        runs = found.between(start, end) if start >= 0 else found.runs[:1]
        if not runs:
            raise ConversionError("file.empty", "the file holds no text")
        since = max(since, end)
        ends = [Run(runs[0], document), Run(runs[-1], document)]
        document.add_comment(ends, text=text, author=AUTHOR, initials=INITIALS)
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def main() -> None:
    """Entry point: address space and CPU seconds as JSON."""
    wanted = json.loads(sys.argv[1])
    for encoding in ("utf-8", "cp437", "ascii", "latin-1"):
        codecs.lookup(encoding)  # nothing can be opened later
    contain(wanted["address_space"])
    limit_cpu(wanted["cpu_seconds"])
    try:
        notes, _, data = sys.stdin.buffer.read().partition(b"\n")
        answer = DOCX + commented(data, [(words, text) for words, text in json.loads(notes)])
    except ConversionError as error:
        answer = ERROR + json.dumps({"key": error.key, "detail": error.detail}).encode()
    except Exception as error:  # the boundary: libraries fail in many ways
        reason = f"{type(error).__name__}: {error}"[:300]
        answer = ERROR + json.dumps({"key": "file.broken", "detail": reason}).encode()
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
