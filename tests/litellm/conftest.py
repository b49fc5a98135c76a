"""Servers and models for the tests of this folder."""

from tests.support.llm_fixtures import build, second, server

__all__ = ["build", "second", "server"]
