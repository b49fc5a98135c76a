"""Where words are bold: on a terminal that shows it, unless somebody asks for plain text."""

import io
from collections.abc import Mapping

import pytest
from rich.console import Console

from adapters.console import ConsolePlatform
from bot.cli.terminal import HERE, Terminal
from core.domain.rich_text import Mark, RichText, Style, different, joined, struck

SAID = RichText("Wir bauen 6.000 Wohnungen.", (Mark(style=Style.BOLD, start=10, end=15),))


class Screen(io.StringIO):
    """What was written; `terminal`: on one."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def shown(environment: Mapping[str, str], *, terminal: bool, said: RichText = SAID) -> str:
    screen = Screen(terminal=terminal)
    out = Console(file=screen, highlight=False, soft_wrap=True, _environ=environment)
    here = Terminal(out, HERE.err, environment)
    platform = ConsolePlatform(
        lines=None,  # type: ignore[arg-type]
        write=lambda text: out.print(text, markup=False),
        clock=None,  # type: ignore[arg-type]
        chat="c",
        bold=here.emphasises,
    )
    out.print(platform._shown(said), markup=False)
    return screen.getvalue()


def test_words_are_bold_on_a_terminal() -> None:
    assert shown({"TERM": "xterm"}, terminal=True) == "Wir bauen \x1b[1m6.000\x1b[0m Wohnungen.\n"


@pytest.mark.parametrize(
    ("environment", "terminal"),
    [({"TERM": "xterm", "NO_COLOR": "1"}, True), ({"TERM": "dumb"}, True), ({"TERM": "xterm"}, False)],
)
def test_elsewhere_there_are_only_words(environment: dict[str, str], terminal: bool) -> None:
    assert shown(environment, terminal=terminal) == f"{SAID.text}\n"


def test_what_makes_a_difference_stands_between_signs_where_nothing_is_bold() -> None:
    said = joined(["mit uns", struck("bald"), different("nicht"), "geben."], " ")
    assert shown({"TERM": "xterm"}, terminal=False, said=said) == "mit uns ~~bald~~ *nicht* geben.\n"
    bold = shown({"TERM": "xterm"}, terminal=True, said=said)
    assert "\x1b[1mnicht\x1b[0m" in bold
    assert "*" not in bold
