"""What is known of the work while it goes on: what is counted, and the trace of the answer being made.

Every room may count and trace; whoever shows the figures or writes the log reads them from here.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.telemetry.metrics import COMMAND_LINE, Metrics
    from bot.telemetry.tracing import current_trace, traced
else:
    __getattr__ = late(__name__, __file__)

__all__ = ["COMMAND_LINE", "Metrics", "current_trace", "traced"]
