"""Fixtures that several areas share."""

import logging
from collections.abc import Iterator

import pytest
from hypothesis import settings

from bot.presentation import i18n
from bot.wiring.logs import SparingHandler
from tests.servers.matrix.homeserver import Synapse, synapse_server
from tests.support.databases import postgresql_server
from tests.support.loopback_only import loopback_only
from tests.support.processors import add_options, as_asked
from tests.support.s3_server import S3Server
from tests.support.slack_server import SlackServer
from tests.support.telegram_server import TelegramServer

# A busy machine is no failure, and the same examples each time: what a change did is not mixed with what was
# never tried before. `--hypothesis-profile searching` tries others.
settings.register_profile("quick", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=100, derandomize=True)
settings.register_profile("searching", deadline=None, max_examples=200)
settings.register_profile("ten_thousand", deadline=None, max_examples=625)  # of 8 requests, right and wrong
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Switches of the whole suite."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """The processor that was asked for."""
    as_asked(config)


@pytest.fixture(scope="session", autouse=True)
def _nothing_leaves_this_machine() -> Iterator[None]:
    """No test reaches a paid model, or anything else outside."""
    with loopback_only():
        yield


@pytest.fixture(autouse=True)
def _log_of_an_earlier_command() -> None:
    """Commands that ran in this process have left a handler whose output was closed with them; what is logged
    late would be told as an error of logging, in the midst of another command's output."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, SparingHandler)]:
        if handler.stream.closed:
            root.removeHandler(handler)


class _Unfilled(logging.Handler):
    """Keeps what the texts complain about."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@pytest.fixture(autouse=True)
def unfilled_texts() -> Iterator[list[str]]:
    """What the test's texts had no value for: nothing, or the test takes it out of the list. People would see
    an ellipsis there."""
    log, handler = logging.getLogger(i18n.__name__), _Unfilled()
    log.addHandler(handler)
    yield handler.said
    log.removeHandler(handler)
    assert handler.said == []


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """URL of a PostgreSQL server that lives as long as the test run."""
    with postgresql_server() as server:
        yield server


@pytest.fixture(scope="session")
def synapse() -> Iterator[Synapse]:
    """A Matrix homeserver that lives as long as the test run."""
    with synapse_server() as server:
        yield server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """Object storage that lives as long as the test run."""
    with S3Server() as server:
        yield server


@pytest.fixture(scope="session")
def slack_server() -> Iterator[SlackServer]:
    """A strict stand-in for Slack that lives as long as the test run."""
    with SlackServer() as server:
        yield server


@pytest.fixture(scope="session")
def telegram_server() -> Iterator[TelegramServer]:
    """A strict stand-in for Telegram's server that lives as long as the test run."""
    with TelegramServer() as server:
        yield server
