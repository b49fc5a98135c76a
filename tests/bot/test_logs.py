import asyncio
import io
import json
import logging
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.library.scoping import ScopeOptions
from bot.settings.sections import LlmSettings, LogSettings, ModelSettings, QdrantSettings
from bot.settings.tree import Settings
from bot.telemetry import current_trace, traced
from bot.wiring import logs
from core.domain.ids import TraceId
from core.errors import Broken, FundstelleError, Unavailable
from tests.support.chat_harness import eventually
from tests.support.fake_platform import FakePlatform
from tests.support.world import populated

QUESTION = "Was kostet das Hausboot QUESTIONCANARY von anna@canary.example?"
CANARIES = {
    "llm": "provider-key-0123456789",
    "fallback": "fallback-key-0123456789",
    "qdrant": "qdrant-key-0123456789",
    "password": "database-pass-0123456789",
}
TOKENS = [
    "sk-" + "abcdefghijklmnop1234",  # in two, so that nobody takes it for a real one
    "xoxb-1234567890-abcdefghij",
    "xapp-1-A0123456789-abcdef",
    "syt_YW5uYQ_abcdefghijklmnop_1a2b3c",
    "123456789:AAabcdefghijklmnopqrstuvwxyz0123456",
    "Bearer abcdef.ghijkl",
]
SETTINGS = Settings(
    llm=LlmSettings(
        model="openai/x",
        api_key=SecretStr(CANARIES["llm"]),
        fallbacks=(ModelSettings(model="openai/y", api_key=SecretStr(CANARIES["fallback"])),),
    ),
    qdrant=QdrantSettings(api_key=SecretStr(CANARIES["qdrant"])),
    database_url=SecretStr(f"postgresql+asyncpg://bot:{CANARIES['password']}@db.example/bot"),
)
FORBIDDEN = [*CANARIES.values(), *TOKENS, "QUESTIONCANARY", "anna@canary.example"]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the installed logs write."""
    root, hook = logging.getLogger(), sys.excepthook
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    stream = io.StringIO()
    logs.install(stream)
    logs.hide(SETTINGS)
    yield stream
    logging.captureWarnings(False)
    root.handlers[:], sys.excepthook = handlers, hook
    root.setLevel(level)
    for name in logs.OURS:
        logging.getLogger(name).setLevel(logging.NOTSET)


def told(stream: io.StringIO) -> str:
    text = stream.getvalue()
    assert [word for word in FORBIDDEN if word in text] == []
    return text


@pytest.mark.parametrize("secret", [*CANARIES.values(), *TOKENS])
def test_secrets_are_left_out_of_messages(written: io.StringIO, secret: str) -> None:
    logging.getLogger("x").warning("the server said %s to us", {"authorization": secret})
    assert logs.HIDDEN in told(written)
    assert "the server said" in told(written)


def test_personal_data_is_left_out_of_messages(written: io.StringIO) -> None:
    logging.getLogger("x").warning("sent to %s", "anna@canary.example")
    assert "sent to [email]" in told(written)


@pytest.mark.parametrize(
    "error",
    [
        ValueError(QUESTION),
        Broken("model.settings", QUESTION),
        Unavailable("model.unavailable", f"{QUESTION} {CANARIES['llm']}"),
        ExceptionGroup(QUESTION, [KeyError(QUESTION), OSError(2, "No such file", QUESTION)]),
    ],
)
def test_a_traceback_says_where_and_what_kind_only(written: io.StringIO, error: Exception) -> None:
    try:
        try:
            raise error
        except Exception as cause:
            raise RuntimeError(QUESTION) from cause
    except RuntimeError as outer:
        logging.getLogger("x").exception("failed: %s, %s", outer, error)
    text = told(written)
    assert type(error).__name__ in text
    assert "test_a_traceback_says_where" in text
    assert "which led to:" in text
    if isinstance(error, FundstelleError):
        assert error.key in text


async def test_a_task_that_nobody_waits_for(written: io.StringIO) -> None:
    async def failing() -> None:
        raise ValueError(QUESTION)

    asyncio.get_running_loop().call_exception_handler(
        {"message": "Task exception was never retrieved", "exception": ValueError(QUESTION), "q": QUESTION}
    )
    assert "Task exception was never retrieved" in told(written)


def test_uncaught_errors(written: io.StringIO) -> None:
    error = ValueError(QUESTION)
    sys.excepthook(ValueError, error, None)
    assert "CRITICAL fundstelle: stopped by an error\nValueError" in told(written)


def test_warnings_are_logged_discreetly(written: io.StringIO) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn(f"odd key {CANARIES['llm']}", UserWarning, stacklevel=1)
    assert "odd key" in told(written)


def test_every_secret_of_the_settings_is_known() -> None:
    assert set(CANARIES.values()) <= set(logs.secrets_of(SETTINGS))


@pytest.mark.parametrize("breaking", ["passages", "pages_at", "editions", "registry"])
async def test_a_question_that_breaks_something(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch, breaking: str
) -> None:
    world = await populated()

    async def broken(*arguments: object, **named: object) -> None:
        raise RuntimeError(f"{QUESTION} {CANARIES['password']}")

    monkeypatch.setattr(world.library, breaking, broken)
    try:
        await world.app.questions.ask(QUESTION, ScopeOptions())
    except RuntimeError:
        logging.getLogger("bot.chat.conversation").exception("a message could not be handled")
    assert "ERROR bot.chat.conversation: a message could not be handled" in told(written)
    assert "RuntimeError" in told(written)


TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00"


def test_a_line_says_when_how_bad_and_where(written: io.StringIO) -> None:
    logging.getLogger("core.search").warning("odd")
    assert re.fullmatch(rf"{TIME} WARNING core\.search: odd\n", told(written))


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
def test_the_level_is_for_our_own_lines(written: io.StringIO, level: str) -> None:
    logs.apply(LogSettings(level=level))  # type: ignore[arg-type]
    names = ("debug", "info", "warning", "error")
    for name in names:
        getattr(logging.getLogger("bot.x"), name)("ours")
        getattr(logging.getLogger("library"), name)("theirs")
    shown = re.findall(r"(\w+) (?:bot\.x|library): (\w+)", told(written))
    expected = [name.upper() for name in names[names.index(level) :]]
    assert [name for name, whose in shown if whose == "ours"] == expected
    assert [name for name, whose in shown if whose == "theirs"] == [
        name for name in expected if name in ("WARNING", "ERROR")
    ]


def test_json_has_an_object_on_each_line(written: io.StringIO) -> None:
    logs.apply(LogSettings(format="json"))
    try:
        raise ValueError(QUESTION)
    except ValueError:
        logging.getLogger("bot.x").exception('two\nlines and a "quote" of %s', CANARIES["llm"])
    with traced(TraceId("abc")):
        logging.getLogger("bot.x").warning("odd")
    first, second = (json.loads(line) for line in told(written).splitlines())
    assert list(first) == ["time", "level", "logger", "message", "traceback"]
    assert re.fullmatch(TIME, first["time"])
    assert (first["level"], first["logger"]) == ("error", "bot.x")
    assert first["message"] == f'two\nlines and a "quote" of {logs.HIDDEN}'
    assert first["traceback"][-1] == "ValueError"
    assert (second["trace"], second["message"]) == ("abc", "odd")


@pytest.mark.parametrize("level", ["debug", "warning"])
async def test_lines_of_an_answer_have_its_trace_and_nothing_of_who_asked_what(
    written: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """A chat in which much goes wrong: the search, the record, the sending."""
    logs.apply(LogSettings(level=level))  # type: ignore[arg-type]
    world, platform = await populated(), FakePlatform()
    sender, chat = "@anna.mustermann:example.org", "!geheim4711:example.org"
    app = world.use(world.app.settings.model_copy(update={"open": True, "data": tmp_path}))
    app.platforms = {"telegram": platform}
    failing = iter(["record"])

    async def lost(*_: object) -> None:
        if next(failing, ""):
            raise RuntimeError(f"{sender} {QUESTION}")

    monkeypatch.setattr(world.journal, "record", lost)
    platform.fault = lambda part: Broken("platform.token", f"{chat} {QUESTION}")
    serving = asyncio.create_task(app.delivery.run())
    await platform.say(f"{QUESTION} Mindestlohn", chat=chat, sender=sender)

    async def done() -> bool:
        backlog = await world.journal.backlog()
        return backlog.failed > 0

    await eventually(done)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    text = told(written)
    assert re.search(r"ERROR bot\.answers\.records\.recorder \[trace-1\]: answer trace-1 has no record", text)
    assert re.search(r"WARNING bot\.delivery\.sender \[trace-1\]: a part of a reply could not be sent", text)
    words = {word for word in re.findall(r"\w{6,}", QUESTION) if word.lower() not in text.lower()}
    assert words == set(re.findall(r"\w{6,}", QUESTION))
    assert [each for each in ("anna", "mustermann", "geheim4711", "Mindestlohn") if each in text] == []


async def test_each_question_has_a_trace_of_its_own(written: io.StringIO) -> None:
    world = await populated()
    first, second = [await world.app.questions.ask(QUESTION, ScopeOptions()) for _ in range(2)]
    assert first.trace != second.trace
    assert current_trace() is None
    told(written)
