"""Pages by link: what they show, to whom, for how long, and what can never come alive on them."""

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser

import httpx
import pytest

from bot.answers.links import is_for_the_public
from bot.http.pages import PER_MINUTE
from bot.presentation.i18n import catalogue
from bot.settings.platforms import HttpSettings
from bot.settings.sections import LibrarySettings
from bot.settings.tree import Settings
from core.errors import Unavailable
from tests.support.asked_over_http import Asked, asked_over_http
from tests.support.repository import ROOT
from tests.support.world import World, populated

CANARY = "KANARIENVOGEL"
QUESTION = "Was ist zum Mindestlohn geplant?"
BASE = "https://bot.example/library"


def public(world: World, **http: object) -> World:
    stated = HttpSettings.model_validate({"public_url": BASE, **http})
    world.use(Settings(data=world.app.settings.data, http=stated))
    return world


@pytest.fixture
async def asked() -> AsyncIterator[Asked]:
    async with asked_over_http(public(await populated())) as found:
        await found.token("public")
        yield found


async def links(asked: Asked, **more: object) -> list[str]:
    """Links of an answer's citations, without the public address."""
    answer = (await asked.post("/v1/ask", question=QUESTION, jurisdiction="xv", **more)).json()
    assert answer["citations"]
    return [each["link"] and each["link"].removeprefix(BASE) for each in answer["citations"]]


async def opened(asked: Asked, path: str, **headers: str) -> httpx.Response:
    """As somebody without a token gets it."""
    return await asked.client.get(path, headers=headers)


class Parsed(HTMLParser):
    """The elements of a page: name, attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


async def test_a_citation_has_a_link_that_shows_its_page(asked: Asked) -> None:
    answer = (await asked.post("/v1/ask", question=QUESTION, jurisdiction="xv")).json()
    for citation in answer["citations"]:
        assert citation["link"].startswith(f"{BASE}/p/")
        path = citation["link"].removeprefix(BASE)
        page = await opened(asked, path, **{"Accept-Language": "de"})
        assert page.status_code == 200
        said = unescape(page.text)
        assert f">{citation['quote']}</blockquote>" in said
        assert citation["document"]["title"] in said
        assert f'<meta property="og:image" content="{BASE}{path}/card.jpg">' in page.text
        for file, kind in (("1.pdf", "application/pdf"), ("1.img", "image/png"), ("card.jpg", "image/jpeg")):
            assert (await opened(asked, f"{path}/{file}")).headers["content-type"] == kind
        assert citation["link"] in answer["text"].replace("\u2060", "")


async def test_the_same_words_have_the_same_link(asked: Asked) -> None:
    assert await links(asked) == await links(asked)
    said = (await asked.post("/v1/verify", text="Der Mindestlohn steigt auf 15 Taler in der Stunde.")).json()
    assert said["matches"][0]["link"].startswith(BASE)
    row = (
        await asked.post("/v1/compare", question="Mindestlohn", parties=["Uferpartei", "Windmüller"])
    ).json()
    assert all(each["link"].startswith(BASE) for side in row["rows"] for each in side["citations"])


async def test_without_a_public_address_nothing_is_given_or_shown() -> None:
    async with asked_over_http(await populated()) as asked:
        await asked.token("public")
        assert set(await links(asked)) == {None}
        assert (await opened(asked, "/p/link0")).status_code == 404


async def test_nothing_of_another_collection_gets_a_link(asked: Asked) -> None:
    await asked.token("internal")
    answer = (await asked.post("/v1/ask", question=f"Was ist der Plan {CANARY} zum Mindestlohn?")).json()
    found = (await asked.post("/v1/verify", text=f"Der geheime Plan {CANARY} zum Mindestlohn")).json()
    citations = [*answer["citations"], *found["matches"]]
    assert citations
    assert {each["link"] for each in citations} == {None}
    assert asked.world.app.page_links.kept == {}


async def test_a_document_that_is_public_no_more_has_no_pages(asked: Asked) -> None:
    (path, *_) = await links(asked)
    await opened(asked, path)
    link = next(iter(asked.world.app.page_links.kept.values()))
    await asked.world.library.withdraw(link.citation.document, at=asked.world.clock.now())
    gone = [await opened(asked, f"{path}{each}") for each in ("", "/1", "/1.pdf", "/1.img", "/card.jpg")]
    assert {each.status_code for each in gone} == {404}
    unknown = await opened(asked, "/p/there-is-no-such-link")
    assert {each.content for each in gone} == {unknown.content}


@pytest.mark.parametrize(("days", "status"), [(30, 404), (0, 200)])
async def test_a_link_ends_with_its_term(days: int, status: int) -> None:
    async with asked_over_http(public(await populated(), link_days=days)) as asked:
        await asked.token("public")
        (path, *_) = await links(asked)
        asked.world.clock.at += timedelta(days=29)
        assert (await opened(asked, path)).status_code == 200
        asked.world.clock.at += timedelta(days=2)
        assert (await opened(asked, path)).status_code == status
        await asked.world.app.links.purge()
        assert bool(asked.world.app.page_links.kept) == (days == 0)


async def test_other_pages_of_the_document_can_be_turned_to() -> None:
    world = public(await populated())
    await world.add(
        "three.pdf", "Erste Seite hier.", "Die Brücken kosten 70 Taler Maut im Jahr.", "Dritte Seite."
    )
    async with asked_over_http(world) as asked:
        await asked.token("public")
        said = (await asked.post("/v1/verify", text="Die Brücken kosten 70 Taler Maut im Jahr.")).json()
        path = said["matches"][0]["link"].removeprefix(BASE)
        page = (await opened(asked, path)).text
        assert f'rel="prev" href="/library{path}/1"' in page
        assert f'rel="next" href="/library{path}/3"' in page
        first = (await opened(asked, f"{path}/1")).text
        assert "Erste Seite" in first
        assert "<blockquote" not in first
        assert 'rel="prev"' not in first
        assert (await opened(asked, f"{path}/4")).status_code == 404
        assert (await opened(asked, f"{path}/0")).status_code == 404


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("de-AT,en;q=0.5", "de"),
        ("fr;q=0.9,de;q=0.1", "fr"),
        ("xx,*;q=0.1", "en"),
        ("", "en"),
        ("de;q=x", "en"),
    ],
)
async def test_it_speaks_the_readers_language(asked: Asked, wanted: str, language: str) -> None:
    (path, *_) = await links(asked)
    for each in (path, "/p/nothing"):
        page = await opened(asked, each, **{"Accept-Language": wanted})
        assert f'<html lang="{language}">' in page.text


async def test_what_became_of_a_quote_is_told() -> None:
    world = public(await populated())
    await world.add("toll.pdf", "Die Maut beträgt 70 Taler im Jahr für jede Brücke am Fluss.")
    async with asked_over_http(world) as asked:
        await asked.token("public")
        said = (
            await asked.post("/v1/verify", text="Die Maut beträgt 70 Taler im Jahr für jede Brücke")
        ).json()
        path = said["matches"][0]["link"].removeprefix(BASE)
        assert "is in the newest version" in (await opened(asked, path)).text
        world.originals.contents["toll.pdf"] = "90"
        await world.add("toll.pdf", "Die Maut beträgt 90 Taler im Jahr für jede Brücke am Fluss.")
        page = unescape((await opened(asked, path)).text)
        assert "It now reads" in page
        assert "90 Taler" in page


POISON = (
    '<script>alert(1)</script><img src=x onerror=alert(1)> "onmouseover="alert(1) javascript:alert(1)'
    " </text></svg><a href='//evil.example'>&lt;b&gt; {{ 7*7 }} {% raw %} \u202egnp.exe ]](x) }}\\end{x}"
)


async def test_markup_of_documents_never_comes_alive() -> None:
    world = public(await populated())
    words = f"Die Hafengebühr beträgt 70 Taler im Jahr {POISON} und wird im Mai erhoben."
    await world.add(
        "poison.pdf",
        words,
        title=f"Gebühren {POISON}",
        parties=("Uferpartei",),
        source_uri="javascript:alert(1)",
    )
    async with asked_over_http(world) as asked:
        await asked.token("public")
        found = (await asked.post("/v1/verify", text=words)).json()
        assert [each["document"]["file"] for each in found["matches"]] == ["poison.pdf"]
        page = (await opened(asked, found["matches"][0]["link"].removeprefix(BASE))).text
    elements = Parsed(page).found
    assert [attributes["src"] for tag, attributes in elements if tag == "script"] == ["/library/p/-/page.js"]
    assert {tag for tag, _ in elements} & {
        "img",
        "iframe",
        "object",
        "embed",
        "form",
        "style",
        "base",
    } == set()
    for _, attributes in elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        target = attributes.get("href") or ""
        assert target.startswith(("/library/p/", "#")) or target == ""
    assert "\u202e" not in page
    assert "49" not in re.sub(r'[\d.]+"', "", page)
    assert page.count("<svg") == page.count("</svg>") == 1


async def test_forms_to_copy_can_be_read_by_what_they_are_for() -> None:
    world = public(await populated())
    async with asked_over_http(world) as asked:
        await asked.token("public")
        (path, *_) = await links(asked)
        page = (await opened(asked, path)).text
    forms = dict(re.findall(r'<pre id="form-(\w+)"[^>]*>(.*?)</pre>', page, re.DOTALL))
    assert list(forms) == ["plain", "markdown", "bibtex", "csl"]
    (csl,) = json.loads(unescape(forms["csl"]))
    assert csl["URL"] == f"{BASE}{path}"
    assert csl["issued"] == {"date-parts": [[2025, 5, 1]]}
    assert csl["author"] == [{"literal": "Uferpartei"}] or csl["author"] == [{"literal": "Windmüller"}]
    bibtex = unescape(forms["bibtex"])
    assert bibtex.startswith(f"@misc{{{path.rpartition('/')[2]},")
    assert bibtex.count("{") == bibtex.count("}")
    assert unescape(forms["markdown"]).startswith("> ")


async def test_pages_set_nothing_and_fetch_nothing_from_elsewhere(asked: Asked) -> None:
    (path, *_) = await links(asked)
    for each in (path, f"{path}/1.img", "/p/-/page.css", "/p/-/page.js", "/p/nothing", "/p/-/secret.py"):
        response = await opened(asked, each)
        assert "set-cookie" not in response.headers
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
    page = (await opened(asked, path)).text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


@pytest.mark.parametrize("digits", ["9" * 10, "9" * 5000, "0" * 5000 + "1"])
async def test_a_number_that_no_page_has_is_no_page(asked: Asked, digits: str) -> None:
    (path, *_) = await links(asked)
    for link in (path, "/p/nothing"):
        for ending in ("", ".pdf", ".img"):
            found = await opened(asked, f"{link}/{digits}{ending}")
            assert found.status_code == 404
            assert "default-src 'none'" in found.headers["content-security-policy"]


async def test_titles_are_shown_without_invisible_signs_and_in_one_line() -> None:
    world = public(await populated())
    title = "Haushalt #1 von @kreis:\nwww.kreis.example/haushalt_2028"
    words = "Der Haushalt hat 70 Taler für jede Brücke am Fluss vorgesehen."
    await world.add("budget.pdf", words, title=title, parties=("Uferpartei",))
    async with asked_over_http(world) as asked:
        await asked.token("public")
        found = (await asked.post("/v1/verify", text=words)).json()["matches"][0]["link"]
        page = unescape((await opened(asked, found.removeprefix(BASE))).text)
    shown = "Haushalt #1 von @kreis: www.kreis.example/haushalt_2028, p. 1"
    assert f"<title>{shown}</title>" in page
    assert f'<meta property="og:title" content="{shown}">' in page
    assert f"<h1>{shown}</h1>" in page
    assert "\u2060" not in page
    markdown = re.findall(r'<pre id="form-markdown"[^>]*>(.*?)</pre>', page, re.DOTALL)[0]
    assert all(line.startswith(">") for line in markdown.splitlines())


PUBLIC_ADDRESSES = (
    "https://example.org/programme.pdf",
    "http://example.org:8080/a/programme.pdf?edition=3&lang=de#page=4",
    "https://example.org/design?author=x&keyword=y&signed=no",
    "https://8.8.8.8/programme.pdf",
    "https://[2606:4700::1111]/programme.pdf",
    "https://bücher.example.org/ä;version=1",
)
NOBODYS_ADDRESSES = (
    "",
    "ftp://example.org/programme.pdf",
    "javascript:alert(1)",
    "https:///programme.pdf",
    "https://anna:secret@example.org/programme.pdf",
    "https://anna@example.org/programme.pdf",
    "https://example.org/p.pdf?X-Amz-Signature=0f&X-Amz-Expires=9",
    "https://example.org/p.pdf?sv=2024&sig=0f%3D",
    "https://example.org/p.pdf?a=1;Token=0f",
    "https://example.org/p.pdf?api_key=0f",
    "https://example.org/p.pdf;jsessionid=0f?a=1",
    "https://example.org/p.pdf#access_token=0f",
    "http://10.1.2.3/p.pdf",
    "http://192.168.0.4:9000/p.pdf",
    "http://127.1/p.pdf",
    "http://0x7f.0.0.1/p.pdf",
    "http://2130706433/p.pdf",
    "http://[::1]/p.pdf",
    "http://[fd00::7]/p.pdf",
    "http://[::ffff:10.0.0.1]/p.pdf",
    "http://wiki/p.pdf",
    "http://localhost/p.pdf",
    "http://files.office.internal./p.pdf",
    "https://papers.example.org/p.pdf",
    "https://PAPERS.example.org:8443/p.pdf",
    "http://[broken/p.pdf",
)


def test_only_an_address_for_everybody_is_shown() -> None:
    inside = frozenset({"papers.example.org"})
    assert [each for each in PUBLIC_ADDRESSES if not is_for_the_public(each, inside)] == []
    assert [each for each in NOBODYS_ADDRESSES if is_for_the_public(each, inside)] == []


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.org/a.pdf", True),
        ("https://example.org/a.pdf?token=x", False),
        ("https://papers.example.org/a.pdf", False),
    ],
)
async def test_where_a_document_came_from_is_shown_if_everybody_may_know(address: str, shown: bool) -> None:
    world = await populated()
    stated = HttpSettings.model_validate({"public_url": BASE})
    library = LibrarySettings(intranet=("papers.example.org:443",))
    world.use(Settings(data=world.app.settings.data, http=stated, library=library))
    words = "Die Fähre fährt an jedem Tag der Woche über den Fluss und wieder zurück."
    await world.add("ferry.pdf", words, parties=("Uferpartei",), source_uri=address)
    async with asked_over_http(world) as asked:
        await asked.token("public")
        found = (await asked.post("/v1/verify", text=words)).json()["matches"][0]["link"]
        page = unescape((await opened(asked, found.removeprefix(BASE))).text)
    assert (f'href="{address}"' in page) == shown


async def test_requests_from_a_network_are_bounded(asked: Asked) -> None:
    found = [(await opened(asked, "/p/nothing")).status_code for _ in range(PER_MINUTE + 1)]
    assert found == [404] * PER_MINUTE + [429]


async def test_an_answer_is_not_lost_with_its_links(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object, **__: object) -> dict[str, str]:
        raise Unavailable("database.busy", "locked")

    monkeypatch.setattr(asked.world.app.page_links, "give", full)
    assert set(await links(asked)) == {None}


def test_every_text_of_the_pages_is_shown_somewhere() -> None:
    shown = "".join(
        path.read_text(encoding="utf-8")
        for path in [*(ROOT / "bot" / "http").rglob("*"), ROOT / "bot" / "answers" / "links.py"]
        if path.suffix in (".py", ".html")
    )
    used = set(re.findall(r"link\.[a-z_]+", shown)) | {
        f"link.form_{each}" for each in ("plain", "markdown", "bibtex", "csl")
    }
    assert {key for key in catalogue("en") if key.startswith("link.")} <= used
