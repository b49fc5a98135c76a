"""List signs: characters that open an item and say nothing, and glyphs that no text can hold."""

import re

PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
"""Private-use characters: what they show depends on the font (Unicode, chapter 23.5)."""
BULLETS = frozenset(
    "•·∙⋅‣⁃◦▪▫■□▢▣▤▥▦▧▨▩▬▭▮▯▰▱●○◉◌◍◎◘◙◆◇◈❖◼◻◾◽⬛⬜⚫⚪⬤⬥⬦⬧⬩⯀⯁⯃⯄🔹🔸🔷🔶"
    "►▶▸▹▷▻➔➙➛➜➝➞➟➠➡➢➣➤➥➦➧➨➩➪➫➬➭➮➯➱➲➳➵➸➺➻➼➽➾⮕⯈☛☞👉❏❐❑❒❍❘❙❚★☆⭐✦✧✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❉❊❋♦♣♠"
)
"""Signs that are nothing else at the start of a line."""
TICKS = frozenset("✓✔☑✅🗸☐")
"""Signs of lists that say something where another of them or a cross stands beside them."""
CROSSES = frozenset("✗✘✕✖❌❎☒🗴🗷")
DASHES = frozenset("-–—‐‑−*→⇒⟶»›>")
"""Signs that open items, and are parts of sentences elsewhere."""


def without_private(text: str) -> str:
    """`text` without private-use characters."""
    return text if text.isascii() else PRIVATE.sub("", text)


def is_private(text: str) -> bool:
    """Whether there is nothing but private-use characters."""
    return bool(text) and not text.isascii() and not without_private(text)
