"""Records of answers through the command line, beside whoever has the index."""

from tests.scenario.conftest import run

QUESTION = "Was kostet die Anmeldung eines Hausboots in Hochau?"


def test_an_answer_tells_why(command, data):
    _, answer = command("ask", QUESTION)
    status, record = command("why", answer["trace"])
    assert status == 0
    assert record["question"] == QUESTION
    assert record["claims"] == answer["claims"]
    assert record["confidence"]["level"] == answer["confidence_level"]
    shown = [(item["label"], item["quote"], item["pages"]) for item in answer["citations"]]
    assert [(item["label"], item["quote"], item["pages"]) for item in record["citations"]] == shown
    assert {item["version_status"] for item in record["citations"]} <= {"active"}
    assert [hit["rank"] for hit in record["hits"]] == list(range(1, len(record["hits"]) + 1))
    status, out, _ = run(data, "why", answer["trace"])
    assert status == 0
    assert QUESTION in out
    assert "why." not in out


def test_the_trace_is_shown(data):
    _, out, _ = run(data, "ask", QUESTION)
    trace = out.rsplit("(fundstelle why ", 1)[1].partition(")")[0]
    assert run(data, "why", trace)[0] == 0


def test_a_comparison_tells_why(command):
    _, table = command("compare", "Mindestlohn")
    _, record = command("why", table["trace"])
    assert record["kind"] == "comparison"
    labels = [item["label"] for row in table["rows"] for item in row["citations"]]
    assert [item["label"] for item in record["citations"]] == labels


def test_an_unknown_trace(command):
    status, result = command("why", "0123456789abcdef")
    assert (status, result["error"]["code"]) == (1, "why.unknown")
