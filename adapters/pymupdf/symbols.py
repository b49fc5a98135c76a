"""What the glyphs of symbol fonts show: the characters they look like, for the codes they are set with.

ZapfDingbats and Symbol by Adobe's tables (unicode.org/Public/MAPPINGS/VENDORS/ADOBE: zdingbat.txt,
symbol.txt), the Wingdings family and Webdings by Unicode's chart of them (document L2/12-368). Glyphs that no
table here has become private-use characters, which are no text.
"""

import re
from functools import lru_cache

_PRIVATE = 0xF000


def _pairs(text: str) -> dict[int, int]:
    """Code and character by turns."""
    return dict(zip(map(ord, text[::2]), map(ord, text[1::2]), strict=True))


_ZAPF = (
    {code: 0x26E0 + code for code in range(0x21, 0x7F)}
    | {code: 0x26C0 + code for code in (*range(0xD8, 0xF0), *range(0xF1, 0xFF))}
    | _pairs("%☎*☛+☞H★l●n■s▲t▼u◆w◗¨♣©♦ª♥Ô➔Õ→Ö↔×↕")
)
_WINGDINGS = _pairs(
    "l●m❍n■o□q❑r❒s⬧t⧫u◆v❖w⬥\x9f•¡○¤◉¥◎§▪¨◻«★Ø➢ß←à→á↑â↓ã↖ä↗å↙æ↘ç⬅è➡é⬆ê⬇ï⇦ð⇨ñ⇧ò⇩ó⬄ô⇳ù▭ú▫û✗ü✓ý☒þ☑"
)
_WINGDINGS_2 = _pairs("O✗P✓Q☒R☑S☒T☒\x96•\x97●\x98●\x9f■£□")
_WINGDINGS_3 = _pairs("f←g→h↑i↓p▲q▼r△s▽t◀u▶|◀}▶")
_WEBDINGS = _pairs("4▶a✓c□g■n●r✗")
_SYMBOL = _pairs("-−£≤¥∞¬←\xad↑®→¯↓°°±±³≥´×·•¹≠»≈×⋅Þ⇒à◊")
_FONTS = {
    "zapfdingbats": _ZAPF,
    "dingbats": _ZAPF,
    "wingdings2": _WINGDINGS_2,
    "wingdings3": _WINGDINGS_3,
    "wingdings": _WINGDINGS,
    "webdings": _WEBDINGS,
    "symbol": _SYMBOL,
}
_NAME = re.compile(r"(zapfdingbats|dingbats|wingdings\s?[23]?|webdings|^symbol(?:mt|ps|std|-|,|$))")


@lru_cache(maxsize=512)
def _table(font: str) -> dict[int, int] | None:
    """The table for single-byte and private-use codes of a symbol font, by `str.translate`; None for fonts
    of text."""
    name = _NAME.search(font.rpartition("+")[2].casefold().replace("itc", ""))
    if name is None:
        return None
    family = re.sub(r"[\s,-]|mt|ps|std", "", name[1])
    known = _FONTS[family]
    table = {_PRIVATE + code: shown for code, shown in known.items()}
    if family != "symbol":  # whose letters are Greek ones, and come as such
        codes = (*range(0x21, 0x7F), *range(0xA1, 0x100))
        table |= {code: known.get(code, _PRIVATE + code) for code in codes}
    return table


def is_symbol_font(font: str) -> bool:
    """Whether a font's glyphs are signs and not letters."""
    return _table(font) is not None


def as_shown(text: str, font: str) -> str:
    """`text` set in `font` as the characters its glyphs look like, one for one."""
    table = _table(font)
    return text if table is None else text.translate(table)


def is_word_bullet(text: str, font: str) -> bool:
    """Whether a span is the "o" in Courier that word processors set as a list sign."""
    return text.strip() == "o" and "courier" in font.casefold()
