"""Why an answer is as it is, in words; and what else is told without numbers and marks that nobody sees."""

from dataclasses import replace

import pytest

from adapters.console import ConsolePlatform
from bot.answers.records.why import reasons_told
from bot.presentation.i18n import Texts, languages
from bot.presentation.views.answers import check_view
from bot.presentation.wording.checks import check_blocks, shown_matches
from bot.presentation.wording.summaries import ShownSummary, SummaryPresenter
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Claim, Outcome, Setting, Verdict
from core.domain.documents import VersionStatus
from core.domain.ids import VersionId
from core.domain.records import AnswerRecord
from core.domain.rich_text import joined, rich, struck
from core.domain.summaries import SummaryDraft
from core.domain.summaries import Topic as SummaryTopic
from core.evidence.changes import changes
from tests.support.journal_examples import record
from tests.support.view_examples import CITATION, PRESENTER, SCOPE

FULL = record()
STANDING = {VersionId("v1"): VersionStatus.ACTIVE}
(HIT,) = FULL.hits


def told(found: AnswerRecord, language: str = "de") -> str:
    return joined(reasons_told(found, PRESENTER, Texts(language), STANDING), "\n\n").text


@pytest.mark.parametrize("language", languages())
def test_reasons_have_neither_ids_nor_scores(language: str) -> None:
    said = told(FULL, language)
    assert "Satzung" in said
    assert "Ja, so ist es." in said
    for hidden in (FULL.trace, HIT.version, "2.5", "dense", "0.75", "verbatim", "reasons.", "why."):
        assert hidden not in said


@pytest.mark.parametrize(
    ("found_by", "trail", "why"),
    [
        (("dense", "lexical"), (), "sie handelt davon und enthält Wörter der Frage"),
        (("lexical",), (), "sie enthält Wörter der Frage"),
        (("windows",), (), "sie handelt davon, wenn auch mit anderen Worten"),
        (("pinned",), (), "danach wurde mit Namen gefragt"),
        (("dense",), ("§ 3", "§ 4"), "eine andere Vorschrift verweist darauf"),
        (("neighbour",), (), "sie steht neben einer, die passt"),
    ],
)
def test_each_way_to_a_passage_has_its_reason(
    found_by: tuple[str, ...], trail: tuple[str, ...], why: str
) -> None:
    assert f"am besten: {why}." in told(replace(FULL, hits=(replace(HIT, found_by=found_by, trail=trail),)))


def test_what_was_read_and_not_shown_is_named() -> None:
    other = replace(HIT, passage="x2", version=VersionId("v2"), title="Ordnung", pages=(9,))
    said = told(replace(FULL, hits=(HIT, other)))
    assert "nicht gezeigt" in said
    assert "Ordnung, S. 9" in said


@pytest.mark.parametrize("language", languages())
def test_pages_are_named_by_their_printed_numbers_and_a_document_once(language: str) -> None:
    texts = Texts(language)
    others = tuple(
        replace(HIT, passage=f"x{page}", version=VersionId("v2"), title="Ordnung", pages=(page,))
        for page in (9, 12)
    )
    (one,) = FULL.citations
    cited = replace(one, spans=one.spans[:1], printed_labels=("iii",))
    found = replace(FULL, hits=(HIT, *others), citations=(cited, replace(cited, label="S2", quote="Gut.")))
    printed = {(VersionId("v2"), 9): "7"}
    said = joined(reasons_told(found, PRESENTER, texts, STANDING, printed), "\n\n").text
    assert texts("cite.page_printed", printed="7", page=9) in said
    assert texts("cite.page", page=12) in said
    assert texts("cite.page_printed", printed="iii", page=3) in said
    assert said.count("Ordnung") == 1


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"hits": (), "missing": ()}, "Keine Stelle kam der Frage nahe."),
        ({"missing": ()}, "keine beantwortet sie deutlich genug"),
        ({}, "Keine Quelle in der Bibliothek für B in xv."),
        ({"notices": ("notice.model_abstained",), "missing": ()}, "darin keine Antwort gefunden"),
    ],
)
def test_a_silence_has_its_reason(changed: dict[str, object], why: str) -> None:
    silent = replace(FULL, outcome=Outcome.NO_EVIDENCE, citations=(), claims=(), rejected=0)
    assert why in told(replace(silent, **changed))  # type: ignore[arg-type]


def test_of_altered_words_only_what_reads_alike_is_shown() -> None:
    quote = CITATION.quote.text
    same, other = replace(CITATION, label="S2"), replace(CITATION, label="S3")
    other = replace(other, quote=replace(other.quote, text="Etwas ganz anderes steht hier."))
    matches = (CITATION, same, other)
    assert shown_matches(matches, altered=True) == [CITATION, same]
    assert shown_matches(matches, altered=False) == matches
    wording = changes(quote.replace("schützen", "fällen"), quote)
    check = QuoteCheck(verdict=Verdict.NEAR, matches=matches, wording=wording)
    said = joined(check_blocks(check_view("x", check, {}), Texts("de"))).text
    assert "ganz anderes" not in said
    assert "[S2]" in said


def test_source_words_that_begin_or_end_within_a_sentence_have_dots() -> None:
    source = "müssen wir alle Bäume schützen, die am Ufer stehen,"
    wording = changes("wollen wir alle Bäume schützen, die am Hafen stehen", source)
    check = QuoteCheck(verdict=Verdict.NEAR, matches=(CITATION,), wording=wording)
    said = joined(check_blocks(check_view("x", check, {}), Texts("de"))).text
    assert "„... wollen müssen wir" in said
    assert "stehen, ...“" in said


def test_altered_words_are_shown_in_their_whole_sentence() -> None:
    """Whatever of it was quoted, with the rest of it round the quote; no other sentence."""
    source = f"Davor ist alles richtig. Wir wollen {'sehr ' * 20}viele Bäume schützen"
    wording = changes(source.replace("schützen", "fällen"), source)
    whole = f"{source}, die am Ufer stehen."
    setting = Setting(text=whole, left_out=((len(source), len(whole)),), why=None)
    check = QuoteCheck(verdict=Verdict.NEAR, matches=(CITATION,), settings=(setting,), wording=wording)
    said = joined(check_blocks(check_view("x", check, {}), Texts("de"))).text
    assert f"„Wir wollen {'sehr ' * 20}viele Bäume fällen schützen, die am Ufer stehen.“" in said


def test_a_summary_that_a_model_wrote_stands_under_the_names_of_parties() -> None:
    claims = (Claim(text="Sie wollen Bäume schützen.", labels=("S1",)),)
    draft = SummaryDraft(
        topic=SummaryTopic(name="Bäume", scope=SCOPE),
        language="de",
        made_at=FULL.at,
        scope=SCOPE,
        claims=claims,
        citations=(CITATION,),
        missing=(),
        confidence=0.9,
        notices=(),
        rejected=(),
        answerer="llm:m",
    )
    blocks = SummaryPresenter(PRESENTER).blocks(ShownSummary(summary=draft), Texts("de"))
    (party,) = CITATION.edition.document.fields.parties[:1] or (CITATION.edition.document.fields.title,)
    assert any(block.startswith(party) and claims[0].text in block for block in blocks)
    short = SummaryPresenter(PRESENTER).blocks(ShownSummary(summary=draft), Texts("de"), disclaimer=False)
    assert PRESENTER.disclaimer(Texts("de")) in blocks[-1]
    assert PRESENTER.disclaimer(Texts("de")) not in short[-1]


@pytest.mark.parametrize(("bold", "shown"), [(False, "~~14~~ 15"), (True, "\x1b[9m14\x1b[0m 15")])
def test_a_console_marks_what_is_struck(bold: bool, shown: str) -> None:
    platform = ConsolePlatform(lines=None, write=print, clock=None, chat="c", bold=bold)  # type: ignore[arg-type]
    assert platform._shown(struck("14") + rich(" 15")) == shown
