"""Chat bubbles: what stands in a chat as one small page of HTML, in a look of our own for each platform."""

import io
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain
from pathlib import Path

import pymupdf
from PIL import Image

from tests.pictures.posts import Post, PostedFile

STYLE = Path(__file__).with_name("chat.css")
BOT = "Fundstelle"
PICTURES = (".png", ".jpg", ".jpeg")
PAGE_PIXELS = 640


class Drawn:
    """The body of a page, and the pictures it shows, by name."""

    def __init__(self, platform: str, posts: Sequence[Post]) -> None:
        self.pictures: dict[str, bytes] = {}
        self._platform = platform
        sections = (self._section(each) for each in posts)
        self.body = f'<main class="{platform}">\n{"".join(sections)}</main>\n'

    @property
    def page(self) -> str:
        """The whole page with its style."""
        style = STYLE.read_text(encoding="utf-8")
        return f'<!doctype html><meta charset="utf-8"><style>\n{style}</style>\n<body>\n{self.body}</body>\n'

    def _section(self, post: Post) -> str:
        who, kind = post.by or BOT, f"{'ann' if post.by else 'bot'}{' thread' if post.threaded else ''}"
        lines = [
            f"<header>{who}</header>",
            post.body if post.by == "" else f"<p>{escape(post.body, quote=False)}</p>" if post.body else "",
            *chain.from_iterable(self._file(each) for each in post.files),
            '<span class="edited">✎</span>' if post.edited else "",
        ]
        words = "\n".join(line for line in lines if line)
        return (
            f'<section class="{kind}"><span class="side">{who[0]}</span><div>\n{words}\n</div>\n'
            f"{_buttons(post.buttons)}</section>\n"
        )

    def _file(self, file: PostedFile) -> Iterator[str]:
        if file.name.endswith(PICTURES):
            yield f"<figure>{self._picture(file.name, file.content)}</figure>"
        else:
            preview = file.preview
            side = self._picture(file.name, preview) if preview else "<b>PDF</b>"
            if self._platform == "slack":  # which shows the first page by itself
                yield f"<figure>{self._picture(file.name, _first_page(file.content), 'page')}</figure>"
            yield f'<div class="file">{side}<span>{escape(file.name)}</span></div>'
        if file.caption:
            yield f"<figcaption>{file.caption}</figcaption>"

    def _picture(self, name: str, content: bytes, kind: str = "") -> str:
        with Image.open(io.BytesIO(content)) as image:
            width, height = image.size
            shown = f"{Path(name).stem}-{len(self.pictures) + 1}.{(image.format or '').lower()}"
        self.pictures[shown] = content
        styled = f' class="{kind}"' if kind else ""
        return f'<img{styled} src="{shown}" width="{width}" height="{height}">'


def _buttons(rows: Sequence[Sequence[str]]) -> str:
    drawn = ("".join(f"<span>{escape(label)}</span>" for label in row) for row in rows)
    return "".join(f'<div class="buttons">{row}</div>\n' for row in drawn)


def _first_page(pdf: bytes) -> bytes:
    with pymupdf.open(stream=pdf) as document:
        page = document[0]
        scale = PAGE_PIXELS / page.rect.width
        made: bytes = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), annots=True).tobytes("png")
    return made
