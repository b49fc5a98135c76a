"""What is kept of a person, and what has become of it, as `--json` prints it."""

from bot.presentation.views.encoding import Moment, Text, View, lies_at


class _KeptTextView(View):
    at: Moment
    state: Text
    text: Text | None
    files: tuple[Text, ...]


class _KeptAnswerView(View):
    trace: Text
    at: Moment
    kind: Text
    outcome: Text
    question: Text | None = lies_at("texts.question", None)
    queries: tuple[Text, ...] | None = lies_at("texts.queries", None)
    outputs: tuple[Text, ...] | None = lies_at("texts.outputs", None)


class _KeptFeedbackView(View):
    trace: Text
    at: Moment
    verdict: Text


class _KeptThreadView(View):
    until: Moment
    questions: tuple[Text, ...]


class _KeptTopicView(View):
    at: Moment
    topic: Text


class _KeptActionView(View):
    at: Moment
    action: Text
    subject: Text
    values: dict[str, Text]


class _ChatStateView(View):
    jurisdiction: Text | None
    parties: tuple[Text, ...]
    language: Text
    corrections: bool


class PersonFileView(View):
    """Result of `person export`; texts that have gone with their term are null."""

    person: Text
    pseudonym: Text
    messages: tuple[_KeptTextView, ...]
    replies: tuple[_KeptTextView, ...]
    answers: tuple[_KeptAnswerView, ...]
    feedback: tuple[_KeptFeedbackView, ...]
    threads: tuple[_KeptThreadView, ...]
    summaries: tuple[_KeptTopicView, ...]
    actions: tuple[_KeptActionView, ...]
    told_at: Moment | None
    settings: _ChatStateView | None = lies_at("state")


class KeptView(View):
    """What is kept after an erasure: `count` where it can be counted, and why it is kept."""

    what: Text
    count: int | None
    why: Text


class ErasureView(View):
    """Result of `person erase`."""

    person: Text
    erased: int
    kept: tuple[KeptView, ...]
