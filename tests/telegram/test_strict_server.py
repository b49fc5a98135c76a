"""The stand-in for Telegram's server refuses what the Bot API refuses, and loses nothing by itself."""

from typing import Any

import httpx
import pytest

from tests.support.stand_in import as_files
from tests.support.telegram_server import TelegramServer

TOO_LONG = "ä" * 4094 + "🚢x"  # 4,097 UTF-16 units
ALBUM = [{"type": "document", "media": "attach://a"}, {"type": "document", "media": "attach://b"}]


@pytest.fixture
def chat(server: TelegramServer) -> int:
    return int(server.ask("chat", kind="private"))


def button(data: str, text: str = "Useful") -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": text, "callback_data": data}]]}


BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown method": ("sendMesage", {"text": "x"}, "Not Found"),
    "unknown parameter": ("sendMessage", {"text": "x", "colour": "red"}, "unknown parameter colour"),
    "unknown field": (
        "sendMessage",
        {"text": "x", "reply_parameters": {"message": 1}},
        "has no field message",
    ),
    "legacy parameter": ("sendMessage", {"text": "x", "reply_to_message_id": 1}, "not used any more"),
    "legacy preview": ("sendMessage", {"text": "x", "disable_web_page_preview": True}, "not used any more"),
    "missing parameter": ("sendMessage", {}, "text: Field required"),
    "wrong type": ("sendMessage", {"text": "x", "message_thread_id": "first"}, "message_thread_id"),
    "empty text": ("sendMessage", {"text": " \n"}, "text is empty"),
    "long text": ("sendMessage", {"text": TOO_LONG}, "message is too long"),
    "unclosed tag": ("sendMessage", {"text": "<b>x", "parse_mode": "HTML"}, "can't parse entities"),
    "crossed tags": (
        "sendMessage",
        {"text": "<b><i>x</b></i>", "parse_mode": "HTML"},
        "can't parse entities",
    ),
    "unknown tag": ("sendMessage", {"text": "<h1>x</h1>", "parse_mode": "HTML"}, "can't parse entities"),
    "bare angle": ("sendMessage", {"text": "1 < 2", "parse_mode": "HTML"}, "can't parse entities"),
    "bare ampersand": ("sendMessage", {"text": "you & me", "parse_mode": "HTML"}, "can't parse entities"),
    "entity beyond": (
        "sendMessage",
        {"text": "x", "entities": [{"type": "code", "offset": 0, "length": 2}]},
        "entity beyond",
    ),
    "entity in a character": (
        "sendMessage",
        {"text": "🚢", "entities": [{"type": "code", "offset": 1, "length": 1}]},
        "middle of a character",
    ),
    "code in bold": (
        "sendMessage",
        {
            "text": "xy",
            "entities": [
                {"type": "bold", "offset": 0, "length": 2},
                {"type": "code", "offset": 1, "length": 1},
            ],
        },
        "code can hold no other",
    ),
    "button of 65 bytes": ("sendMessage", {"text": "x", "reply_markup": button("ä" * 33)}, "BUTTON_DATA"),
    "button without text": ("sendMessage", {"text": "x", "reply_markup": button("x", " ")}, "text buttons"),
    "album of one": ("sendMediaGroup", {"media": ALBUM[:1]}, "2-10"),
    "album of eleven": ("sendMediaGroup", {"media": ALBUM * 5 + ALBUM[:1]}, "2-10"),
    "mixed album": (
        "sendMediaGroup",
        {"media": [ALBUM[0], {"type": "photo", "media": "attach://b"}]},
        "can't be mixed",
    ),
    "album with a long caption": (
        "sendMediaGroup",
        {"media": [ALBUM[0] | {"caption": "x" * 1025}, ALBUM[1]]},
        "caption is too long",
    ),
    "album without its files": ("sendMediaGroup", {"media": ALBUM}, "no such file"),
    "buttons on an album": ("sendMediaGroup", {"media": ALBUM, "reply_markup": button("x")}, "reply_markup"),
    "unknown action": ("sendChatAction", {"action": "thinking"}, "wrong parameter action"),
    "loud command": (
        "setMyCommands",
        {"commands": [{"command": "Ask", "description": "x"}]},
        "COMMAND_INVALID",
    ),
    "command without words": (
        "setMyCommands",
        {"commands": [{"command": "ask", "description": ""}]},
        "DESCRIPTION_INVALID",
    ),
    "language in full": ("setMyCommands", {"commands": [], "language_code": "german"}, "language"),
    "limit of 101": ("getUpdates", {"limit": 101}, "limit"),
}


@pytest.mark.parametrize("case", BAD)
def test_refuses_and_remembers(server: TelegramServer, chat: int, case: str) -> None:
    method, parameters, why = BAD[case]
    if method.startswith("send") and method != "sendMesage":
        parameters = {"chat_id": chat} | parameters
    answer = server.call(method, **parameters)
    said = answer.json()
    assert answer.status_code in (400, 404)
    assert why in said["description"]
    assert said["ok"] is False
    (violation,) = server.ask("violations", clear=True)
    assert violation["method"] == method
    assert server.ask("shown", chat=chat) == []


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("sendPoll", {"question": "Lunch?", "options": [{"text": "yes"}, {"text": "no"}]}),
        ("sendMessage", {"text": "*x*", "parse_mode": "MarkdownV2"}),
        ("getChatMember", {"user_id": 5}),
    ],
)
def test_says_what_it_does_not_model(
    server: TelegramServer, chat: int, method: str, parameters: dict[str, Any]
) -> None:
    assert server.call(method, chat_id=chat, **parameters).status_code == 501
    assert len(server.ask("violations", clear=True)) == 1


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown chat": ("sendMessage", {"chat_id": 1, "text": "x"}, "chat not found"),
    "unknown topic": ("sendMessage", {"text": "x", "message_thread_id": 99}, "message thread not found"),
    "reply to nothing": (
        "sendMessage",
        {"text": "x", "reply_parameters": {"message_id": 9}},
        "to be replied",
    ),
    "edit of nothing": ("editMessageText", {"text": "x", "message_id": 9}, "message to edit not found"),
    "deletion of nothing": ("deleteMessage", {"message_id": 9}, "message to delete not found"),
    "unknown file": ("getFile", {"file_id": "x"}, "wrong file_id"),
    "old query": ("answerCallbackQuery", {"callback_query_id": "1"}, "query is too old"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_what_is_not_there(server: TelegramServer, chat: int, case: str) -> None:
    method, parameters, why = REFUSED[case]
    where = {} if method in ("getFile", "answerCallbackQuery") else {"chat_id": chat}
    answer = server.call(method, **(where | parameters))
    assert answer.status_code == 400
    assert why in answer.json()["description"]


def test_an_edit_that_changes_nothing_is_refused(server: TelegramServer, chat: int) -> None:
    message = server.call("sendMessage", chat_id=chat, text="x @you").json()["result"]["message_id"]
    again = server.call("editMessageText", chat_id=chat, message_id=message, text="x @you")
    assert "message is not modified" in again.json()["description"]
    other = server.call("editMessageText", chat_id=chat, message_id=message, text="y")
    assert other.json()["result"]["text"] == "y"


def test_a_wrong_token_is_refused(server: TelegramServer) -> None:
    assert httpx.post(f"{server.api_base}7000001:wrong/getMe", trust_env=False).status_code == 401
    assert httpx.post(f"{server.api_base}nonsense/getMe", trust_env=False).status_code == 404


def test_finds_what_comes_alive_in_a_text(server: TelegramServer, chat: int) -> None:
    text = "🚢 @someone #topic $EUR /ask https://a.test a@b.test name.org tg://user?id=1"
    entities = server.call("sendMessage", chat_id=chat, text=text).json()["result"]["entities"]
    kinds = [entity["type"] for entity in entities]
    assert kinds == ["mention", "hashtag", "cashtag", "bot_command", "url", "email", "url", "url"]
    assert entities[0]["offset"] == 3  # the ship takes two units


def test_updates_stay_until_a_later_offset_is_asked_for(server: TelegramServer, chat: int) -> None:
    server.ask("say", chat=chat, text="one")
    server.ask("say", chat=chat, text="two")
    first = server.call("getUpdates").json()["result"]
    assert [update["message"]["text"] for update in first] == ["one", "two"]
    assert server.call("getUpdates", offset=first[0]["update_id"]).json()["result"] == first
    later = first[0]["update_id"] + 1
    assert server.call("getUpdates", offset=later, limit=1).json()["result"] == first[1:]
    assert server.call("getUpdates", offset=later + 1).json()["result"] == []
    assert server.ask("waiting") == 0


def test_a_webhook_excludes_polling(server: TelegramServer) -> None:
    server.ask("world", webhook="https://example.test/hook")
    assert server.call("getUpdates").status_code == 409


def test_reactions_only_for_those_who_ask(server: TelegramServer, chat: int) -> None:
    message = server.call("sendMessage", chat_id=chat, text="An answer.").json()["result"]["message_id"]
    server.ask("react", chat=chat, message=message, emoji=["👍"])
    assert server.call("getUpdates", allowed_updates=["message_reaction"]).json()["result"] == []
    server.ask("react", chat=chat, message=message, emoji=["👎"])
    (update,) = server.call("getUpdates").json()["result"]
    assert update["message_reaction"]["new_reaction"] == [{"type": "emoji", "emoji": "👎"}]


@pytest.mark.parametrize(
    ("text", "arrives"),
    [
        ("/ask What about ferries?", True),
        ("/ask@fundstelle_bot What about ferries?", True),
        ("/ask@other_bot What about ferries?", False),
        ("@fundstelle_bot What about ferries?", False),
        ("Shall we have lunch?", False),
    ],
)
def test_privacy_mode(server: TelegramServer, text: str, arrives: bool) -> None:
    group = server.ask("chat", kind="supergroup")
    server.ask("say", chat=group, text=text)
    assert bool(server.call("getUpdates").json()["result"]) is arrives


def test_privacy_mode_hides_uploads_unless_they_answer_the_bot(server: TelegramServer) -> None:
    group = server.ask("chat", kind="supergroup")
    files = as_files([("a.pdf", b"%PDF-1.4")])
    server.ask("say", chat=group, files=files)
    assert server.call("getUpdates").json()["result"] == []
    answer = server.call("sendMessage", chat_id=group, text="x").json()["result"]["message_id"]
    server.ask("say", chat=group, files=files, reply_to=answer)
    assert len(server.call("getUpdates").json()["result"]) == 1


def test_a_general_command_goes_to_the_bot_that_spoke_last(server: TelegramServer) -> None:
    group = server.ask("chat", kind="supergroup")
    server.ask("say", chat=group, text="I am another bot", by="bot")
    server.ask("say", chat=group, text="/ask What about ferries?")
    assert server.call("getUpdates").json()["result"] == []


def test_duplicates_loses_keeps_back_and_shuffles_on_demand(server: TelegramServer, chat: int) -> None:
    for number in range(8):
        server.ask("say", chat=chat, text=str(number))
    ids = [update["update_id"] for update in server.call("getUpdates").json()["result"]]
    server.call("getUpdates", offset=ids[-1] + 1)
    server.ask("again", copies=2, seed=3)
    again = [update["update_id"] for update in server.call("getUpdates").json()["result"]]
    assert sorted(again) == sorted(ids * 2)
    assert again != sorted(again)
    server.ask("drop", count=1)
    server.ask("say", chat=chat, text="lost")
    server.ask("hold", held=True)
    server.ask("say", chat=chat, text="late")
    assert server.call("getUpdates", offset=ids[-1] + 1).json()["result"] == []
    server.ask("hold", held=False)
    (late,) = server.call("getUpdates", offset=ids[-1] + 1).json()["result"]
    assert late["message"]["text"] == "late"


def test_refuses_hangs_up_and_forgets_to_answer_on_demand(server: TelegramServer, chat: int) -> None:
    said = {
        "status": 429,
        "description": "Too Many Requests: retry after 7",
        "parameters": {"retry_after": 7},
    }
    server.ask("fault", method="sendMessage", kind="refuse", **said)
    refused = server.call("sendMessage", chat_id=chat, text="one")
    assert (refused.status_code, refused.json()["parameters"]) == (429, {"retry_after": 7})
    for kind in ("hang_up", "lost"):
        server.ask("fault", method="sendMessage", kind=kind)
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):  # an end, or a reset
            server.call("sendMessage", chat_id=chat, text=kind)
    assert [message["text"] for message in server.ask("shown", chat=chat)] == ["lost"]


@pytest.mark.parametrize(
    ("kind", "status", "why"),
    [
        ("private", "kicked", "bot was blocked by the user"),
        ("group", "kicked", "bot was kicked from the group chat"),
        ("supergroup", "left", "bot is not a member of the supergroup chat"),
    ],
)
def test_who_is_out_cannot_write(server: TelegramServer, kind: str, status: str, why: str) -> None:
    chat = server.ask("chat", kind=kind)
    server.ask("member", chat=chat, status=status)
    answer = server.call("sendMessage", chat_id=chat, text="x")
    assert answer.status_code == 403
    assert answer.json()["description"] == f"Forbidden: {why}"


def test_a_group_that_moved_says_where_to(server: TelegramServer) -> None:
    group = server.ask("chat", kind="group")
    moved_to = server.ask("migrate", chat=group)
    answer = server.call("sendMessage", chat_id=group, text="x")
    assert answer.json()["parameters"] == {"migrate_to_chat_id": moved_to}


def test_files_of_20_mb_can_be_got(server: TelegramServer, chat: int) -> None:
    files = as_files([("a.pdf", b"%PDF-1.4")])
    server.ask("say", chat=chat, files=files)
    server.ask("say", chat=chat, files=[files[0] | {"size": 20_000_001}])
    small, large = (u["message"]["document"] for u in server.call("getUpdates").json()["result"])
    path = server.call("getFile", file_id=small["file_id"]).json()["result"]["file_path"]
    got = httpx.get(f"{server.file_base}{server.token}/{path}", trust_env=False)
    assert got.content == b"%PDF-1.4"
    assert httpx.get(f"{server.file_base}{server.token}/documents/x", trust_env=False).status_code == 404
    assert "file is too big" in server.call("getFile", file_id=large["file_id"]).json()["description"]
