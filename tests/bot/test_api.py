"""The interface for programs: results as `--json` has them, problems as RFC 9457, no way past a token."""

import json
import logging
from collections.abc import AsyncIterator

import pytest

from bot.http.problems import MEDIA_TYPE
from bot.http.tokens import WRONG_PER_MINUTE
from bot.library.scoping import ScopeOptions
from bot.presentation.views.answers import answer_view
from bot.presentation.views.problems import OPERATORS, problem_for_caller
from core.domain.access import TokenRole
from core.errors import Broken, FundstelleError, NotKnown, Refused, Unavailable
from tests.support.asked_over_http import Asked, asked_over_http
from tests.support.world import populated

CANARY = "KANARIENVOGEL"
QUESTION = "Was ist zum Mindestlohn geplant?"


@pytest.fixture
async def asked() -> AsyncIterator[Asked]:
    async with asked_over_http(await populated()) as found:
        await found.token("public")
        yield found


async def test_an_answer_is_the_one_of_the_terminal(asked: Asked) -> None:
    response = await asked.post("/v1/ask", question=QUESTION, jurisdiction="xv")
    app = asked.world.app
    options = ScopeOptions(collections=("public",), jurisdiction="xv")
    expected = answer_view(await app.questions.ask(QUESTION, options), {}, app.presenter).json_object
    found = response.json()
    assert response.status_code == 200
    assert found["outcome"] == "grounded"
    for name in ("trace", "seconds"):
        del found[name], expected[name]
    assert found == expected


async def test_everything_else_is_there_as_well(asked: Asked) -> None:
    found = (await asked.post("/v1/search", question=QUESTION, k=2)).json()
    assert len(found["hits"]) == 2
    found = (
        await asked.post("/v1/compare", question="Mindestlohn", parties=["Uferpartei", "Windmüller"])
    ).json()
    assert [row["party"] for row in found["rows"]] == ["Uferpartei", "Windmüller"]
    found = (await asked.post("/v1/verify", text="Der Mindestlohn steigt auf 16 Taler in der Stunde.")).json()
    assert found["verdict"] == "altered"
    found = (await asked.ask("GET", "/v1/documents", params={"party": "Windmüller"})).json()
    assert [each["title"] for each in found["documents"]] == ["wind25"]
    page = await asked.ask(
        "GET", "/v1/pages/wind25/1.pdf", params={"quote": "Die Windräder gehören den Dörfern."}
    )
    assert (page.status_code, page.headers["content-type"]) == (200, "application/pdf")
    assert (page.headers["fundstelle-page"], page.headers["fundstelle-highlighted"]) == ("1", "true")
    picture = await asked.ask("GET", "/v1/pages/wind25/1.png")
    assert picture.headers["content-type"] == "image/png"


async def test_every_quotation_of_a_draft_is_checked(asked: Asked) -> None:
    draft = (
        "Die Debatte geht weiter. Die Uferpartei sagt: „Der Mindestlohn steigt auf 15 Taler in der Stunde.“\n"
        "Bei den Windmüllern heißt es „Einen Mindestlohn fordern wir sofort und überall“, so war zu hören."
        ' Und "Die Windräder gehören den Dörfern." gilt auch.'
    )
    found = (await asked.post("/v1/verify", draft=draft)).json()["quotations"]
    assert [draft[each["start"]] for each in found] == ["„", "„", '"']
    assert [each["check"]["verdict"] for each in found] == ["verbatim", "absent", "verbatim"]
    assert found[0]["check"]["claimed"]["parties"] == ["Uferpartei"]


async def test_events_end_with_the_answer(asked: Asked) -> None:
    response = await asked.ask(
        "POST", "/v1/ask", {"Accept": "text/event-stream"}, json={"question": QUESTION, "jurisdiction": "xv"}
    )
    assert response.headers["content-type"].startswith("text/event-stream")
    name, data = response.text.strip().split("\n\n")[-1].split("\n")
    assert name == "event: answer"
    assert json.loads(data.removeprefix("data: "))["outcome"] == "grounded"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/ask", {"question": QUESTION, "jurisdiction": "zz"}, 422, "scope.unknown_jurisdiction"),
        ("POST", "/v1/ask", {"question": QUESTION, "day": "1"}, 422, "request.invalid"),
        ("POST", "/v1/ask", {"question": QUESTION, "answerer": "llm"}, 422, "answerer.no_model"),
        ("POST", "/v1/ask", {"question": ""}, 422, "info.empty"),
        ("POST", "/v1/verify", {}, 422, "request.invalid"),
        ("POST", "/v1/verify", {"text": "x" * 400_000}, 422, "verify.too_long"),
        ("POST", "/v1/ask", {"question": "x" * 1_100_000}, 413, "request.too_large"),
        ("GET", "/v1/pages/nothing/1.pdf", None, 404, "document.unknown"),
        ("GET", "/v1/pages/wind25/2.pdf", None, 404, "page.unknown"),
        ("GET", "/v1/pages/wind25/x.pdf", None, 422, "request.invalid"),
        ("GET", "/v1/nothing", None, 404, "request.invalid"),
        ("GET", "/v1/ask", None, 405, "request.invalid"),
        ("POST", "/v1/ingest", None, 403, "token.role"),
        ("POST", "/v1/ask", {"question": QUESTION, "collections": ["internal"]}, 403, "token.collection"),
    ],
)
async def test_every_error_is_a_problem(
    asked: Asked, method: str, path: str, body: object, status: int, code: str
) -> None:
    response = await asked.ask(method, path, json=body)
    found = response.json()
    assert (response.status_code, found["status"], found["code"]) == (status, status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert found["detail"]


async def test_what_the_operator_has_to_mend_is_not_told(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, code in (
        (Broken("index.damaged", "/secret/place"), "index.damaged"),
        (ValueError("secret"), "error.unexpected"),
    ):

        async def broken(*_: object, failure: Exception = error, **__: object) -> None:
            raise failure

        monkeypatch.setattr(type(asked.world.app.questions), "search", broken)
        response = await asked.post("/v1/search", question="x")
        assert (response.status_code, response.json()["code"]) == (500, code)
        assert "secret" not in response.text


async def test_nothing_of_another_collection_is_reached(asked: Asked) -> None:
    """The internal paper answers who may read it, and is as good as absent for everybody else."""
    internal = next(each.id for each in await asked.world.library.documents(["internal"]))
    question = f"Was ist der geheime Plan {CANARY} zum Mindestlohn?"
    quote = f"Der geheime Plan {CANARY} zum Mindestlohn bleibt unter uns"
    requests = [
        ("POST", "/v1/ask", {"json": {"question": question, **more}})
        for more in ({}, {"documents": [internal]}, {"documents": ["intern"]}, {"collections": ["internal"]})
    ]
    requests += [
        ("POST", "/v1/search", {"json": {"question": question, "k": 100}}),
        ("POST", "/v1/compare", {"json": {"question": question, "parties": ["Uferpartei", "Windmüller"]}}),
        ("POST", "/v1/verify", {"json": {"text": "bleibt unter uns und nirgends sonst"}}),
        (
            "POST",
            "/v1/verify",
            {"json": {"draft": 'Es heißt "zum Mindestlohn bleibt unter uns und nirgends".'}},
        ),
        ("GET", "/v1/documents", {}),
        ("GET", f"/v1/pages/{internal}/1.pdf", {}),
        ("GET", "/v1/pages/intern.pdf/1.png", {"params": {"quote": quote}}),
    ]
    for method, path, more in requests:
        response = await asked.ask(method, path, **more)
        said = response.content.decode(errors="replace").replace(question, "").replace(quote, "")
        assert CANARY not in said, path
        assert internal not in said.replace(f"no document {internal}", ""), path
    await asked.token("public", "internal")
    assert CANARY in (await asked.post("/v1/search", question=question)).text
    assert "absent" not in (await asked.post("/v1/verify", text=quote)).json()["verdict"]
    assert (await asked.ask("GET", f"/v1/pages/{internal}/1.pdf")).status_code == 200


async def test_a_collection_is_refused_alike_whether_there_is_one_or_not(asked: Asked) -> None:
    for name in ("internal", "nowhere"):
        said = (await asked.post("/v1/search", question="x", collections=[name])).json()
        assert said["detail"] == f"the token does not reach the collection '{name}'"


async def test_publishers_bring_documents_into_their_collections(asked: Asked) -> None:
    await asked.token("public", "internal", role=TokenRole.PUBLISHER)
    refused = await asked.ask("POST", "/v1/ingest?name=x.pdf&collection=board", content=b"x")
    assert refused.json()["code"] == "token.collection"
    for bad in ("", "?name=x.pdf&url=https://example.org/x.pdf", "?url=/etc/passwd"):
        refused = await asked.ask("POST", f"/v1/ingest{bad}", content=b"x")
        assert refused.json()["code"] == "request.source"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        *(
            ({"name": name}, "request.source")
            for name in ("..", "a/..", "   ", "a\0b", "a\r\nb.md", "\u200b")
        ),
        *(({"name": "ä" * 126 + ".pdf"}, "request.source"), ({"name": "a" * 256}, "request.source")),
        *(
            ({"name": "a.md", "title": title}, "call.invalid")
            for title in ("\r\n", "a\nb", "a\0b", " ", "\u2028")
        ),
        ({"name": "a.md", "party": "Neu\r\nPartei"}, "call.invalid"),
        ({"name": "a.md", "party": " "}, "call.invalid"),
        *(
            ({"name": "a.md", "language": each}, "call.invalid")
            for each in ("../../x", "deu", "d", "de\n", "é1")
        ),
    ],
)
async def test_names_that_are_none_are_refused(asked: Asked, given: dict[str, str], code: str) -> None:
    await asked.token("public", role=TokenRole.PUBLISHER)
    before = await asked.world.library.registry()
    refused = await asked.ask("POST", "/v1/ingest", params=given, content=b"x")
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert await asked.world.library.registry() == before


@pytest.mark.parametrize(
    "name", ["a/b/programme.pdf", "Größe – «1» №2.pdf", "a" * 251 + ".pdf", "..pdf", "-.pdf"]
)
async def test_every_honest_name_is_taken(asked: Asked, name: str) -> None:
    await asked.token("public", role=TokenRole.PUBLISHER)
    title = "Für\u00a0alle: „Ja“ – مرحبا नमस्ते"
    taken = await asked.ask(
        "POST", "/v1/ingest", params={"name": name, "title": title, "language": "DE"}, content=b"x"
    )
    assert taken.json().get("code") == "pdf.not_a_pdf"  # its name was no obstacle
    assert [each["file"] for each in taken.json()["documents"]] == [name.rpartition("/")[2]]


async def test_a_page_of_thousands_of_digits_is_an_invalid_one(asked: Asked) -> None:
    for digits in ("9" * 5000, "9" * 19):
        assert (await asked.ask("GET", f"/v1/pages/wind25/{digits}.pdf")).status_code in (404, 422)


async def test_a_line_break_in_a_path_is_answered_like_any_other_name(asked: Asked) -> None:
    for name in ("a%0Ab", "%0A", "a%0A"):
        found = await asked.ask("GET", f"/v1/pages/{name}/1.pdf")
        assert (found.status_code, found.json()["code"]) == (404, "document.unknown")


@pytest.mark.parametrize("header", [None, "", "Bearer", "Basic eDp5", "Bearer fst_wrong", "Bearer \xe4\xf6"])
async def test_without_a_token_that_holds_nothing_is_answered(asked: Asked, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    for method, path in (("POST", "/v1/ask"), ("GET", "/v1/documents"), ("POST", "/v1/ingest?name=x")):
        response = await asked.client.request(method, path, headers=headers, json={"question": QUESTION})
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
    assert (await asked.client.get("/v1/openapi.json")).json()["openapi"].startswith("3.1")


async def test_guessing_is_slow_and_the_log_holds_no_token(
    asked: Asked, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = [f"fst_guess%0d%0a{number}\tWARNING root forged" for number in range(WRONG_PER_MINUTE + 1)]
    found = [
        (await asked.client.get("/v1/documents", headers={"Authorization": f"Bearer {each}"})).status_code
        for each in wrong
    ]
    assert found == [401] * WRONG_PER_MINUTE + [429]
    assert "was turned away: token.invalid" in caplog.text
    assert "fst_guess" not in caplog.text
    assert "forged" not in caplog.text
    assert asked.secret not in caplog.text


async def test_requests_of_a_token_are_bounded(asked: Asked) -> None:
    await asked.token("public", per_minute=2)
    found = [await asked.ask("GET", "/v1/documents") for _ in range(3)]
    assert [each.status_code for each in found] == [200, 200, 429]
    assert 1 <= int(found[-1].headers["retry-after"]) <= 60


async def test_a_file_that_is_refused_is_a_problem_with_its_receipt(asked: Asked) -> None:
    await asked.token("public", role=TokenRole.PUBLISHER)
    refused = await asked.ask("POST", "/v1/ingest?name=bad.pdf", content=b"x")
    assert refused.headers["content-type"] == MEDIA_TYPE
    said = refused.json()
    assert (refused.status_code, said["status"], said["code"]) == (422, 422, "pdf.not_a_pdf")
    (receipt,) = said["documents"]
    assert (receipt["file"], receipt["status"], receipt["error"]["code"]) == (
        "bad.pdf",
        "refused",
        said["code"],
    )


async def test_an_error_in_a_stream_is_a_problem(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object, **__: object) -> None:
        raise Unavailable("database.unavailable", "look at database_url in fundstelle.toml")

    monkeypatch.setattr(asked.world.library, "editions", away)
    response = await asked.ask(
        "POST", "/v1/ask", {"Accept": "text/event-stream"}, json={"question": QUESTION, "jurisdiction": "xv"}
    )
    name, data = response.text.strip().split("\n\n")[-1].split("\n")
    told = json.loads(data.removeprefix("data: "))
    assert name == "event: problem"
    assert (told["status"], told["code"], told["type"]) == (503, "database.unavailable", "about:blank")
    assert told["title"] == "Service Unavailable"
    assert not OPERATORS.search(told["detail"])


@pytest.mark.parametrize(
    "error",
    [
        Refused("answerer.no_model", "no model is configured: set [llm] model in fundstelle.toml"),
        Refused("model.not_approved", "no model may see board; see collections under [llm]"),
        Refused("ocr.missing", "install Tesseract: apt-get install tesseract-ocr"),
        Refused("watch.missing", "there is no folder /srv/x; see [library] watch"),
        Unavailable("database.unavailable", "the database does not answer: look at database_url"),
        Broken("disk.full", "there is no room at /srv/library"),
    ],
)
def test_callers_are_told_nothing_that_only_operators_can_do(error: FundstelleError) -> None:
    said = problem_for_caller(error)
    assert said.code == error.key
    assert said.message
    assert not OPERATORS.search(said.message)
    assert "/srv" not in said.message


@pytest.mark.parametrize(
    "error",
    [
        NotKnown(
            "scope.unknown_party", "there is no party [x] --all; did you mean X?", name="x", meant={"X": "X"}
        ),
        Refused("verify.too_long", "a quote has at most 8,000 characters"),
        Refused("token.missing", "send a token as `Authorization: Bearer TOKEN`"),
        Unavailable("token.limit", "the token's 30 requests a minute are done", 3.0),
    ],
)
def test_callers_are_told_what_they_can_do(error: FundstelleError) -> None:
    assert problem_for_caller(error).message == error.detail
