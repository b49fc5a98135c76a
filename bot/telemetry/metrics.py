"""Counts events as they happen, in Prometheus terms. The values of labels come from settings and from the
code, never from people's text: there are few of them, and they identify nobody.
https://prometheus.io/docs/practices/naming
"""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, disable_created_metrics

from core.domain.answers import Outcome
from core.domain.models import Completion
from core.domain.records import AnswerRecord
from core.errors import FundstelleError

COMMAND_LINE = "command line"
"""The platform label for questions from a shell."""

WAITING = "waiting"
"""The stage before an answer is begun: how long the message has waited."""

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0, 600.0)
LAG_SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

FALLBACKS: Mapping[str, str] = {
    "notice.model_unavailable": "unavailable",
    "notice.model_not_approved": "not_approved",
    "notice.model_budget": "budget",
    "notice.model_unverified": "unverified",
}
"""Why an answer consists of quotes although there is a model, by what the person was told."""

ABSTAINED = "notice.model_abstained"


class Metrics:
    """The counters and histograms of one process. What is counted in the database is not among them."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self.failing: dict[str, str] = {}
        """Models whose last call failed, each with the error's key."""
        ProcessCollector(registry=self.registry)
        self._answers = self._counter("answers", "Answers given", "platform", "kind", "outcome")
        self._silences = self._counter("silences", "Answers without evidence", "reason")
        self._fallbacks = self._counter("fallbacks", "Quotes in the place of a model's answer", "reason")
        self._stages = self._histogram("answer_stage", "Duration of the stages of an answer", "stage")
        self._rejected = self._counter("rejected", "What models wrote and was not let through", "reason")
        self._lost = self._counter("records_lost", "Answers whose record could not be written")
        self._commands = self._counter("commands", "Commands and questions in chats", "platform", "command")
        self._refusals = self._counter("refusals", "Errors that people were told in chats", "reason")
        self._events = self._counter("platform_events", "Messages taken over from platforms", "platform")
        self._calls = self._counter("model_calls", "Calls of language models", "model")
        self._failures = self._counter("model_failures", "Calls without an answer", "model", "reason")
        self._tokens = self._counter("model_tokens", "Tokens of language models", "model", "direction")
        self._model = self._histogram("model_call", "Duration of calls of language models", "model")
        name, said = "fundstelle_loop_lag_seconds", "How late the event loop was, looked at every 20 ms"
        self.lag = Histogram(name, said, registry=self.registry, buckets=LAG_SECONDS)

    def _counter(self, name: str, said: str, *labels: str) -> Counter:
        return Counter(f"fundstelle_{name}", said, labels, registry=self.registry)

    def _histogram(self, name: str, said: str, *labels: str) -> Histogram:
        seconds = f"fundstelle_{name}_seconds"
        return Histogram(seconds, said, labels, registry=self.registry, buckets=SECONDS)

    def answered(self, record: AnswerRecord, platform: str = COMMAND_LINE) -> None:
        """Count an answer that is being recorded."""
        from core.answering.generated.verification import reasons

        self._answers.labels(platform, record.kind.value, record.outcome.value).inc()
        if record.outcome is Outcome.NO_EVIDENCE:
            self._silences.labels(_silence(record)).inc()
        for notice in FALLBACKS.keys() & record.notices:
            self._fallbacks.labels(FALLBACKS[notice]).inc()
        for stage, seconds in record.seconds.items():
            self._stages.labels(stage).observe(seconds)
        for reason in reasons(record.texts.rejected if record.texts else ()):
            self._rejected.labels(reason).inc()

    def record_lost(self) -> None:
        """Count an answer whose record was lost."""
        self._lost.inc()

    def begun(self, seconds: float) -> None:
        """Count a message whose turn came after the given wait."""
        self._stages.labels(WAITING).observe(max(0.0, seconds))

    def asked(self, platform: str, command: str) -> None:
        """Count a command of the table, or a question."""
        self._commands.labels(platform, command).inc()

    def refused(self, key: str) -> None:
        """Count an error shown to a person, by its key."""
        self._refusals.labels(key).inc()

    def arrived(self, platform: str, messages: int) -> None:
        """Count new messages accepted."""
        self._events.labels(platform).inc(messages)

    def model_called(self, model: str, answer: Completion | FundstelleError, seconds: float) -> None:
        """Count a finished call of a model."""
        self._calls.labels(model).inc()
        self._model.labels(model).observe(seconds)
        if isinstance(answer, FundstelleError):
            self.failing[model] = answer.key
            self._failures.labels(model, answer.key).inc()
            return
        self.failing.pop(model, None)
        self._tokens.labels(model, "prompt").inc(answer.prompt_tokens)
        self._tokens.labels(model, "completion").inc(answer.completion_tokens)


def _silence(record: AnswerRecord) -> str:
    """Why nothing was said: the model found no answer, what was named has no document, or no sentence was
    sure enough."""
    if ABSTAINED in record.notices:
        return "abstained"
    return "missing" if record.missing else "unsure"
