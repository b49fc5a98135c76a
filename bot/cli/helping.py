"""What is printed for somebody in distress, whatever the command."""

from collections.abc import Mapping

from bot.cli.frame import CommandContext
from bot.cli.output import print_json, say
from bot.cli.running import DONE
from bot.presentation import Presenter
from bot.presentation.wording import answer_view
from core.domain.answers import Answer


def print_help_lines(
    context: CommandContext, helped: Answer, presenter: Presenter, empty: Mapping[str, object]
) -> int:
    """Whom to turn to, in place of a command's result, whose own fields `empty` holds; the exit status."""
    if context.json:
        print_json({**empty, **answer_view(helped, {}, presenter).json_object})
    else:
        say(presenter.answer_text(helped))
    return DONE
