"""A thousand questions over three platforms while processes that serve them are killed, again and again.

    nice -n -15 python -m benchmarks.many_kills [--questions 1000] [--kills 60] [--seed 1] [--every-s 1.1]

Two processes with `--role front`, three with `answers` and one with `library` on one PostgreSQL, each the
first process of a PID namespace of its own (so that all have the same id) and each with a clock two minutes
ahead of the one before it. In front of them are the strict stand-ins for Telegram and Slack (which tells the
app of nothing twice) and a real Synapse. A process chosen by chance gets SIGKILL at random moments while
people go on asking, one question every `--every-s`, and is begun again; at each kill one more is asked on
each platform. Platforms, journal, delivery and conversation are the real ones; library, index and encoders
the small ones of the crash tests. Linux, as root.

Recovery is what a question asked at a kill took until people saw its answer, by the clock of the platform.
Told apart are those that saw another kill before they were answered, and those in whose time nobody was left
who receives, or nobody who answers: there it takes as long as a start.
Lost: neither answered nor flagged. Twice: people saw two answers. Flagged: "may have been sent or not", which
only Telegram leaves open.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.journal import Pseudonyms
from core.evaluation import percentile
from tests.crash.test_kills import SETTINGS
from tests.servers.matrix.homeserver import Synapse, synapse_server
from tests.support.chat_harness import eventually
from tests.support.databases import postgresql_server, postgresql_url
from tests.support.fake_journal import KEY
from tests.support.killing import QUESTION, QUOTE, Process, unsure
from tests.support.matrix_people import Person
from tests.support.slack_harness import BOT
from tests.support.slack_server import SlackServer
from tests.support.telegram_server import TelegramServer

PARTS = ("front", "front", "answers", "answers", "answers", "library")
APART_S = 120
"""How far apart the clocks of the processes are."""

CHATS = 8
"""Of each platform."""

LONGEST_S = 15.0
"""Seconds within which what is asked at a kill has to be answered."""

BACK_S = 3.0
"""Seconds after which a killed process is begun again, at most."""

ALONE = "nothing else meanwhile"

Json = dict[str, Any]
Answers = dict[str, dict[str, list[float]]]
"""When people saw answers, by platform and question."""


class People(Protocol):
    """People in chats of one platform, and what they saw."""

    name: str
    settings: str

    async def begin(self) -> None:
        """Chats with the bot in them; it serves already."""
        ...

    async def ask(self, chat: int) -> str:
        """The person of a chat asks; the question's id."""
        ...

    async def answers(self) -> dict[str, list[float]]:
        """When people saw answers (seconds since 1970), by question."""
        ...


class OnTelegram:
    """In private chats."""

    name = "telegram"

    def __init__(self, server: TelegramServer) -> None:
        self._server = server
        self._chats: list[str] = []
        self.settings = f'[telegram]\ntoken = "{server.token}"\napi_base = "{server.api_base}"\n'
        self.settings += f'file_base = "{server.file_base}"\n'

    async def begin(self) -> None:
        """Make them."""
        for number in range(CHATS):
            self._chats.append(str(await self._server.do("chat", kind="private", user=f"person{number}")))

    async def ask(self, chat: int) -> str:
        """It names or addresses the bot as people do here."""
        to = self._chats[chat]
        (message,) = await self._server.do("say", chat=int(to), text=QUESTION, by=f"person{chat}")
        return f"{to}/{message}"

    async def answers(self) -> dict[str, list[float]]:
        """Texts with the quote that reply to a question."""
        found = defaultdict(list)
        for call in await self._server.do("calls"):
            values = call.get("values", {})
            if "at" in call and "reply_parameters" in values and _is_answer(values.get("text", "")):
                replied = values["reply_parameters"]
                replied = json.loads(replied) if isinstance(replied, str) else replied
                found[f"{values['chat_id']}/{replied['message_id']}"].append(float(call["at"]))
        return found


class OnSlack:
    """In private channels, where they name the app."""

    name = "slack"

    def __init__(self, server: SlackServer) -> None:
        self._server = server
        self._chats: list[str] = []
        tokens = f'bot_token = "{server.bot_token}"\napp_token = "{server.app_token}"'
        self.settings = f'[slack]\n{tokens}\napi_base = "{server.api_base}"\n'

    async def begin(self) -> None:
        """Make them."""
        await self._server.do("delivery", tries=1, ack_s=3.0)
        self._chats += [str(await self._server.do("chat", kind="group")) for _ in range(CHATS)]

        async def connected() -> bool:
            return bool(await self._server.do("connections"))

        await eventually(connected)

    async def ask(self, chat: int) -> str:
        """It names or addresses the bot as people do here."""
        return str(await self._server.do("say", chat=self._chats[chat], text=f"<@{BOT}> {QUESTION}"))

    async def answers(self) -> dict[str, list[float]]:
        """Texts with the quote that reply to a question."""
        found = defaultdict(list)
        for chat in self._chats:
            for message in await self._server.do("shown", chat=chat):
                if _is_answer(message["seen"]):
                    found[str(message["thread_ts"])].append(float(message["ts"]))
        return found


class OnMatrix:
    """One person in rooms of a real homeserver."""

    name = "matrix"

    def __init__(self, server: Synapse, person: Person) -> None:
        self._person = person
        self._rooms: list[str] = []
        self._bot = account = server.account("bot")
        login = f'user_id = "{account.user_id}"\npassword = "{account.password}"'
        self.settings = f'[matrix]\nhomeserver = "{server.url}"\n{login}\ninvites = ["{person.user_id}"]\n'

    async def begin(self) -> None:
        """Make them."""
        new_room = self._person.new_room
        self._rooms += [await new_room(self._bot.user_id, is_direct=True) for _ in range(CHATS)]

        async def joined() -> bool:
            return all([self._bot.user_id in await self._person.members(room) for room in self._rooms])

        await eventually(joined)
        await asyncio.sleep(1.0)  # until it has noticed that itself

    async def ask(self, chat: int) -> str:
        """It names or addresses the bot as people do here."""
        return await self._person.send(self._rooms[chat], {"msgtype": "m.text", "body": QUESTION})

    async def answers(self) -> dict[str, list[float]]:
        """Texts with the quote that reply to a question."""
        found = defaultdict(list)
        for room in self._rooms:
            for event in await self._person.history(room):
                content = event.get("content", {})
                relation = content.get("m.relates_to", {})
                replied = relation.get("m.in_reply_to", {}).get("event_id") or relation.get("event_id")
                mine = event["sender"] == self._person.user_id
                if replied and not mine and _is_answer(content.get("body", "")):
                    found[replied].append(event["origin_server_ts"] / 1000)
        return found


def _is_answer(text: str) -> bool:
    return QUOTE in text.replace("\u2060", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, asked `at` (seconds since 1970); `kill` is the one that it was asked at."""

    platform: str
    id: str
    at: float
    kill: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """Of a process in this role, `at` (seconds since 1970)."""

    role: str
    at: float


class Fleet:
    """The processes."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self._url = url
        self.running = [self._started(number) for number in range(len(PARTS))]
        self.starts_s: list[float] = []
        """What starts took."""
        self.bare: list[float] = []
        """When nobody received or nobody answered (seconds since 1970)."""

    def _started(self, number: int) -> Process:
        environment = {
            "FUNDSTELLE_DATABASE_URL": self._url,
            "FUNDSTELLE_QDRANT__URL": "http://127.0.0.1:9",  # the small world's index is none of it
            "FUNDSTELLE_TEST_ROLE": PARTS[number],
            "FUNDSTELLE_TEST_AHEAD_S": str(APART_S * (number - len(PARTS) // 2)),
        }
        return Process(self._folder, environment=environment, confined=True)

    async def ready(self) -> None:
        """All of them can answer."""
        for process in self.running:
            await process.ready()
            assert not process.ended, (self._folder / "serve.log").read_text()[-3000:]

    def kill(self, number: int) -> None:
        """At once."""
        self.running[number].kill()

    def start(self, number: int) -> None:
        """In place of one that was killed."""
        self.running[number] = self._started(number)

    async def watch(self) -> None:
        """Note from now on who is missing."""
        starting = dict.fromkeys(self.running, True)
        while True:
            ready = {process: process.is_ready for process in self.running}
            for process, is_ready in ready.items():
                if is_ready and not starting.get(process, False):
                    starting[process] = True
                    self.starts_s.append(time.monotonic() - process.began)
            roles = {role for role, process in zip(PARTS, self.running, strict=True) if ready[process]}
            if not roles >= {"front", "answers"}:
                self.bare.append(time.time())
            await asyncio.sleep(0.2)

    def close(self) -> None:
        """End all of them."""
        for process in self.running:
            process.kill()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`wrong`: what should not have happened, in words. `recovery_s`: the longest from a single kill."""

    wrong: list[str]
    recovery_s: float


async def main(given: argparse.Namespace, server: str) -> Outcome:
    """Print the table."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, seed {given.seed}", flush=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        telegram, slack = stack.enter_context(TelegramServer()), stack.enter_context(SlackServer())
        synapse = stack.enter_context(synapse_server())
        person = await Person.arrive(synapse, "ann")
        people: list[People] = [OnTelegram(telegram), OnSlack(slack), OnMatrix(synapse, person)]
        (folder / "fundstelle.toml").write_text(SETTINGS + "".join(each.settings for each in people))
        url = await postgresql_url(server)
        database = await Database.open(url)
        fleet = Fleet(folder, url)
        stack.callback(fleet.close)
        await fleet.ready()
        for each in people:
            await each.begin()
        watching = asyncio.create_task(fleet.watch())
        asked, killed = await _survived(fleet, people, given)
        journal = SqlJournal(database, Pseudonyms(KEY))
        await _settled(journal)
        watching.cancel()
        ends = [process.terminate() for process in fleet.running]
        flagged = await unsure(database)
        letters = Counter(letter.state for letter in await journal.dead_letters(limit=10_000))
        await journal.close()
        broken = [*telegram.ask("violations"), *slack.ask("violations")]
        answers = {each.name: await each.answers() for each in people}
        await person.leave()
        if given.log:
            given.log.write_text((folder / "serve.log").read_text())
    print(f"ended by SIGTERM within {max(took_s for _, took_s in ends):.1f} s; dead letters {dict(letters)}")
    starts_s = percentile(fleet.starts_s, 0.5), max(fleet.starts_s, default=0.0)
    print(f"a start took {starts_s[0]:.1f} s in the middle, {starts_s[1]:.1f} s at most")
    wrong = [f"a call that no client should make: {call}" for call in broken]
    wrong += [f"ended with {status}" for status, _ in ends if status]
    wrong += [f"{count} letters are {state}" for state, count in letters.items() if state != "unknown"]
    wrong += _table(asked, answers, flagged)
    return Outcome(wrong=wrong, recovery_s=_recoveries(asked, answers, killed, fleet.bare))


async def _survived(
    fleet: Fleet, people: Sequence[People], given: argparse.Namespace
) -> tuple[list[Asked], list[Kill]]:
    """All that was asked while processes were killed; which ones were."""
    dice, asked, killed = random.Random(given.seed), list[Asked](), list[Kill]()
    chats, turns = itertools.count(), itertools.cycle(people)

    async def ask(each: People, kill: int | None = None) -> None:
        """It names or addresses the bot as people do here."""
        at = time.time()
        question = await each.ask(next(chats) // len(people) % CHATS)
        asked.append(Asked(platform=each.name, id=question, at=at, kill=kill))

    async def again(number: int, after_s: float) -> None:
        await asyncio.sleep(after_s)
        fleet.start(number)

    async def kills() -> None:
        span_s = (given.questions - len(people) * given.kills) * given.every_s
        moments, begun, backs = sorted(dice.uniform(0, span_s) for _ in range(given.kills)), time.time(), []
        for number, moment in enumerate(moments):
            await asyncio.sleep(max(0.0, begun + moment - time.time()))
            victim = dice.randrange(len(PARTS))
            while fleet.running[victim].ended:  # it was killed a moment ago, and is not back
                victim = (victim + 1) % len(PARTS)
            fleet.kill(victim)
            killed.append(Kill(role=PARTS[victim], at=time.time()))
            backs.append(asyncio.create_task(again(victim, dice.uniform(0, BACK_S))))
            await asyncio.gather(*(ask(each, number) for each in people))
        await asyncio.gather(*backs)

    killing = asyncio.create_task(kills())
    begun = time.time()
    for number in range(given.questions - len(people) * given.kills):
        await asyncio.sleep(max(0.0, begun + number * given.every_s - time.time()))
        await ask(next(turns))
        if killing.done():
            killing.result()
    await killing
    await fleet.ready()
    return asked, killed


async def _settled(journal: SqlJournal) -> None:
    """Nothing is left to be answered or sent, for a while."""
    quiet = 0
    async with asyncio.timeout(300):
        while quiet < 15:
            found = await journal.backlog()
            open_ = found.waiting + found.working + found.pending + found.sending
            quiet = 0 if open_ else quiet + 1
            await asyncio.sleep(0.2)


def _table(asked: list[Asked], answers: Answers, flagged: set[str]) -> list[str]:
    """Print what became of the questions; what is wrong with that."""
    print("platform   asked  lost  twice  flagged   asked to answered, s: p50 / p95 / most")
    wrong = []
    for name, seen in answers.items():
        mine = [each for each in asked if each.platform == name]
        unsure_of = [each for each in mine if each.id in flagged]
        lost = [each for each in mine if not seen.get(each.id) and each not in unsure_of]
        twice = [each for each in mine if len(seen.get(each.id, ())) > 1]
        waits = [seen[each.id][0] - each.at for each in mine if seen.get(each.id)]
        figures = " / ".join(
            f"{value:.1f}" for value in (*(percentile(waits, p) for p in (0.5, 0.95)), max(waits))
        )
        print(f"{name:9} {len(mine):6} {len(lost):5} {len(twice):6} {len(unsure_of):8}   {figures}")
        wrong += [f"lost: {each}" for each in lost]
        wrong += [f"twice: {each}, at {seen[each.id]}" for each in twice]
        wrong += [f"flagged: {each}" for each in unsure_of if name != "telegram"]
    return wrong


def _recoveries(asked: list[Asked], answers: Answers, killed: list[Kill], bare: list[float]) -> float:
    """Print what those asked at kills waited, by what was killed and what happened meanwhile; the longest of
    those where nothing else did."""
    waits: dict[tuple[str, str], list[float]] = defaultdict(list)
    for each in asked:
        if each.kill is not None and (seen := answers[each.platform].get(each.id)):
            kills = [kill.at for kill in killed if kill is not killed[each.kill] and kill.role != "library"]
            if any(each.at <= at <= seen[0] for at in bare):
                meanwhile = "nobody left meanwhile"
            else:
                again = any(each.at <= at <= seen[0] for at in kills)
                meanwhile = "another kill meanwhile" if again else ALONE
            waits[meanwhile, killed[each.kill].role].append(seen[0] - each.at)
    for (meanwhile, role), found in sorted(waits.items()):
        print(
            f"recovery from kills of {role}, {meanwhile}, {len(found)} questions:"
            f" {max(found):.1f} s at most, {percentile(found, 0.5):.1f} s in the middle"
        )
    alone = (wait for (meanwhile, _), found in waits.items() for wait in found if meanwhile == ALONE)
    return max(alone, default=0.0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-s", type=float, default=1.1)
    parser.add_argument("--log", type=Path, help="where what the processes logged is kept")
    arguments = parser.parse_args()
    with postgresql_server() as running:
        outcome = asyncio.run(main(arguments, running))
    print("\n".join(outcome.wrong))
    raise SystemExit(bool(outcome.wrong) or outcome.recovery_s > LONGEST_S)
