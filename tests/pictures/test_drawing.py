"""What clients make of what was sent, in HTML."""

import io

import pytest
from PIL import Image

from tests.pictures.drawing import Drawn
from tests.pictures.posts import Post, PostedFile, block_drawn, entities_drawn
from tests.pictures.rendering import INSTALL, WIDTH, chromium, rendered


def test_entities_count_utf16_units_and_stand_in_each_other() -> None:
    text = "😀 „Der Lohn steigt.“\nSeite <1>"
    quote = {"type": "blockquote", "offset": 3, "length": 18}
    entities = [{"type": "bold", "offset": 8, "length": 4}, quote]
    drawn = entities_drawn(text, entities)
    assert drawn == "😀 <blockquote>„Der <strong>Lohn</strong> steigt.“</blockquote>Seite &lt;1&gt;"


def test_blocks_are_drawn_as_slack_draws_them() -> None:
    struck = {"type": "text", "text": "2025", "style": {"strike": True}}
    quote = {"type": "rich_text_quote", "elements": [{"type": "text", "text": "ab "}, struck]}
    assert block_drawn({"type": "rich_text", "elements": [quote]}) == (
        "<blockquote>ab <del>2025</del></blockquote>"
    )
    with pytest.raises(KeyError):
        block_drawn({"type": "video"})


def picture(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "navy").save(out, "PNG")
    return out.getvalue()


def posts() -> list[Post]:
    strip = PostedFile(name="strip.png", content=picture(300, 120))
    return [
        Post(id="1", body="Was <b>kostet</b> es?", by="Ann"),
        Post(id="2", body="<strong>12 Taler</strong>", files=(strip,), buttons=(("Ja", "Nein"),)),
    ]


def test_what_people_write_is_text_and_what_the_bot_sent_is_drawn() -> None:
    drawn = Drawn("matrix", posts())
    assert "Was &lt;b&gt;kostet&lt;/b&gt; es?" in drawn.body
    assert "<strong>12 Taler</strong>" in drawn.body
    assert "<span>Ja</span><span>Nein</span>" in drawn.body
    (name,) = drawn.pictures
    assert f'src="{name}" width="300" height="120"' in drawn.body


@pytest.mark.skipif(chromium() is None, reason=INSTALL)
@pytest.mark.parametrize("platform", ["telegram", "slack", "matrix"])
def test_a_page_becomes_a_small_picture_that_ends_where_the_talk_ends(platform: str) -> None:
    drawn = Drawn(platform, posts())
    made = rendered(drawn.page, drawn.pictures)
    with Image.open(io.BytesIO(made)) as image:
        assert image.width == WIDTH * 3 // 2
        assert 300 < image.height < 900
        shown = image.convert("RGB")
        blue = sum(count for count, colour in shown.getcolors(1 << 20) if colour == (0, 0, 128))
        assert blue > 200 * 100, "the picture beside the text is shown"
    assert len(made) < 200_000
