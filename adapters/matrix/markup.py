"""How a text is drawn, as the HTML that Matrix clients show (specification, "m.room.message msgtypes"). Pure.

Every tag and attribute is written here; what stands in a text is escaped.
"""

from collections.abc import Iterable
from html import escape

from core.domain.rich_text import Paragraph, RichText, Style, cells, paragraphs, runs

_TAGS = {Style.HEADING: "h4", Style.QUOTE: "blockquote"}
_INLINE = {Style.BOLD: "strong", Style.STRUCK: "del"}


def html(text: RichText) -> str:
    """`text` in the subset of HTML that clients do not sanitise away; it knows no small type but `sub`."""
    return "".join(_drawn(each) for each in paragraphs(text))


def _drawn(paragraph: Paragraph) -> str:
    style, text = paragraph.style, paragraph.text
    if style is Style.TABLE:
        return f"<table><tbody>{_rows(cells(text))}</tbody></table>"
    if style is Style.CODE:
        return f"<pre><code>{escape(text.text)}</code></pre>"
    if tag := _TAGS.get(style) if style else None:
        return f"<{tag}>{_words(text)}</{tag}>"
    small = ("<sub>", "</sub>") if style is Style.SMALL else ("", "")
    return f"<p>{small[0]}{_words(text)}{small[1]}</p>"


def _rows(rows: Iterable[Iterable[RichText]]) -> str:
    return "".join(f"<tr>{''.join(f'<td>{_words(cell)}</td>' for cell in row)}</tr>" for row in rows)


def _words(text: RichText) -> str:
    drawn = []
    for run in runs(text):
        words = escape(run.text).replace("\n", "<br>")
        for style, tag in _INLINE.items():
            words = f"<{tag}>{words}</{tag}>" if style in run.styles else words
        drawn.append(f'<a href="{escape(run.to)}">{words}</a>' if run.to else words)
    return "".join(drawn)
