import json
import unicodedata
from pathlib import Path

import pymupdf
import pytest

from core.evidence.skeleton import skeleton
from tests.scenario.conftest import run

FEE = (
    "The applicant shall pay a registration fee of 12 thalers for each metre of the length of the houseboat,"
    " but not less than 90 thalers"
)


def rows_of(manifest: Path) -> list[dict]:
    lines = manifest.with_name("questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_ingesting_again_changes_nothing(command, manifest):
    status, result = command("ingest", "--manifest", str(manifest))
    assert status == 0
    assert {receipt["status"] for receipt in result["documents"]} == {"unchanged"}


def test_documents_are_listed_by_place_with_what_stands_above(command):
    _, everything = command("documents")
    _, hochau = command("documents", "--jurisdiction", "xv-ho")
    assert len(everything["documents"]) == 11
    places = {document["jurisdiction"] for document in hochau["documents"]}
    assert places == {"xv", "xv-ho"}


def test_a_document_shows_its_passages_and_pages(command):
    _, shown = command("show", "hochau-rules-2023.pdf")
    assert shown["versions"][0]["status"] == "active"
    assert "rule:4" in {(passage["section"] or {}).get("id") for passage in shown["passages"]}
    _, page = command("show", "hochau-rules-2023.pdf", "--page", "1")
    assert page["number"] == 1
    assert skeleton(FEE) in skeleton(page["text"])


@pytest.mark.timeout(400)  # many answers with their pages: a minute, on a busy machine some
def test_every_answer_proves_itself(batch, manifest, tmp_path):
    rows = rows_of(manifest)
    asked = [
        {"id": row["id"], "question": row["question"], "jurisdiction": row["jurisdiction"]} for row in rows
    ]
    answers = batch("ask", asked, "--out", str(tmp_path / "pages"))
    assert [answer["id"] for answer in answers] == [row["id"] for row in rows]
    citations = [(answer, citation) for answer in answers for citation in answer["citations"]]
    assert len(citations) > 30
    for answer, citation in citations:
        assert citation["highlight_checked"], (answer["question"], citation["quote"])
        assert len(citation["attachments"]) == len(citation["pages"])
        assert Path(citation["preview"]).stat().st_size > 1000
        assert Path(citation["attachment"]).name.startswith(answer["id"])
        assert_marked_words_are_the_quote(citation)
        labels = {label for claim in answer["claims"] for label in claim["labels"]}
        assert labels == {item["label"] for item in answer["citations"]}


def assert_marked_words_are_the_quote(citation: dict) -> None:
    """Read the attached pages with PyMuPDF alone: the words under the highlights are the quote."""
    marked = ""
    for path in citation["attachments"]:
        with pymupdf.open(path) as document:
            assert document.page_count == 1
            page = document[0]
            quads = [annot.vertices for annot in page.annots()]
            boxes = [
                pymupdf.Quad(points[n : n + 4]).rect for points in quads for n in range(0, len(points), 4)
            ]
            words = page.get_text("words", sort=False)
            marked += "".join(
                word[4]
                for word in words
                if any(
                    box.contains(pymupdf.Point((word[0] + word[2]) / 2, (word[1] + word[3]) / 2))
                    for box in boxes
                )
            )
    quote = unicodedata.normalize(
        "NFKC", citation["quote"].replace("[...]", "")
    )  # note marks as plain digits
    assert skeleton(quote) == skeleton(marked)


def test_start_and_end_are_the_quote_in_the_pages_text(command):
    _, answer = command("ask", "Wie hoch soll der Mindestlohn nach dem Willen der Lighthouse List sein?")
    citation = answer["citations"][0]
    assert "15.50" in citation["quote"]
    _, page = command("show", citation["document"]["file"], "--page", str(citation["page"]))
    shown = page["text"][citation["start"] : citation["end"]]
    assert skeleton(shown) == skeleton(citation["quote"])


def test_a_figure_is_quoted_by_its_caption_and_shown(command, manifest, tmp_path):
    (row,) = [row for row in rows_of(manifest) if row["kind"] == "figure"]
    _, answer = command("ask", row["question"], "--jurisdiction", "xv", "--out", str(tmp_path / "out"))
    citation = answer["citations"][0]
    assert (citation["label"], citation["kind"], citation["page"]) == ("F1", "figure", row["gold"][0]["page"])
    assert skeleton(row["gold"][0]["quote"]) in skeleton(citation["quote"])
    assert citation["highlight_checked"]
    figure = pymupdf.Pixmap(citation["figure"])
    assert Path(citation["figure"]).name.endswith("-p9-F1.png")
    assert 700 < figure.width <= 1600
    assert 2 < figure.width / figure.height < 3.5
    _, check = command("verify", citation["quote"])
    assert (check["matches"][0]["label"], check["matches"][0]["kind"]) == ("F1", "figure")


def test_a_state_is_never_answered_from_the_other(batch):
    question = "What does it cost to register a houseboat?"
    for code, other in (("xv-ho", "xv-se"), ("xv-se", "xv-ho")):
        rows = [{"id": code, "question": question, "jurisdiction": code, "k": 50}]
        hits = batch("search", rows)[0]["hits"]
        places = {hit["document"]["jurisdiction"] for hit in hits}
        assert code in places
        assert other not in places


def test_parties_without_a_source_are_named(batch):
    rows = [
        {"id": 1, "question": "Was fordern die Freien Drachenflieger zum Klimaschutz?"},
        {"id": 2, "question": "Was haben die Windmüller im Programm 2017 zum Klima geschrieben?"},
    ]
    absent, edition = batch("ask", rows)
    assert absent["outcome"] == "no_evidence"
    assert absent["missing"] == [{"party": "Freie Drachenflieger"}]
    assert "Keine Quelle" in absent["text"]
    assert absent["citations"] == []
    assert edition["missing"] == [{"edition": "2017"}]
    assert edition["outcome"] == "no_evidence"


def test_quotes_are_told_from_falsified_ones(batch):
    rows = [
        {"id": "true", "text": FEE},
        {"id": "case", "text": FEE.upper()},
        {"id": "number", "text": FEE.replace("12", "14")},
        {"id": "negated", "text": FEE.replace("shall pay", "shall not pay")},
        {"id": "short", "text": "a registration"},
        {"id": "absent", "text": "The moon is made of green cheese and belongs to nobody in particular."},
        {"id": "page", "text": FEE, "claimed_page": 3},
        {"id": "document", "text": FEE, "claimed_document": "seemoor-rules-2023.pdf"},
        {"id": "right", "text": FEE, "claimed_document": "hochau-rules-2023.pdf", "claimed_page": 1},
        {"id": "scope", "text": FEE, "jurisdiction": "xv-se"},
    ]
    verdicts = {row["id"]: row["verdict"] for row in batch("verify", rows)}
    assert verdicts.pop("scope") in ("altered", "absent")
    assert verdicts == {
        "true": "verbatim",
        "case": "verbatim",
        "number": "altered",
        "negated": "altered",
        "short": "too_short",
        "absent": "absent",
        "page": "misattributed",
        "document": "misattributed",
        "right": "verbatim",
    }


def test_differing_words_are_shown(command):
    status, result = command("verify", FEE.replace("12", "14"))
    assert status == 1
    assert {"claimed": "14", "source": "12"} in result["differences"]


def test_a_page_is_found_where_the_quote_stands(batch, tmp_path):
    rows = [
        {"id": "here", "document": "hochau-rules-2023.pdf", "page": 1, "quote": FEE},
        {"id": "elsewhere", "document": "hochau-rules-2023.pdf", "page": 3, "quote": FEE},
        {
            "id": "nowhere",
            "document": "hochau-rules-2023.pdf",
            "page": 3,
            "quote": "Nothing of this is there at all.",
        },
        {
            "id": "short",
            "document": "lighthouse-2025.pdf",
            "page": 6,
            "quote": "Ours needs a trawler.",
        },
        {"id": "no-page", "document": "hochau-rules-2023.pdf", "page": 99},
        {"id": "no-document", "document": "hochau.pdf", "page": 1},
        "{broken",
        {"id": "no-number", "document": "hochau-rules-2023.pdf", "page": "one"},
    ]
    found = batch("page", rows, "--out", str(tmp_path / "pages"))
    assert [row.get("found_page") for row in found[:4]] == [1, 1, None, 6]
    assert [row.get("highlighted") for row in found[:4]] == [True, True, False, True]
    assert [row["error"]["code"] for row in found[4:]] == [
        "page.unknown",
        "document.unknown",
        "batch.bad_line",
        "batch.bad_value",
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["ask", "Was?", "--jurisdiction", "xv-hu"], 2, "xv-ho"),
        (["ask", "Was?", "--party", "Uverpartei"], 2, "Uferpartei"),
        (["search", "Was?", "--collection", "pubic"], 2, "public"),
        (["ask", "Was?", "--type", "manifest"], 2, "manifesto"),
        (["ask", "Was?", "--document", "ufer-2035.pdf"], 2, "Uferpartei: Im Fluss bleiben (2025)"),
        (["ask", "Was?", "--as-of", "gestern"], 2, "YYYY-MM-DD"),
        (["ask"], 2, "--batch"),
        (["show", "ufer-2025.pdf", "--page", "99"], 2, "99"),
        (["ingest", "/no/such/file.pdf"], 2, "/no/such/file.pdf"),
        (["ingest"], 2, "--manifest"),
        (["remove", "nothing.pdf"], 2, "nothing.pdf"),
        (["evaluate", "/no/such/set.jsonl"], 2, "set.jsonl"),
    ],
)
def test_mistakes_say_what_to_do(data, arguments, status, says):
    code, out, err = run(data, *arguments)
    assert code == status
    assert says in out + err


def test_a_folder_reports_every_file(data, tmp_path):
    (tmp_path / "notes.txt").write_text("Just text, but enough of it to be read and found again.")
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    (tmp_path / "fake.pdf").write_bytes(b"GIF89a")
    (tmp_path / "empty.pdf").write_bytes(b"")
    status, out, _ = run(data, "ingest", str(tmp_path), "--collection", "trash", "--json")
    receipts = {receipt["file"]: receipt for receipt in json.loads(out)["documents"]}
    assert status == 1
    assert set(receipts) == {"notes.txt", "noise.bin", "fake.pdf", "empty.pdf"}
    assert receipts.pop("notes.txt")["status"] == "indexed"
    assert all(
        receipt["status"] == "refused" and receipt["error"]["message"] for receipt in receipts.values()
    )


def test_the_console_is_a_chat(data, tmp_path):
    lines = "/ort xv-ho\nWhat does it cost to register a houseboat?\n/kaffee\n/quit\n"
    status, out, _ = run(data, "chat", "--out", str(tmp_path), stdin=lines)
    assert status == 0
    assert "Hochau" in out
    assert "thalers" in out
    assert "kaffee" in out


def test_the_doctor_finds_everything_in_order(command):
    status, result = command("doctor")
    assert status == 0
    assert {check["name"] for check in result["checks"]} >= {"settings", "database", "models", "index", "pdf"}
    assert not [check for check in result["checks"] if check["state"] == "fail"]


CHATTER = (
    "Hallo",
    "Danke!",
    "Wen soll ich wählen?",
    "Wie wird das Wetter morgen?",
    "Who should I vote for?",
    "?",
)


def test_what_is_no_question_is_answered_in_every_form(batch, command):
    rows = batch("ask", [{"id": n, "question": text} for n, text in enumerate(CHATTER)])
    assert {row["outcome"] for row in rows} == {"info"}
    for row in rows:
        assert [notice["text"] for notice in row["notices"]] == row["text"].split("\n\n")
        assert "{" not in row["text"]
    status, answer = command("ask", CHATTER[2])
    assert (status, answer["text"]) == (0, rows[2]["text"])


ODD_ROWS = (
    "{",
    "[1]",
    '"text"',
    *(
        {"question": value, "text": value}
        for value in (7, [], {}, True, "", " ", "x" * 20_000, "\0", "\ud800")
    ),
    {"question": {"question": "x"}, "text": ["x"]},
    {"question": "Wohnen?", "text": "Wohnen", "party": "Niemand"},
    {"question": "Wohnen?", "text": "Wohnen", "party": 3},
    {"question": "Wohnen?", "text": "Wohnen", "jurisdiction": "\ud800"},
    {"question": "Wohnen?", "text": "Wohnen", "type": "novel"},
    {"question": "Wohnen?", "text": "Wohnen", "as_of": "2025-02-30"},
    {"question": "Wohnen?", "text": "Wohnen", "k": -1, "answerer": "oracle", "claimed_page": 0},
    {"document": "hochau-rules-2023.pdf", "page": 0},
    {"document": "hochau-rules-2023.pdf", "page": 10**9},
    {"document": "hochau-rules-2023.pdf", "page": 1, "quote": "x" * 20_000},
    {"document": "\0", "page": 1},
)


@pytest.mark.parametrize("name", ["search", "ask", "verify", "page"])
def test_a_batch_goes_on_whatever_its_rows_hold(batch, name):
    good = {
        "id": "last",
        "question": "What does it cost to register a houseboat?",
        "text": FEE,
        "document": "hochau-rules-2023.pdf",
        "page": 1,
    }
    found = batch(name, [*ODD_ROWS, good])
    assert len(found) == len(ODD_ROWS) + 1
    errors = [row["error"] for row in found if "error" in row]
    assert len(errors) > 10
    assert "error.unexpected" not in {error["code"] for error in errors}
    assert all(0 < len(error["message"]) < 500 for error in errors)
    assert "error" not in found[-1]


def test_what_the_bot_keeps_is_for_its_own_user(data, command, tmp_path):
    """Database and log, index, originals, keys, locks, pages: whatever the umask was at the start."""
    asked = "Wie hoch soll der Mindestlohn nach dem Willen der Lighthouse List sein?"
    assert command("ask", asked, "--out", str(tmp_path / "pages"))[0] == 0
    kept = [path for path in (*data.rglob("*"), *tmp_path.rglob("*")) if "models" not in path.parts]
    assert {path.suffix for path in kept} >= {".sqlite3", ".key", ".pdf", ".png"}
    modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in kept if not path.is_symlink()}
    assert modes == {(True, 0o700), (False, 0o600)}


def test_who_does_not_say_where_the_source_is_offered_is_warned(command, monkeypatch):
    def check():
        _, result = command("doctor")
        return next(check for check in result["checks"] if check["name"] == "source code")

    assert check()["state"] == "warn"
    assert "section 13" in check()["advice"]
    monkeypatch.setenv("FUNDSTELLE_SOURCE_URL", "https://example.org/source")
    assert check()["state"] == "ok"
    assert "https://example.org/source" in check()["message"]


def test_a_data_folder_that_others_may_look_into_is_said(command, data):
    def advice():
        _, result = command("doctor")
        return next(check["advice"] for check in result["checks"] if check["name"] == "permissions")

    assert advice() == ""
    data.chmod(0o755)
    try:
        assert "chmod -R go-rwx" in advice()
    finally:
        data.chmod(0o700)


def test_distress_is_met_with_help_lines_by_every_command_that_answers(command):
    said = "ich will nicht mehr leben"
    for arguments in (
        ["ask", said],
        ["compare", said],
        ["motion", said, "--jurisdiction", "xv"],
        ["summary", "new", said],
        ["ask", "ich hab abends immer den drang mir weh zu tun"],  # in no rule
    ):
        status, found = command(*arguments)
        assert (status, found["outcome"], found["citations"]) == (0, "info", [])
        assert [notice["key"] for notice in found["notices"]] == ["info.distress.suicide"]
        assert "TelefonSeelsorge" in found["text"]
        assert found.get("rows", []) == []
