"""Processes in every role, as in containers, are killed at random while people of three platforms ask."""

import os
import sys
from argparse import Namespace

import pytest

from benchmarks.many_kills import main

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0,
        reason="namespaces of their own are made by root on Linux",
    ),
]


@pytest.mark.timeout(900)
async def test_nothing_is_lost_nor_said_twice_wherever_people_ask(postgresql: str) -> None:
    found = await main(Namespace(questions=60, kills=6, seed=4, every_s=2.0, log=None), postgresql)
    assert found.wrong == []
