"""The manual page is that of the command line as it is now."""

import re
import shutil
import subprocess

import pytest

from tests.support import manual


def test_the_manual_page_is_current() -> None:
    assert manual.FILE.read_text(encoding="utf-8") == manual.page(), "run `make format`"


def test_every_command_has_its_place() -> None:
    listed = re.findall(r"^\.SS fundstelle (.+)$", manual.page(), flags=re.M)
    assert {"ask QUESTION", "serve", "summary new TOPIC"} <= set(listed)
    assert len(listed) == len(set(listed)) > 20


def test_no_word_of_a_text_is_a_request() -> None:
    texts = [
        line
        for line in manual.page().splitlines()
        if not re.match(r"\.(\\\"|TH|SH|SS|TP|BR?|I|IR|br)\b|\.\\\"", line)
    ]
    assert [line for line in texts if line.startswith((".", "'"))] == []


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_sets_it_without_a_word() -> None:
    command = ["groff", "-man", "-Kutf8", "-Tutf8", "-ww", str(manual.FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "FUNDSTELLE(1)" in done.stdout
