"""Invitations: accepted from the allow-list, refused otherwise."""

import logging
from dataclasses import dataclass
from typing import Any

from nio import AsyncClient, InviteMemberEvent

from adapters.matrix.homeserver import Homeserver, path
from adapters.matrix.rooms import may_invite
from core.errors import FundstelleError, Unavailable

ATTEMPTS = 5

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Invitation:
    """An invitation that is not answered yet. `inviter` is "" if the homeserver does not say."""

    inviter: str
    attempts: int = 0


class Invitations:
    """Answers invitations; one that fails for now is tried a few times and holds up nothing else."""

    def __init__(self, client: AsyncClient, allowed: tuple[str, ...]) -> None:
        self._user_id = client.user_id
        self._homeserver = Homeserver(client)
        self._allowed = allowed
        self._open: dict[str, Invitation] = {}

    def note(self, room_id: str, state: list[Any]) -> None:
        """An invitation came, with the few state events that the homeserver shows."""
        inviters = [
            str(event.sender)
            for event in state
            if isinstance(event, InviteMemberEvent)
            and event.state_key == self._user_id
            and event.membership == "invite"
        ]
        self._open[room_id] = Invitation(inviter=inviters[-1] if inviters else "")

    async def answer(self) -> None:
        """Join or refuse what is open."""
        for room_id, invitation in list(self._open.items()):
            if await self._answered(room_id, invitation):
                del self._open[room_id]

    async def _answered(self, room_id: str, invitation: Invitation) -> bool:
        welcome = may_invite(invitation.inviter, self._allowed)
        try:
            await self._homeserver.call("POST", path("rooms", room_id, "join" if welcome else "leave"), {})
        except FundstelleError as error:
            invitation.attempts += 1
            if isinstance(error, Unavailable) and invitation.attempts < ATTEMPTS:
                return False
            log.warning("an invitation could not be answered: %s", error.detail)
        else:
            log.info("an invitation was %s", "accepted" if welcome else "refused")
        return True
