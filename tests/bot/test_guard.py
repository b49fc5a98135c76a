"""The full matrix of roles, chats and commands, and the gate that refuses."""

import itertools

import pytest

from bot.chat.command_table import SPECS, Role
from bot.chat.guard import Guard
from bot.settings.platforms import ChatSettings, RoleSettings
from core.domain.messages import Exposure, IncomingMessage, MessageRef
from core.errors import Refused
from tests.support.world import NOW

PEOPLE = {
    "visitor": Role.ANYONE,
    "sam": Role.STAFF,
    "pia": Role.PUBLISHER,
    "ada": Role.ADMIN,
    "": Role.ANYONE,
}
CHATS = (
    ChatSettings(platform="slack", id="T1/CPUBLIC"),
    ChatSettings(
        platform="slack",
        id="T1/CSTAFF",
        audience="staff",
        collections=("public", "internal"),
        upload_to="internal",
    ),
    ChatSettings(platform="slack", id="T1/CINNER", collections=("internal",)),
)
ROLES = tuple(
    RoleSettings(platform="slack", user=user, role=role.name.lower())  # type: ignore[arg-type]
    for user, role in PEOPLE.items()
    if role
)
CLOSED = Exposure(closed=True, direct=False)
SHARED = Exposure(closed=False, direct=False, why_open="chat.shared")
COMMANDS = tuple(SPECS)
ANYWHERE = {"help", "start", "id", "about", "privacy", "forget"}
STAFF_ONLY = {"upload", "check", "documents", "describe", "yes", "remove", "restore", "reingest", "library"}
PUBLISHERS = {"publish", "unpublish"}


def message(chat: str, sender: str, platform: str = "slack", workspace: str = "T1") -> IncomingMessage:
    ref = MessageRef(platform=platform, workspace=workspace, chat=chat, thread=None, message="1")
    return IncomingMessage(ref=ref, sender=sender, text="", addressed=True, received_at=NOW)


def expected(command: str, chat: str, role: Role, exposure: Exposure | None) -> str | None:
    """The gate that refuses, by the words of the specification."""
    if chat == "CUNKNOWN":
        return None if command in ANYWHERE else "chat"
    if command in ANYWHERE:
        return None
    if chat != "CPUBLIC" and exposure is not CLOSED:
        return "exposure"
    if command in STAFF_ONLY | PUBLISHERS and chat != "CSTAFF":
        return "audience"
    if command in STAFF_ONLY | {"retract"} and role < Role.STAFF:
        return "role"
    return "role" if command in PUBLISHERS and role < Role.PUBLISHER else None


def test_every_role_in_every_chat_with_every_command():
    guard = Guard(CHATS, ROLES)
    chats = ("CPUBLIC", "CSTAFF", "CINNER", "CUNKNOWN")
    for command, chat, (sender, role), exposure in itertools.product(
        COMMANDS, chats, PEOPLE.items(), (CLOSED, SHARED, None)
    ):
        wanted = expected(command, chat, role, exposure)
        key = None
        try:
            guard.check(command, message(chat, sender), exposure)
        except Refused as error:
            key = error.key
        assert key == (wanted and f"guard.{wanted}"), (command, chat, sender, exposure)


def test_a_chat_sees_what_its_settings_name():
    guard = Guard(CHATS, ROLES)
    assert guard.check("ask", message("CPUBLIC", "ada"), None).collections == ("public",)
    assert guard.check("ask", message("CSTAFF", "visitor"), CLOSED).collections == ("public", "internal")
    assert guard.check("help", message("CUNKNOWN", "ada"), None).collections == ("public",)


def test_an_open_bot_shows_the_public_library_to_all_and_nothing_more():
    guard = Guard(CHATS, ROLES, open_to_all=True)
    assert guard.check("ask", message("CUNKNOWN", "visitor"), None).collections == ("public",)
    with pytest.raises(Refused, match="audience"):
        guard.check("upload", message("CUNKNOWN", "ada"), CLOSED)


@pytest.mark.parametrize(("platform", "workspace"), [("matrix", "T1"), ("slack", "T2"), ("slack", "")])
def test_ids_count_on_their_own_platform_and_workspace_only(platform, workspace):
    guard = Guard(CHATS, ROLES)
    with pytest.raises(Refused, match="chat"):
        guard.check("ask", message("CSTAFF", "ada", platform, workspace), CLOSED)


def test_a_role_can_be_bound_to_a_workspace():
    guard = Guard(CHATS, [RoleSettings(platform="slack", user="T1/sam", role="staff")])
    assert guard.role(message("CSTAFF", "sam")) is Role.STAFF
    assert guard.role(message("CSTAFF", "sam", workspace="T2")) is Role.ANYONE


def test_the_highest_of_several_roles_counts_and_no_one_hidden_has_one():
    rows = [RoleSettings(platform="slack", user="sam", role=role) for role in ("admin", "staff")]
    guard = Guard(CHATS, rows)
    assert guard.role(message("CSTAFF", "sam")) is Role.ADMIN
    assert guard.role(message("CSTAFF", "")) is Role.ANYONE
