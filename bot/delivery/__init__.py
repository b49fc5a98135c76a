"""Nothing is lost and nothing is said twice: durable inbox, order in each chat, durable outbox.

A reply is cut into parts that fit its platform; each is sent once, retried, or becomes a dead letter.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.delivery.delivery import Delivery
    from bot.delivery.outbox import Outbox, in_parts, reply_key
    from bot.delivery.staging import PlatformStage
else:
    __getattr__ = late(__name__, __file__)

__all__ = ["Delivery", "Outbox", "PlatformStage", "in_parts", "reply_key"]
