"""Whether a page uses anything that can hide text without a trace in the text itself.

Only its resources are considered (ISO 32000-1, 7.8.3): soft masks, faint or unusual ways of painting, Type 3
fonts. Pages that have any of them are rendered to see their text. Runs in the worker.
"""

from typing import Any

from pymupdf import mupdf

from adapters.pymupdf.pruning import items

FAINT = 0.4
"""Opacity from which on text can be read whatever it is painted on."""
_USUAL = frozenset({"", "Normal", "Compatible", "Multiply"})
_DEPTH, _MANY = 4, 400


def may_hide(page: Any) -> bool:
    """Whether the page's resources, or those of its forms, hold something of the kind."""
    resources = mupdf.pdf_dict_get_inheritable(
        mupdf.pdf_page_from_fz_page(page.this).obj(), mupdf.pdf_new_name("Resources")
    )
    return _any(resources, _DEPTH, set())


def _any(resources: Any, depth: int, seen: set[int]) -> bool:
    states = (_paints_oddly(state) for _, state in items(_get(resources, "ExtGState")))
    fonts = (_name(font, "Subtype") == "Type3" for _, font in items(_get(resources, "Font")))
    return any(states) or any(fonts) or (depth > 0 and _in_forms(resources, depth, seen))


def _in_forms(resources: Any, depth: int, seen: set[int]) -> bool:
    for _, form in items(_get(resources, "XObject")):
        number = mupdf.pdf_to_num(form)
        if number in seen or _name(form, "Subtype") != "Form":
            continue
        seen.add(number)
        if len(seen) > _MANY or _any(_get(form, "Resources"), depth - 1, seen):
            return True
    return False


def _paints_oddly(state: Any) -> bool:
    mask, mode = _get(state, "SMask"), _get(state, "BM")
    if mupdf.pdf_is_array(mode):
        mode = mupdf.pdf_array_get(mode, 0)
    faint = (_get(state, key) for key in ("ca", "CA"))
    return (
        bool(mupdf.pdf_is_dict(mask))
        or mupdf.pdf_to_name(mode) not in _USUAL
        or any(mupdf.pdf_is_number(value) and mupdf.pdf_to_real(value) < FAINT for value in faint)
    )


def _get(dictionary: Any, key: str) -> Any:
    return mupdf.pdf_dict_gets(dictionary, key)


def _name(dictionary: Any, key: str) -> str:
    return str(mupdf.pdf_to_name(_get(dictionary, key)))
