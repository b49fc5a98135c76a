"""What is said to a message, and who may say it: the table of commands, the conversation, the guard.

What may be seen comes from the chat's settings and its live state, never from the text of a message.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.chat import uploads
    from bot.chat.conversation import Conversation
    from bot.chat.guard import Guard, bound_to, check_exposure
    from bot.chat.uploads import UploadQueue
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "Conversation",
    "Guard",
    "UploadQueue",
    "bound_to",
    "check_exposure",
    "uploads",
]
