import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.outbox import fit, pack, shortened
from core.domain.messages import Button, Capabilities, MessageRef, Reply, ReplyFile

REF = MessageRef(platform="console", workspace="", chat="c", thread=None, message="1")
WORDS = st.text(alphabet="abcdefgh  .\n", min_size=1, max_size=120)
CLAIMS = st.builds(lambda text, n: f"{text.strip() or 'x'} [S{n}]", WORDS, st.integers(1, 12))


def can(**changes: object) -> Capabilities:
    given_values: dict[str, object] = {
        "max_text": 100,
        "max_caption": 20,
        "max_file_bytes": 50,
        "threads": True,
        "edits": True,
        "buttons": True,
        "typing": True,
        "max_files": 2,
    }
    return Capabilities(**{**given_values, **changes})  # type: ignore[arg-type]


def texts_of(blocks: list[str], limit: int) -> list[str]:
    return [text.text for text in pack(blocks, limit, len)]


def reply(*blocks: str, **parts: object) -> Reply:
    return Reply(blocks=blocks, **parts)  # type: ignore[arg-type]


@given(st.lists(CLAIMS, max_size=8), st.integers(20, 150))
def test_every_text_fits_and_no_claim_loses_its_label(blocks, limit):
    texts = texts_of(blocks, limit)
    assert all(0 < len(text) <= limit for text in texts)
    for block in blocks:
        label = re.search(r"\[S\d+\]$", block)
        assert label is not None
        if len(block) <= limit:
            assert any(block in text for text in texts)
        else:
            assert sum(text.count(label[0]) for text in texts) >= 2


@given(st.lists(WORDS.filter(str.strip), min_size=1, max_size=6), st.integers(10, 60))
def test_nothing_is_lost_nor_reordered(blocks, limit):
    squeezed = "".join("".join(blocks).split())
    assert "".join("".join(texts_of(blocks, limit)).split()) == squeezed


def test_a_long_claim_is_parted_at_a_sentence_and_keeps_its_label():
    claim = "The first sentence stands here in full. " * 2 + "The last one ends it. [S1][S2]"
    texts = texts_of([claim], 80)
    assert len(texts) == 2
    assert all(text.endswith("[S1][S2]") for text in texts)
    assert texts[0].startswith("The first sentence stands here in full. ")


def test_the_platform_counts():
    assert len(pack(["ab", "cd"], 6, len)) == 1
    assert len(pack(["ab", "cd"], 6, lambda text: 2 * len(text))) == 2


def test_keys_are_stable_and_buttons_hang_on_the_last_text(tmp_path):
    files = tuple(_file(tmp_path, f"{n}.pdf", 10) for n in range(3))
    buttons = ((Button(label="?", command="/help"),),)
    said = reply("a" * 90, "b" * 90, files=files, buttons=buttons, replaces="m7")
    parts = fit(said, REF, can(), len, key="k")
    assert [part.key for part in parts] == ["k-0", "k-1", "k-2", "k-3"]
    assert [bool(part.buttons) for part in parts] == [False, True, False, False]
    assert [part.replaces for part in parts] == ["m7", None, None, None]
    assert [len(part.files) for part in parts] == [0, 0, 2, 1]
    assert fit(said, REF, can(), len, key="k") == parts


def test_the_last_text_and_the_first_files_are_one_message_where_that_goes(tmp_path):
    files = tuple(_file(tmp_path, f"{n}.pdf", 10) for n in range(3))
    together = can(text_with_files=True)

    def sent(*blocks, **parts):
        found = fit(reply(*blocks, files=files, **parts), REF, together, len, key="k", recipient="u")
        return [(len(part.text), len(part.files)) for part in found]

    assert sent("a" * 90, "b" * 80) == [(90, 0), (80, 2), (0, 1)]
    assert sent("a" * 95) == [(95, 0), (0, 2), (0, 1)]
    assert sent("a", replaces="m7") == sent("a", instead_of="k") == [(1, 0), (0, 2), (0, 1)]
    assert fit(reply("a", files=files), REF, can(), len, key="k")[0].files == ()
    private = fit(
        reply("a", files=files[:1], private=True),
        REF,
        can(text_with_files=True, private=True),
        len,
        key="k",
        recipient="u",
    )
    assert [len(part.files) for part in private] == [0, 1]


def test_what_cannot_be_carried_is_named(tmp_path):
    large, small = _file(tmp_path, "large.pdf", 51), _file(tmp_path, "small.pdf", 50)
    parts = fit(
        reply("x", files=(large, small)), REF, can(), len, key="k", too_large=lambda f: f"{f.name} is large"
    )
    assert parts[0].text == "x\n\nlarge.pdf is large"
    assert [file.name for file in parts[1].files] == ["small.pdf"]


def test_edits_and_private_words_only_where_they_exist():
    said = reply("x", replaces="m7", private=True)
    (plain,) = fit(said, REF, can(edits=False), len, key="k", recipient="u")
    assert (plain.replaces, plain.recipient) == (None, None)
    (private,) = fit(said, REF, can(private=True), len, key="k", recipient="u")
    assert (private.replaces, private.recipient) == ("m7", "u")


def test_captions_are_shortened(tmp_path):
    (part,) = fit(reply(files=(_file(tmp_path, "a.pdf", 1, "c" * 30),)), REF, can(), len, key="k")
    assert part.files[0].caption == "c" * 19 + "…"


@given(st.text(max_size=60), st.integers(1, 40))
def test_a_shortened_text_fits(text, limit):
    short = shortened(text, limit, len).text
    assert len(short) <= limit
    assert short == text or short.endswith("…")


def _file(folder: Path, name: str, size: int, caption: str = "c") -> ReplyFile:
    path = folder / name
    path.write_bytes(b"x" * size)
    return ReplyFile(name=name, caption=caption, path=path)


def test_what_may_be_asked_next_is_numbered_where_nothing_can_be_tapped():
    asks = reply(
        "Meinten Sie das?", follow_ups=(Button(label="A", command="/a"), Button(label="B", command="/b"))
    )
    told = {
        (can_tap, reacts): fit(
            asks, REF, can(max_text=None, buttons=can_tap, reactions=reacts), len, key="k"
        )[0]
        for can_tap in (True, False)
        for reacts in (True, False)
    }
    assert "1. A\n2. B" in told[False, False].text
    assert "1\u20e3 A · 2\u20e3 B" in told[False, True].text
    assert told[True, True].text == told[True, False].text == "Meinten Sie das?"


def test_only_the_text_of_an_offer_asks_something_back():
    parts = fit(
        reply("Meinten Sie das?", offers=(Button(label="A", command="/a"),)), REF, can(), len, key="k"
    )
    assert [part.asks for part in parts] == [True]
    assert not any(part.asks for part in fit(reply("Gut."), REF, can(), len, key="k"))
