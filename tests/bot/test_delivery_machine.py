"""Whatever happens in whatever order: no question that was taken over is lost, nothing is shown twice
without a flag, and what may have been lost or doubled is known."""

import asyncio
from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from bot.delivery.delivery import Delivery
from bot.delivery.sender import cancelled
from core.domain.messages import IncomingMessage, Outgoing, Recovery, Reply
from core.errors import Broken, Refused, Unavailable
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import BROKE_OFF, NO_FILES, FakePlatform, ManualClock
from tests.support.scripted_conversation import ScriptedConversation

STEPS = 60
FAULTS = {
    "busy": Unavailable("platform.busy", "wait", retry_after_s=5.0),
    "gone": Refused("chat.gone", "the question is gone"),
    "token": Broken("platform.token", "no token"),
    "broke off before": BROKE_OFF,
    "broke off after": BROKE_OFF,
}


class Kept(FakeJournal):
    """A journal that outlives its process, and never fails."""


async def three_parts(message: IncomingMessage) -> Reply:
    return Reply(blocks=tuple(f"{message.text}.{n} ".ljust(3000, ".") for n in range(2)))


class Life(RuleBasedStateMachine):
    """Processes that come and go over one journal and one platform."""

    recovery = Recovery.FLAG

    @initialize()
    def begin(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.journal, self.clock = Kept(), ManualClock()
        self.platform = FakePlatform(recovery=self.recovery, fault=self._fault)
        self.coming: list[str] = []
        self.accepted: list[IncomingMessage] = []
        self.running: asyncio.Task[None] | None = None
        self.start()

    def _fault(self, part: Outgoing) -> Exception | None:
        kind = self.coming.pop(0) if self.coming else ""
        self.platform.arrives = kind == "broke off after"
        return FAULTS.get(kind)

    def start(self) -> None:
        async def started() -> asyncio.Task[None]:
            self.platform.inbox = None
            delivery = Delivery(
                journal=self.journal,
                conversation=ScriptedConversation(three_parts),  # type: ignore[arg-type]
                platforms={"telegram": self.platform},
                clock=self.clock,
                files=NO_FILES,
                workers=2,
                max_waiting=1000,
            )
            self.delivery = delivery
            task = asyncio.create_task(delivery.run())
            await asyncio.sleep(0)
            return task

        self.running = self.loop.run_until_complete(started())

    def wake(self) -> None:
        """Whoever is idle looks again, as it would after some real seconds: a message whose answering was
        interrupted often rests, and nothing but time brings it back."""
        self.delivery._outbox.wake()
        self.delivery._inbox.set()

    def turn(self, steps: int) -> None:
        async def turning() -> None:
            for _ in range(steps):
                await asyncio.sleep(0)

        self.loop.run_until_complete(turning())

    @rule(
        chat=st.sampled_from(["c1", "c2"]),
        steps=st.integers(0, STEPS),
        twice=st.booleans(),
        faults=st.lists(st.sampled_from([*FAULTS, ""]), max_size=2),
    )
    def ask(self, chat: str, steps: int, twice: bool, faults: list[str]) -> None:
        self.coming += faults
        message = self.platform.message(f"q{len(self.accepted)}", chat)
        for _ in range(1 + twice):
            self.loop.run_until_complete(self.platform.deliver(message))
        self.accepted.append(message)
        self.turn(steps)

    @rule(seconds=st.integers(1, 30), steps=st.integers(1, STEPS))
    def time_passes(self, seconds: int, steps: int) -> None:
        self.clock.advance(seconds=seconds)
        self.wake()
        self.turn(steps)

    @rule(slow=st.booleans(), steps=st.integers(0, STEPS))
    def crash(self, slow: bool, steps: int) -> None:
        """Everything in memory is gone; nothing is written down any more."""
        dead, self.journal = self.journal, Kept()
        vars(self.journal).update(vars(dead))
        for name in ("finish", "give_back", "give_up", "sent", "postpone", "fail", "enqueue"):
            setattr(dead, name, _never)
        assert self.running is not None
        self.running.cancel()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.turn(20)
        self.start()
        self.turn(steps)

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        self.coming.clear()
        for _ in range(300):
            self.clock.advance(seconds=10)
            self.wake()
            self.turn(10)
        self.check()
        assert self.running is not None
        self.loop.run_until_complete(cancelled([self.running]))
        self.loop.close()

    def check(self) -> None:
        backlog = self.loop.run_until_complete(self.journal.backlog())
        assert (backlog.waiting, backlog.working, backlog.pending, backlog.sending, backlog.dead) == (0,) * 5
        letters = {letter.content for letter in self.journal._outbox.values() if letter.state != "sent"}
        open_ = {part.text for part in letters if isinstance(part, Outgoing)}
        shown = Counter(part.text for part in self.platform.posts)
        for message in self.accepted:
            for n in range(2):
                text = f"{message.text}.{n} ".ljust(3000, ".").strip()
                assert shown[text] <= 1, "shown twice"
                assert shown[text] == 1 or text in open_, "lost"


async def _never(*arguments: object, **named: object) -> None:
    await asyncio.Event().wait()


class LookingUp(Life):
    """Where the platform can be asked what it shows."""

    recovery = Recovery.LOOK_UP


class Resending(Life):
    """Where sending again shows it once."""

    recovery = Recovery.RESEND


TestFlagging, TestLookingUp, TestResending = Life.TestCase, LookingUp.TestCase, Resending.TestCase
TestFlagging.settings = TestLookingUp.settings = TestResending.settings = settings(
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
