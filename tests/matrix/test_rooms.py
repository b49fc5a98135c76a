"""Who may invite, who can read."""

from typing import Any

import pytest

from adapters.matrix.receiving import _index_of_joining, exposure, may_invite, room_state


@pytest.mark.parametrize(
    ("user", "allowed"),
    [
        ("@ann:example.org", True),
        ("@bob:other.org", True),
        ("@eve:other.org", False),
        ("@eve:sub.example.org", False),
        ("@eve:example.org.evil.net", False),
        ("@example.org:evil.net", False),
        ("@x", False),
        ("", False),
    ],
)
def test_only_the_allow_list_may_invite(user: str, allowed: bool) -> None:
    assert may_invite(user, ("*:example.org", "@bob:other.org")) is allowed


def test_nobody_may_invite_by_default() -> None:
    assert not may_invite("@ann:example.org", ())
    assert not may_invite("", ("*:",))


def state(*members: str, **contents: str) -> list[dict[str, Any]]:
    keys = {"join_rules": "join_rule", "history_visibility": "history_visibility"}
    return [
        *(
            {"type": f"m.room.{kind}", "state_key": "", "content": {keys[kind]: value}}
            for kind, value in contents.items()
        ),
        *(
            {"type": "m.room.member", "state_key": member, "content": {"membership": "join"}}
            for member in members
        ),
    ]


TEAM = ("@bot:example.org", "@ann:example.org", "@bob:example.org")


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (state(*TEAM, join_rules="invite"), None),
        (state(*TEAM, join_rules="invite", history_visibility="shared"), None),
        (state(*TEAM, join_rules="public"), "chat.public"),
        (state(*TEAM, join_rules="restricted"), "chat.public"),
        (state(*TEAM, join_rules="knock"), "chat.public"),
        (state(*TEAM, join_rules="something new"), "chat.public"),
        (state(*TEAM), "chat.public"),
        (state(*TEAM, join_rules="invite", history_visibility="world_readable"), "chat.world_readable"),
        (state(*TEAM, join_rules="invite", history_visibility="something new"), "chat.world_readable"),
        (state(*TEAM, "@1234:example.org", join_rules="invite"), "chat.guests"),
        (state(*TEAM, "@eve:other.org", join_rules="invite"), "chat.shared"),
    ],
)
def test_exposure(events: list[dict[str, Any]], why: str | None) -> None:
    found = exposure(room_state(events), ("example.org",))
    assert (found.closed, found.why_open, found.direct) == (why is None, why, False)


def test_servers_of_the_own_organisation_can_be_named() -> None:
    events = state(*TEAM, "@eve:other.org", join_rules="invite")
    assert exposure(room_state(events), ("example.org", "other.org")).closed


def test_who_is_invited_reads_along_soon() -> None:
    events = state(*TEAM[:2], join_rules="invite")
    assert exposure(room_state(events), ("example.org",)).direct
    events.append(
        {"type": "m.room.member", "state_key": "@eve:other.org", "content": {"membership": "invite"}}
    )
    found = exposure(room_state(events), ("example.org",))
    assert (found.closed, found.direct) == (False, False)


def test_who_left_counts_no_more() -> None:
    events = state(*TEAM, join_rules="invite")
    events.append(
        {"type": "m.room.member", "state_key": "@eve:other.org", "content": {"membership": "leave"}}
    )
    assert exposure(room_state(events), ("example.org",)).closed


@pytest.mark.parametrize("content", [None, [], "text", {"join_rule": 7}])
def test_malformed_state_is_open(content: object) -> None:
    events = [{"type": "m.room.join_rules", "state_key": "", "content": content}]
    assert not exposure(room_state(events), ("example.org",)).closed


def test_what_is_said_between_invitation_and_joining_is_heard() -> None:
    me = "@bot:example.org"

    def member(now: str, before: str) -> dict[str, Any]:
        content, unsigned = {"membership": now}, {"prev_content": {"membership": before}}
        return {"type": "m.room.member", "state_key": me, "content": content, "unsigned": unsigned}

    early, asked = ({"type": "m.room.message", "content": {"body": body}} for body in ("early", "asked"))
    invited, came = member("invite", "leave"), member("join", "invite")
    assert _index_of_joining([early, invited, asked, came], me) == 1
    assert _index_of_joining([early, member("join", "leave"), asked], me) == 1
    assert _index_of_joining([early, invited, asked], me) is None
