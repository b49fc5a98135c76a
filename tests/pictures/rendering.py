"""Pages of HTML as pictures, by a Chromium without a window that reaches nothing."""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image, ImageChops

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
INSTALL = "sudo apt-get install --no-install-recommends chromium fonts-dejavu-core fonts-noto-color-emoji"
WIDTH, TALLEST, SCALE = 560, 4000, 1.5
COLOURS = 128
"""Of a picture: it is text on few grounds."""

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    f"--force-device-scale-factor={SCALE}",
    f"--window-size={WIDTH},{TALLEST}",
)


def chromium() -> str | None:
    """Where it is, if it is there."""
    return next((found for found in map(shutil.which, CHROMIUM) if found), None)


def rendered(page: str, pictures: Mapping[str, bytes]) -> bytes:
    """A PNG of the page, cut below its last line. Raises RuntimeError where there is no Chromium."""
    program = chromium()
    if program is None:
        raise RuntimeError(f"there is no Chromium: {INSTALL}")
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        (room / "page.html").write_text(page, encoding="utf-8")
        for name, content in pictures.items():
            (room / name).write_bytes(content)
        shot = room / "shot.png"
        subprocess.run(
            [
                program,
                *_FLAGS,
                f"--user-data-dir={room / 'profile'}",
                f"--screenshot={shot}",
                f"file://{room}/page.html",
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        with Image.open(shot) as image:
            return small(trimmed(image.convert("RGB")))


def trimmed(image: Image.Image) -> Image.Image:
    """Without the empty ground of the last row below all that is drawn."""
    ground = Image.new("RGB", image.size, image.getpixel((image.width - 1, image.height - 1)))
    box = ImageChops.difference(image, ground).getbbox()
    return image.crop((0, 0, image.width, min(image.height, box[3]) if box else 1))


def small(image: Image.Image) -> bytes:
    """As a PNG with few colours."""
    out = io.BytesIO()
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
