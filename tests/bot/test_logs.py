import asyncio
import io
import logging
import sys
import warnings
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from bot.library.scoping import ScopeOptions
from bot.settings.models import LlmSettings, ModelSettings
from bot.settings.stores import QdrantSettings
from bot.settings.tree import Settings
from bot.wiring import logs
from core.errors import Broken, FundstelleError, Unavailable
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


@pytest.mark.parametrize("breaking", ["passages", "page", "editions", "registry"])
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
