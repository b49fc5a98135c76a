"""Points of an index as bytes, so that it can be restored without its encoders, and into another store.

Numpy's `.npz` (nothing in it is executed when read). Values are kept as stored: dense vectors as float16,
terms as they are.
"""

import io
import zipfile
from collections.abc import Sequence

import numpy as np

from core.domain.backups import LARGEST_POINTS
from core.domain.ids import PassageId, VersionId
from core.domain.search import IndexPoint, SparseVector


def packed(points: Sequence[IndexPoint]) -> bytes:
    """One or more points of the same dimensions."""
    kept = io.BytesIO()
    # The array names are those used since 2026-11 and must not change.
    np.savez(
        kept,
        passages=np.array([str(point.passage) for point in points]),
        versions=np.array([str(point.version) for point in points]),
        dense=np.stack([point.primary for point in points]).astype(np.float16),
        second=np.stack([point.secondary for point in points]).astype(np.float16),
        windows=np.concatenate([point.windows for point in points]).astype(np.float16),
        windows_of=np.array([len(point.windows) for point in points], dtype=np.int64),
        terms=np.concatenate([np.asarray(point.lexical.indices, dtype=np.uint32) for point in points]),
        weights=np.concatenate([np.asarray(point.lexical.values, dtype=np.float32) for point in points]),
        terms_of=np.array([len(point.lexical.indices) for point in points], dtype=np.int64),
    )
    return kept.getvalue()


def unpacked(content: bytes) -> list[IndexPoint]:
    """The unpacked points. Raises ValueError, KeyError, OSError or BadZipFile for anything not made by
    `packed`."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(member.file_size for member in archive.infolist()) > LARGEST_POINTS:
            raise ValueError("they are too large")
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        found = {name: kept[name] for name in kept.files}
    windows = np.split(found["windows"].astype(np.float32), np.cumsum(found["windows_of"])[:-1])
    terms = np.split(found["terms"], np.cumsum(found["terms_of"])[:-1])
    weights = np.split(found["weights"], np.cumsum(found["terms_of"])[:-1])
    return [
        IndexPoint(
            passage=PassageId(str(found["passages"][place])),
            version=VersionId(str(found["versions"][place])),
            primary=found["dense"][place].astype(np.float32),
            secondary=found["second"][place].astype(np.float32),
            windows=windows[place],
            lexical=SparseVector(indices=tuple(terms[place].tolist()), values=tuple(weights[place].tolist())),
        )
        for place in range(len(windows))
    ]
