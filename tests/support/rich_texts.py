"""Texts with marks, made of words that are special on some platform."""

from hypothesis import strategies as st

from core.domain.rich_text import (
    Block,
    RichText,
    Style,
    bold,
    code,
    heading,
    joined,
    link,
    quotation,
    rich,
    small,
    struck,
    table,
)

LIVE = (
    "<b>", "</b>", "</blockquote>", "<script>", "*stars*", "_lines_", "`ticks`", "~~", "|", "&lt;", "&", '"',
    "[a](https://b.c)", "@channel", "@here", "@room", "@everyone", "<!channel>", "<!here>", "<@U1>", "<#C1>",
    "#topic", "$CASH", "/ask", "!cmd", "t.me/x", "tg://user?id=1", "@a:example.org", "> no quote", "🚢",
    "\u202e", "\u030a", ":smile:", "{}", "https://matrix.to/#/@a:b", "\\", "[S1]", "15 Euro", "Fähre",
)  # fmt: skip
"""Signs that a platform would read as markup, mentions, commands or links."""

WORDS = st.lists(st.sampled_from(LIVE), min_size=1, max_size=5).map(" ".join)
URLS = st.sampled_from(
    ["https://example.org/a?b=1&c=\"d'", "http://example.org", "javascript:alert(1)", "https://a.b/x|y"]
)


def _inline(words: str, kind: str, to: str) -> RichText:
    return {"bold": bold, "struck": struck, "plain": rich}[kind](words) if kind != "link" else link(words, to)


INLINE = st.builds(_inline, WORDS, st.sampled_from(["bold", "struck", "plain", "link"]), URLS)
LINES = st.lists(INLINE, min_size=1, max_size=4).map(lambda runs: joined(runs, " "))
TABLES = st.lists(st.lists(LINES, min_size=2, max_size=2), min_size=1, max_size=3).map(table)
BLOCKS = (
    LINES
    | LINES.map(quotation)
    | LINES.map(heading)
    | LINES.map(small)
    | st.lists(WORDS, min_size=1, max_size=3).map("\n".join).map(code)
    | TABLES
)
RICH: st.SearchStrategy[RichText] = st.lists(
    st.tuples(BLOCKS, st.sampled_from(["\n", "\n\n"])), min_size=1, max_size=5
).map(
    lambda blocks: joined(
        [joined(["", block], gap) if n else block for n, (block, gap) in enumerate(blocks)], ""
    )
)
"""Any text as the bot writes it: consecutive blocks, with and without empty lines."""


def styles(block: Block) -> set[Style]:
    """The formatted parts of a text."""
    return {mark.style for mark in rich(block).marks}
