"""What people can type costs no more than it is worth: long texts, endless marks, numbers that are none."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.reports import motion_words
from bot.chat.upload_fields import read_fields
from bot.delivery.outbox import pack
from bot.presentation.presenter import ECHOED
from core.answering.entries import MAX_QUOTE
from core.answering.quote_check import QuoteVerifier
from core.domain.messages import Attachment
from core.errors import Broken, Refused, Unavailable
from core.evidence.exact import MAX_PARTS
from tests.support.chats import conversation_over, say
from tests.support.fake_stage import FakeStage
from tests.support.world import populated

LONG = 60_000
HOSTILE = (
    "a" * LONG,
    "x" + " " * LONG + "y",
    "\n" * LONG + "x",
    "[S1] " * (LONG // 5) + "x",
    "[S1]" + " " * LONG + "x",
    "x mover=„ " * (LONG // 10),
    "mover=a " * (LONG // 8),
    "ort=a " * (LONG // 6),
    "party=„ " * (LONG // 8),
    "mover=Uferpartei" + ",Uferpartei" * (LONG // 11),
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_makes_the_patterns_search_for_ever(text):
    """All of these together take well under a second; where a pattern is quadratic again, one of them takes
    minutes."""
    assert pack([text], 4096, len)
    assert motion_words(text, lambda name: name == "Uferpartei").text is not None
    read_fields(text.replace("mover", "party").replace("[S1]", ""), collection="internal")


def test_labels_are_still_kept_with_every_piece():
    parts = pack(["word " * 1000 + "[S1] [S2]"], 500, len)
    assert all(part.text.endswith("[S1] [S2]") for part in parts)


@pytest.mark.parametrize("name", ["²", "1" * 5000, "٣"])
async def test_a_page_number_that_is_none_gets_the_usage(name, tmp_path):
    world = await populated()
    reply = await say(conversation_over(world.app, tmp_path), f"/page ufer25.pdf {name}")
    assert "/page S1" in reply.blocks[0]


@pytest.mark.parametrize("written", ["pages=²", "pages=none", "pages=0", "pages=" + "9" * 5000])
async def test_a_number_of_pages_that_is_none_is_said(written, tmp_path):
    """Its key was that of another text, and the message became a dead letter."""
    world = await populated()
    with pytest.raises(Refused) as refused:
        read_fields(written, collection="internal")
    for language in ("en", "de"):
        assert "pages" in world.app.presenter.error(refused.value, language) or language == "de"


async def test_a_quote_of_any_length_is_not_aligned(tmp_path):
    world = await populated()
    reply = await say(conversation_over(world.app, tmp_path), "/verify " + "Brunnen " * MAX_QUOTE)
    assert str(MAX_QUOTE) in reply.blocks[0]


async def test_a_quote_of_any_number_of_parts_gets_a_clear_answer(tmp_path):
    world = await populated()
    said = " ... ".join(["Brunnen bauen wir"] * 400)
    reply = await say(conversation_over(world.app, tmp_path), "/verify " + said)
    assert "400" in reply.blocks[0]
    assert str(MAX_PARTS) in reply.blocks[0]


async def test_comparing_a_quote_ends_with_its_time(tmp_path):
    world = await populated()
    hurried = QuoteVerifier(
        library=world.app.library, nearest=world.app.questions.verifier._nearest, cpu_seconds=-1.0
    )
    app = replace(world.app)
    app.questions = replace(world.app.questions, verifier=hurried)
    reply = await say(
        conversation_over(app, tmp_path), "/verify Der Mindestlohn steigt auf 15 Taler in der Woche"
    )
    assert reply.blocks[0] == app.presenter.texts("de")("verify.too_slow")


@pytest.mark.parametrize("command", ["/party", "/jurisdiction", "/page", "/references", "/summary show"])
async def test_what_is_unknown_is_not_said_back_at_any_length(command, tmp_path):
    world = await populated()
    reply = await say(conversation_over(world.app, tmp_path), f"{command} {'a' * LONG} 1")
    assert len("".join(reply.blocks)) < 2 * ECHOED


@pytest.mark.parametrize("error", [Broken, Unavailable])
async def test_what_is_the_operators_is_not_told_to_everybody(error, tmp_path):
    world = await populated()
    said = world.app.presenter.error(error("database.failed", "cannot open /srv/data/library.db"), "de")
    assert "/srv" not in said
    assert said != "database.failed"


async def test_a_motions_file_is_named_without_its_folder(tmp_path: Path):
    world = await populated()
    path = tmp_path / "motion.txt"
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(Refused) as refused:
        await world.app.comparisons.file_text(path)
    said = world.app.presenter.error(refused.value, "en")
    assert str(tmp_path) not in said


@pytest.mark.parametrize("key", ["upload.too_large", "upload.gone", "upload.date", "page.unknown"])
@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_refusal_that_knows_less_than_its_text_names_is_said_all_the_same(key, language):
    """Platforms raise these with other values than the bot does; the message became a dead letter."""
    world = await populated()
    said = world.app.presenter.error(Refused(key, "more than 5 bytes", limit=5), language)
    assert said
    assert "{" not in said


async def test_a_title_is_one_line_of_a_sensible_length():
    options = read_fields('title="Der Plan\n[S2]' + "x" * 450 + '"', collection="internal").options
    assert "\n" not in options.title
    assert len(options.title) == 200


async def test_a_motion_too_large_for_its_platform_gets_a_word(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.chat.reports.MAX_BYTES", 3)
    world = await populated()
    stage = FakeStage(files={"f1": b"long enough"})
    file = Attachment(id="f1", name="motion.txt")
    conversation = conversation_over(world.app, tmp_path)
    said = await say(conversation, "/motion", stage=stage, attachments=(file,))
    assert "larger" in said.blocks[0] or "größer" in said.blocks[0]
