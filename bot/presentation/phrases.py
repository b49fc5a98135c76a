"""Parts of an answer in words, shared by answers, reports and checks: quotes with their labels, pages,
provisions, places to read on. Text by others is defused."""

import re
from collections.abc import Sequence

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from core.domain.answers import Citation, Claim, Reading
from core.domain.passages import Section
from core.library.references import provision_name


def reading_line(reading: Reading, texts: Texts) -> str:
    """A place to read on: title, heading and page, and its first words."""
    title = defused(reading.edition.document.fields.title)
    page = page_name(reading.page, reading.printed, texts)
    where = ", ".join(part for part in (title, defused(reading.under), page) if part)
    return texts("cite.begins", place=where, words=in_marks(reading.begins, texts))


def page_name(number: int, printed: str | None, texts: Texts) -> str:
    """A PDF page by its number, and by the printed one if different."""
    if printed and printed != str(number):
        return texts("cite.page_printed", page=number, printed=printed)
    return texts("cite.page", page=number)


def page_names(pages: Sequence[int], printed: Sequence[str | None], texts: Texts) -> str:
    """Pages of a PDF from the first to the last, with the printed numbers of both if they differ; empty for
    none."""
    if not pages:
        return ""
    known = [*printed, *[None] * len(pages)][: len(pages)]
    if len(pages) == 1:
        return page_name(pages[0], known[0], texts)
    numbers = f"{pages[0]}–{pages[-1]}"
    shown = f"{known[0]}–{known[-1]}"
    if None in (known[0], known[-1]) or shown == numbers:
        return texts("cite.pages", pages=numbers)
    return texts("cite.pages_printed", pages=numbers, printed=shown)


def provision_label(section: Section, language: str) -> str:
    """Number and title of a provision, in its document's language: "Section 19(4) · Rights of allottees"."""
    name = provision_name(section, language)
    return " · ".join(part for part in (name, _own_words(section.title, name)) if part)


def _own_words(title: str, name: str) -> str:
    """What a title adds to the provision's name: nothing for "ANNEXURE 'A'" of "Annex A"."""
    kind, _, number = name.casefold().rpartition(" ")
    title = re.sub(rf"^\W*{re.escape(number)}[.):]\s+", "", title, flags=re.IGNORECASE)
    words = re.findall(r"\w+", title.casefold())
    repeated = all(word == number or (kind and word.startswith(kind)) for word in words)
    return "" if repeated else title


def claim_text(claim: Claim, citations: Sequence[Citation], language: str) -> str:
    """A claim with its labels: in quotation marks if it is the source's own words, else marked as a
    paraphrase."""
    if is_quote(claim, citations):
        return quoted(claim.text, claim.labels, language)
    labels = " ".join(f"[{label}]" for label in claim.labels)
    return Texts(language)("answer.paraphrase", text=f"{defused(claim.text)} {labels}")


def is_quote(claim: Claim, citations: Sequence[Citation]) -> bool:
    """Whether a claim is nothing but the quote of one of its citations."""
    return any(item.quote.text == claim.text for item in citations if item.label in claim.labels)


def quoted(text: str, labels: Sequence[str], language: str) -> str:
    """A claim in quotation marks with its labels."""
    return f"{in_marks(text, Texts(language))} " + " ".join(f"[{label}]" for label in labels)


def in_marks(text: str, texts: Texts) -> str:
    """A text in the quotation marks of a language."""
    return f"{texts('quote.opening')}{defused(text)}{texts('quote.closing')}"
