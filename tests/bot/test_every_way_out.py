"""Whatever there is to say can be said: any answer, check, comparison and motion, in every language, as text,
as JSON, on the console, and in the terms of each platform."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.matrix import contents
from adapters.slack import outgoing as slack
from adapters.telegram import outgoing as telegram
from bot.cli.output import escape_what_cannot_be_shown, print_json, say
from bot.delivery.outbox import fit
from bot.presentation.i18n import NO_VALUE, Texts, catalogue, languages, placeholders
from bot.presentation.presenter import Presenter
from bot.presentation.results import Tabled
from bot.presentation.views.answers import answer_view, check_view
from bot.presentation.views.encoding import Json
from bot.presentation.wording.answers import AnswerMessages
from bot.presentation.wording.checks import check_blocks, check_text
from bot.presentation.wording.comparisons import (
    ComparisonPresenter,
    comparison_view,
    motion_view,
    table_blocks,
    table_text,
)
from bot.presentation.wording.summaries import ShownSummary, SummaryPresenter, summary_view
from core.answering.asker import ASIDES
from core.answering.quote_check import QuoteCheck
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.answering.reports.sides import RowStatus
from core.domain.answers import Answer, Notice, Outcome, Verdict
from core.domain.documents import VersionStatus
from core.domain.ids import TraceId
from core.domain.ingestion import HoldReason, IngestStatus
from core.domain.journal import FeedbackVerdict
from core.domain.messages import Button, Capabilities, MessageRef, Reply
from core.domain.passages import PassageKind
from core.domain.records import Recheck, RecordKind
from core.domain.rich_text import Block
from core.domain.summaries import SourceChangeKind, SummaryDraft, Topic
from core.errors import Broken, Refused, Unavailable
from core.question.turns import OF_LAST_ANSWER, TurnKind
from tests.support.any_answers import ANY_TEXT, INFOS, NOTICES, answers, checks, comparisons, motions, notices
from tests.support.world import REGISTRY

PRESENTER = Presenter(REGISTRY)
AT = MessageRef(platform="p", workspace="", chat="1", thread=None, message="1")
CONSOLE = Capabilities(
    max_text=None,
    max_caption=None,
    max_file_bytes=None,
    threads=False,
    edits=False,
    buttons=False,
    typing=False,
)
MATRIX = replace(CONSOLE, max_text=contents.MAX_TEXT, max_caption=contents.MAX_TEXT)
EVERY_WAY = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
OUTCOMES = st.sampled_from(Outcome).flatmap(answers)


def sent(blocks: Sequence[Block]) -> None:
    """`blocks` reach a person everywhere."""
    reply = Reply(blocks=tuple(blocks), buttons=((Button(label="x", command="/why t"),),))
    for part in fit(reply, AT, telegram.CAPABILITIES, telegram.length, key="k"):
        shown, _ = telegram.drawn(part.said)
        assert telegram.length(shown) <= 4096
        telegram.keyboard(part.buttons)
    for part in fit(reply, AT, slack.CAPABILITIES, slack.length, key="k"):
        assert json.loads(json.dumps(slack.message(part)))["text"]
    for part in fit(reply, AT, MATRIX, contents.length, key="k"):
        assert len(json.dumps(contents.notice(part.text, AT))) < 65_536
    for part in fit(reply, AT, CONSOLE, len, key="k"):
        say(part.text)


def printed(value: Json, capsys: pytest.CaptureFixture[str]) -> Json:
    """`value` as it is read back from standard output."""
    capsys.readouterr()
    print_json(value)
    found: Json = json.loads(capsys.readouterr().out.encode("utf-8"))
    return found


@pytest.fixture(autouse=True)
def _stdout(capsys: pytest.CaptureFixture[str]) -> None:
    escape_what_cannot_be_shown()


@pytest.mark.parametrize("outcome", Outcome)
@EVERY_WAY
@given(data=st.data())
def test_every_answer(outcome: Outcome, data: st.DataObject, capsys: pytest.CaptureFixture[str]) -> None:
    answer: Answer = data.draw(answers(outcome))
    sent(PRESENTER.answer_blocks(answer))
    shown = printed(answer_view(answer, {}, PRESENTER), capsys)
    assert shown["outcome"] == outcome.value
    assert len(shown["notices"]) == len(answer.notices)
    texts = PRESENTER.texts(answer.language)
    messages = AnswerMessages(PRESENTER)
    sent([*messages.blocks(answer, texts), messages.small_print(answer, texts, disclaimer=True)])
    draft = messages.draft(answer.claims, answer.citations, texts)
    sent([draft])


@EVERY_WAY
@given(answer=OUTCOMES, check=checks())
def test_every_check_and_summary(
    answer: Answer, check: QuoteCheck, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in languages():
        sent(check_blocks(check_view("x", check, {}), Texts(language)))
        say(check_text(check_view("x", check, {}), Texts(language)))
    printed(check_view("\ud800", check, {}), capsys)
    draft = SummaryDraft(
        topic=Topic(name=answer.question, scope=answer.scope),
        language=answer.language,
        made_at=datetime(2025, 1, 1, tzinfo=UTC),
        scope=answer.scope,
        claims=answer.claims,
        citations=answer.citations,
        missing=answer.missing,
        confidence=answer.confidence,
        notices=answer.notices,
        rejected=answer.rejected,
        answerer=answer.answerer,
    )
    shown = ShownSummary(summary=draft)
    sent(list(SummaryPresenter(PRESENTER).blocks(shown, Texts(answer.language))))
    printed(summary_view(shown, PRESENTER), capsys)


@EVERY_WAY
@given(comparison=comparisons(), motion=motions(), notice=notices())
def test_every_comparison_and_motion(
    comparison: Comparison, motion: MotionReport, notice: Notice, capsys: pytest.CaptureFixture[str]
) -> None:
    words, said = ComparisonPresenter(PRESENTER), (notice,)
    compared = Tabled(
        trace=TraceId("t"),
        report=comparison,
        notices=said,
        table=words.comparison(comparison, said),
        stem=words.comparison_file(comparison),
    )
    reported = Tabled(
        trace=TraceId("t"),
        report=motion,
        notices=said,
        table=words.motion(motion, said),
        stem=words.motion_file(motion),
    )
    for table in (compared.table, reported.table):
        sent(list(table_blocks(table, 400)))
        say(table_text(table, 80))
    printed(comparison_view(compared), capsys)
    printed(motion_view(reported), capsys)


@pytest.mark.parametrize("language", [*languages(), "", "xx"])
@pytest.mark.parametrize("key", [*NOTICES, *INFOS])
def test_every_notice_in_every_language(key: str, language: str) -> None:
    texts = PRESENTER.texts(language)
    names = placeholders(catalogue("en")[key])
    said = PRESENTER.notice(Notice(key=key, values=dict.fromkeys(names, "x")), texts)
    assert said != key
    assert NO_VALUE not in said.replace(catalogue(texts.language)[key].count(NO_VALUE) * NO_VALUE, "")


@pytest.mark.parametrize("language", languages())
def test_everything_that_is_named_by_its_kind_has_a_text(language: str) -> None:
    texts = Texts(language)
    keys = [
        *ASIDES.values(),
        *(f"command.last_{kind}" for kind in OF_LAST_ANSWER if kind not in (TurnKind.SHORTER, TurnKind.MORE)),
        *(f"verify.{verdict}" for verdict in Verdict),
        *(f"cite.{verdict}" for verdict in (Verdict.NEAR, Verdict.TYPO)),
        *(f"cite.{kind}" for kind in (PassageKind.TABLE, PassageKind.FIGURE)),
        *(f"compare.{status}" for status in RowStatus if status is not RowStatus.QUOTED),
        *(f"summary.{kind}" for kind in SourceChangeKind),
        *(f"correction.{outcome}" for outcome in Recheck),
        *(f"source.{reason}" for reason in HoldReason),
        *(f"upload.{status}" for status in IngestStatus),
        *(f"why.kind_{kind}" for kind in RecordKind),
        *(f"why.outcome_{outcome}" for outcome in Outcome),
        *(f"why.version_{status}" for status in VersionStatus),
        *(f"button.{verdict}" for verdict in FeedbackVerdict),
        *(f"feedback.{verdict}" for verdict in FeedbackVerdict),
        *(f"missing.{kind}" for kind in ("party", "party_there", "jurisdiction", "edition")),
    ]
    assert [key for key in keys if not texts.has(key)] == []


@EVERY_WAY
@given(
    key=st.sampled_from(sorted(key.removeprefix("error.") for key in catalogue("en"))) | ANY_TEXT,
    values=st.dictionaries(st.sampled_from(["name", "title", "suggestions", "limit"]), ANY_TEXT),
    kind=st.sampled_from([Refused, Unavailable, Broken]),
    detail=ANY_TEXT,
)
def test_every_error(key: str, values: dict[str, str], kind: type, detail: str) -> None:
    for language in (*languages(), "xx"):
        sent([PRESENTER.error(kind(key, detail, **values), language)])


def test_a_locale_of_ascii_alone_takes_every_word_and_path() -> None:
    code = "import sys, bot.cli as cli; cli._take_utf8(); print(sys.flags.utf8_mode, ascii(sys.argv[1]))"
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"}
    environment.pop("PYTHONIOENCODING", None)
    done = subprocess.run(
        [sys.executable, "-c", code, "B\u00fccher"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", ascii("B\u00fccher")]
