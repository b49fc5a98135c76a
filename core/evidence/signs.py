"""List signs: characters that open an item without meaning anything, and glyphs that plain text cannot
represent."""

import re

PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
"""Private-use characters: their appearance depends on the font (Unicode, chapter 23.5)."""
BULLETS = frozenset(
    "•·∙⋅‣⁃◦▪▫■□▢▣▤▥▦▧▨▩▬▭▮▯▰▱●○◉◌◍◎◘◙◆◇◈❖◼◻◾◽⬛⬜⚫⚪⬤⬥⬦⬧⬩⯀⯁⯃⯄🔹🔸🔷🔶"
    "►▶▸▹▷▻➔➙➛➜➝➞➟➠➡➢➣➤➥➦➧➨➩➪➫➬➭➮➯➱➲➳➵➸➺➻➼➽➾⮕⯈☛☞👉❏❐❑❒❍❘❙❚★☆⭐✦✧✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❉❊❋♦♣♠"
)
"""Signs that can only be bullets at the start of a line."""
TICKS = frozenset("✓✔☑✅🗸☐")
"""List signs that are meaningful beside a different one or a cross."""
CROSSES = frozenset("✗✘✕✖❌❎☒🗴🗷")
DASHES = frozenset("-–—‐‑−*→⇒⟶»›>")
"""Signs that open items but are part of sentences elsewhere."""


def without_private(text: str) -> str:
    """`text` without private-use characters."""
    return text if text.isascii() else PRIVATE.sub("", text)


def is_private(text: str) -> bool:
    """Whether it consists only of private-use characters."""
    return bool(text) and not text.isascii() and not without_private(text)
