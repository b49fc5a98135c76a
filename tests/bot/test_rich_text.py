"""Texts with marks: put together, parted, drawn on each platform, and nothing in them comes alive."""

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from adapters.matrix import contents
from adapters.matrix.contents import html
from adapters.slack.outgoing import drawn as in_blocks
from adapters.telegram.outgoing import drawn as with_entities
from adapters.telegram.outgoing import kept, length
from bot.delivery.outbox import pack
from core.domain.rich_text import (
    BLOCKS,
    RichText,
    Style,
    bold,
    heading,
    joined,
    link,
    paragraphs,
    plain,
    quotation,
    runs,
    small,
    table,
)
from tests.servers.slack import blocks
from tests.servers.telegram.texts import parsed
from tests.support.rich_texts import RICH

ANSWER = joined(
    [
        heading("GRÜNE · Mindestlohn"),
        quotation(RichText("„... von ") + bold("15 Euro") + "“"),
        link("Wahlprogramm 2025, S. 32", "https://example.org/p.pdf"),
        small("Kein Rechtsrat."),
    ]
)
ALIVE = {"mention", "bot_command", "hashtag", "cashtag"}
TAGS = {"h4", "blockquote", "p", "sub", "pre", "code", "strong", "del", "a", "br"} | {
    "table",
    "tbody",
    "tr",
    "td",
}


class Shown(HTMLParser):
    """What a client makes of HTML: the words, the tags, where links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.open, self.links, self.tags = "", list[str](), list[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert [name for name, _ in attrs] == (["href"] if tag == "a" else [])
        self.links += [str(to) for _, to in attrs]
        self.words += "\n" if tag == "br" else ""
        self.open += [tag] if tag != "br" else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def unlabelled(texts: list[RichText]) -> str:
    """The words without labels, which every piece of a text repeats."""
    return squeezed("".join(map(str, texts)).replace("[S1]", ""))


def seen(markup: str) -> Shown:
    shown = Shown()
    shown.feed(markup)
    shown.close()
    assert shown.open == []
    return shown


@given(st.text())
def test_a_text_without_marks_stays_what_it_is(text: str) -> None:
    assert plain(text) == text
    assert [run.text for run in runs(RichText(text))] == ([text] if text else [])
    assert [each.text.text for each in paragraphs(RichText(text))] == ([text] if text else [])


@given(RICH, st.integers(0, 60), st.integers(0, 60))
def test_parts_are_drawn_as_the_whole_was(text: RichText, start: int, more: int) -> None:
    part = text.part(start, start + more)
    assert part.text == text.text[start : start + more]
    whole = [run.styles for run in runs(text) for _ in run.text]
    assert [run.styles for run in runs(part) for _ in run.text] == whole[start : start + more]
    again = text.part(0, start) + text.part(start)
    assert [run.styles for run in runs(again) for _ in run.text] == whole


@given(RICH)
def test_paragraphs_hold_every_word_once(text: RichText) -> None:
    found = [*paragraphs(text)]
    assert squeezed("".join(each.text.text for each in found)) == squeezed(text.text)
    assert not {mark.style for each in found for mark in each.text.marks} & BLOCKS


@given(RICH)
def test_matrix_gets_only_our_tags_and_all_the_words(text: RichText) -> None:
    shown = seen(html(text))
    assert shown.tags <= TAGS
    assert squeezed(shown.words) == squeezed(text.text)
    wanted = {mark.to for mark in text.marks if mark.style is Style.LINK}
    assert set(shown.links) <= {to for to in wanted if to.startswith("http")}


@given(RICH)
def test_telegram_gets_entities_that_it_takes(text: RichText) -> None:
    said, entities = with_entities(text)
    assert said == kept(text.text)
    shown, found = parsed(said, None, [each.to_dict() for each in entities])
    assert shown == said
    assert not [each for each in found if each["type"] in ALIVE]
    assert {each["url"] for each in found if each["type"] == "text_link"} <= {
        mark.to for mark in text.marks if mark.to.startswith("http")
    }


@given(RICH)
def test_slack_gets_blocks_that_it_takes(text: RichText) -> None:
    made = in_blocks(text, "k-0")
    blocks.check(made)
    assert made[0]["block_id"] == "k-0"
    assert blocks.alerted({"blocks": made}) == []
    assert squeezed("".join(map(blocks.text, made))) == squeezed(text.text)


@given(st.lists(RICH, min_size=1, max_size=3), st.integers(300, 600))
def test_no_limit_is_passed_however_a_text_is_parted(texts: list[RichText], limit: int) -> None:
    for measure in (contents.length, length):
        packed = pack(texts, limit, measure)
        assert all(measure(each) <= limit for each in packed)
        assert unlabelled(packed) == unlabelled(texts)


def test_an_answer_on_matrix() -> None:
    assert html(ANSWER) == (
        "<h4>GRÜNE · Mindestlohn</h4><blockquote>„... von <strong>15 Euro</strong>“</blockquote>"
        '<p><a href="https://example.org/p.pdf">Wahlprogramm 2025, S. 32</a></p>'
        "<p><sub>Kein Rechtsrat.</sub></p>"
    )
    assert "S. 32 (https://example.org/p.pdf)" in plain(ANSWER)


def test_an_answer_on_telegram() -> None:
    said, entities = with_entities(ANSWER)
    assert said == ANSWER.text
    assert [(each.type, said[each.offset : each.offset + each.length]) for each in entities] == [
        ("bold", "GRÜNE · Mindestlohn"),
        ("blockquote", "„... von 15 Euro“"),
        ("bold", "15 Euro"),
        ("text_link", "Wahlprogramm 2025, S. 32"),
        ("italic", "Kein Rechtsrat."),
    ]


def test_an_answer_on_slack() -> None:
    answer, note = in_blocks(ANSWER, "k")
    assert [each["type"] for each in answer["elements"]] == [
        "rich_text_section",
        "rich_text_quote",
        "rich_text_section",
    ]
    assert [each for each in blocks.elements(answer) if each.get("style")] == [
        {"type": "text", "text": "GRÜNE · Mindestlohn", "style": {"bold": True}},
        {"type": "text", "text": "15 Euro", "style": {"bold": True}},
    ]
    assert note["type"] == "context"


def test_a_table_is_one_where_there_are_tables_and_reads_without() -> None:
    text = table([[bold("GRÜNE"), "15 Euro"], ["SPD", "mehr"]])
    assert text.text == "GRÜNE\n15 Euro\n\nSPD\nmehr"
    assert html(text) == (
        "<table><tbody><tr><td><strong>GRÜNE</strong></td><td>15 Euro</td></tr>"
        "<tr><td>SPD</td><td>mehr</td></tr></tbody></table>"
    )
    (shown,) = in_blocks(text, "k")
    assert (shown["type"], len(shown["rows"])) == ("table", 2)
    assert [each.type for each in with_entities(text)[1]] == ["bold"]
