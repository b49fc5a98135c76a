"""Hook of mkdocs: a link from the documentation to a file outside of it becomes the name of that file."""

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)(?:#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The page's text; links that stay in the documentation, and all others, are left as they are."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")

    def named(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if target.startswith("docs/"):
            return link[0]
        return link[1] if target in link[1] else f"{link[1]} (`{target}`)"

    return _LINK.sub(named, markdown)
