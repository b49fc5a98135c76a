"""What somebody may send to stall a bot: messages as long as a platform accepts, and slow to process."""

from collections.abc import Iterator

from tests.support.hostile import texts

SENTENCE = "Wir wollen die Registrierung von Hausbooten in Hochau nicht erhöhen. "
MOTION = "Der Rat möge beschließen: Die Verwaltung wird beauftragt, das Liegegeld um 12,5 % zu senken. "
COMMANDS = (
    "ask",
    "verify",
    "compare",
    "summary",
    "references",
    "motion",
    "party",
    "jurisdiction",
    "describe",
    "publish",
)


NAMES = (
    "",
    ".txt",
    "a\nb\r\nc.txt",
    "Antrag\u202efdp.txt",
    "\u2066\u200f\u200b.txt",
    "x" * 300 + ".txt",
    "ä" * 200 + ".txt",
    "../../../etc/passwd.txt",
    "/etc/passwd",
    "..",
    "C:\\Windows\\con.txt",
    "a/b/c.txt",
    "🏳️‍🌈👩‍👩‍👧.txt",
    "e" + "\u0301" * 250 + ".txt",
    "a\tb\u2028c.txt",
    "%00%2e%2e%2f.txt",
    '"; rm -rf *.txt',
    "." * 250,
)
"""Malicious file names."""


def uploads() -> Iterator[tuple[str, str, bytes]]:
    """A file's caption, name and content."""
    for name in NAMES:
        for text in ("motion jurisdiction=xv-ho", "upload"):
            yield text, name, (MOTION * 3).encode()


def bodies(length: int) -> Iterator[str]:
    """Texts of at most `length` characters."""
    for unit in (
        "a",
        "ä ",
        "9",
        "1.",
        "§ 5 Abs. 1 Nr. 2 ",
        "[...] ",
        "Wir wollen [...] ",
        "… ",
        "(",
        "[S1] ",
        "„",
        "<@U1> @channel ",
        "e\u0301\u0302\u0303\u0304",
        "\u0301",
        "https://a.b/c?",
        "a@b.c ",
        "not ",
        "nicht kein ",
        "mover=„ ",
        "ort=a, ",
        "party=SPD ",
        "Uferpartei und ",
        "2021 2025 ",
        "-\n",
        "|a|b\n",
        "\u200b",
        "\u2060",
        "🏳️‍🌈",
        "ﷺ",
        "Hausboot",
        SENTENCE,
        MOTION,
    ):
        yield (unit * (length // len(unit) + 1))[:length]
    yield "(" * (length // 2) + ")" * (length // 2)
    yield ("Was sagt die Uferpartei zu " + "Mindestlohn und " * length)[: length - 1] + "?"
    parts = " [...] ".join(SENTENCE.split()[:3] * length)
    yield parts[:length]
    yield from (text[:length] for _, text in texts(length))


def messages(longest: int, entries: tuple[int, ...] = (114, 2000, 10_000)) -> Iterator[str]:
    """Messages of a platform that accepts `longest` characters: each body as a question and after commands,
    at the limits of the entries and at the platform's own."""
    lengths = sorted({min(length, longest) for length in (*entries, longest)})
    for length in lengths:
        for number, body in enumerate(bodies(length - 20)):
            yield body
            yield f"verify {body}"
            yield f"{COMMANDS[number % len(COMMANDS)]} {body}"
    yield from (f"motion jurisdiction=xv-ho mover=Uferpartei {MOTION * (longest // len(MOTION) - 2)}",)
