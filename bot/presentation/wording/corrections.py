"""Corrections in words."""

from bot.presentation.i18n import Texts
from core.domain.corrections import Recheck, Rechecked


def block(found: Rechecked, texts: Texts) -> str:
    """A correction in words: what was quoted, and what the document says now."""
    version, now = found.edition.version, found.now
    values: dict[str, str | int] = {
        "label": found.was.label,
        "title": found.edition.document.fields.title,
        "date": f"{version.seen_from:%Y-%m-%d}",
        "was": found.was.quote,
        "was_page": found.was.pages[0] if found.was.pages else "-",
        "now": now.quote.text if now else "",
        "page": now.quote.pages[0] if now else "",
    }
    text = texts(f"correction.{found.outcome.value}", **values)
    if found.outcome is Recheck.GONE and now is not None:
        text += "\n" + texts("correction.nearest", **values)
    return text
