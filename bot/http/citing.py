"""A quote with its source, to be pasted elsewhere: text, Markdown, BibTeX, CSL-JSON."""

import json
import re

from bot.presentation.escaping import clean
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks, page_names, provision_label
from bot.presentation.presenter import Presenter
from core.domain.answers import Citation
from core.domain.documents import PUBLIC
from core.one_line import one_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!@]|:(?=//)|(?<=www)\.)")
_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_TEX |= {sign: f"\\{sign}" for sign in "#$%&_"}


def source_of(citation: Citation, presenter: Presenter, texts: Texts) -> str:
    """Title, date and place of the document, the provision, and the page."""
    document = citation.edition.document
    parts = [presenter.within((PUBLIC,)).document_line(document, texts)]
    if citation.section:
        parts.append(provision_label(citation.section, document.fields.language))
    parts.append(page_names(citation.quote.pages, citation.printed_labels, texts))
    return clean(one_line(", ".join(parts)))


def forms_of(citation: Citation, presenter: Presenter, texts: Texts) -> list[tuple[str, str]]:
    """The name of each form, and the quote in it."""
    source, quote = source_of(citation, presenter, texts), " ".join(clean(citation.quote.text).split())
    marked, link = clean(in_marks(quote, texts)), citation.link
    return [
        ("plain", f"{marked} ({source}) {link}"),
        ("markdown", f"> {_markdown(quote)}\n>\n> — [{_markdown(source)}]({link})"),
        ("bibtex", _bibtex(citation, quote)),
        ("csl", json.dumps([_csl(citation, quote)], ensure_ascii=False, indent=1)),
    ]


def _markdown(text: str) -> str:
    """With a backslash before whatever would be a sign."""
    return _MARKDOWN.sub(r"\\\1", text)


def _pages(citation: Citation) -> str:
    known = [*citation.printed_labels, *[None] * len(citation.quote.pages)]
    numbers = [label or str(page) for page, label in zip(citation.quote.pages, known, strict=False)]
    return clean("–".join(dict.fromkeys((numbers[0], numbers[-1]))))


def _bibtex(citation: Citation, quote: str) -> str:
    fields = citation.edition.document.fields
    rows = {
        "title": one_line(fields.title),
        "author": " and ".join(f"{{{_tex(name)}}}" for name in fields.parties),
        "year": str(fields.valid_from.year) if fields.valid_from else "",
        "pages": _pages(citation).replace("–", "--"),
        "url": citation.link,
        "note": quote,
    }
    said = {
        name: value if name in ("author", "url") else _tex(value) for name, value in rows.items() if value
    }
    lines = [f"  {name} = {{{value}}}," for name, value in said.items()]
    return "\n".join([f"@misc{{{citation.link.rpartition('/')[2]},", *lines, "}"])


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in clean(text))


def _csl(citation: Citation, quote: str) -> dict[str, object]:
    fields = citation.edition.document.fields
    day = fields.valid_from
    found: dict[str, object] = {
        "id": citation.link.rpartition("/")[2],
        "type": "report",
        "title": clean(fields.title),
        "author": [{"literal": clean(name)} for name in fields.parties],
        "issued": {"date-parts": [[day.year, day.month, day.day]]} if day else None,
        "page": _pages(citation),
        "URL": citation.link,
        "language": fields.language,
        "note": quote,
    }
    return {name: value for name, value in found.items() if value}
