"""The real encoders' files, made once per state of the code and kept between test runs."""

import hashlib
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


@cache
def models_dir() -> Path:
    """Folder for the models of the encoders as the code makes them now."""
    sources = sorted((_ROOT / "adapters" / "embedding").glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    folder = _ROOT / ".pytest_cache" / f"models-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
