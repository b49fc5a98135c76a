"""What every `Summaries` does: the fake, SQLite and PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from adapters.database.summaries import SqlSummaries
from core.domain.answers import Citation, Claim, Notice, Quote, Rejected, Verdict
from core.domain.documents import Document, DocumentStatus, DocumentType, Edition, VersionStatus
from core.domain.ids import DocumentId
from core.domain.journal import Pseudonyms, Retention
from core.domain.pages import TextSource
from core.domain.passages import PassageKind, Section, Span
from core.domain.scope import Missing, Scope
from core.domain.summaries import Summary, SummaryDraft, Topic
from core.ports.library import Library, Summaries
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY
from tests.support.fake_library import FakeLibrary
from tests.support.fake_summaries import FakeSummaries
from tests.support.library_examples import START, day, document, page, passage, version

PUBLIC = Scope(collections=("public",))
BOTH = Scope(collections=("internal", "public"))
Stores = tuple[Library, Summaries]


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    if request.param == "fake":
        fake = FakeLibrary()
        yield fake, FakeSummaries(fake)
        return
    sqlite = request.param == "sqlite"
    server = "" if sqlite else request.getfixturevalue("postgresql")
    url = sqlite_url(tmp_path / "library.db") if sqlite else await postgresql_url(server)
    database = await Database.open(url)
    library = SqlLibrary(database)
    yield library, SqlSummaries(database)
    await library.close()


async def active(library: Library, of: Document, content: str = "first") -> Edition:
    item = version(of, content)
    await library.save_document(of)
    await library.add_version(item, [page(1)], [passage(item)])
    await library.activate(item.id, at=START)
    return await edition(library, Edition(document=of, version=item))


async def edition(library: Library, of: Edition) -> Edition:
    """The edition as the library has it now."""
    now, bytes_ = await library.document(of.document.id), await library.version(of.version.id)
    assert now is not None
    assert bytes_ is not None
    return Edition(document=now, version=bytes_)


def citation(of: Edition, label: str = "S1", **changes: object) -> Citation:
    plain = Citation(
        label=label,
        edition=of,
        passage=passage(of.version).id,
        section=Section(id="par:4", title="Schutz", path=("4", "a"), hierarchy=("Teil 1",)),
        quote=Quote(spans=(Span(1, 0, 10), Span(2, 3, 9)), text="Bäume sind zu [...] schützen."),
        verdict=Verdict.VERBATIM,
        text_source=TextSource.OCR,
        printed_labels=("iv", None),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def draft(*citations: Citation, name: str = "Bäume", scope: Scope = PUBLIC, number: int = 0) -> SummaryDraft:
    return SummaryDraft(
        topic=Topic(name=name, scope=scope),
        language="de",
        made_at=day(number),
        scope=replace(scope, jurisdictions=("xa",)),
        claims=tuple(Claim(text=f"Satz {item.label}.", labels=(item.label,)) for item in citations),
        citations=citations,
        missing=(Missing(kind="party", name="Alpha"),),
        confidence=0.625,
        notices=(Notice(key="notice.group_silent", values={"name": "Beta"}, labels=("S1",)),),
        rejected=(Rejected(what="quote", text="Nichts.", why="absent"),),
        answerer="extractive",
    )


def without_id(summary: Summary) -> SummaryDraft:
    names = SummaryDraft.__dataclass_fields__
    return SummaryDraft(**{name: getattr(summary, name) for name in names})


async def test_it_comes_back_word_for_word(stores: Stores) -> None:
    library, summaries = stores
    one, other = await active(library, document()), await active(library, document("b.pdf"))
    bare = citation(other, "F1", section=None, passage=None, text_source=TextSource.NATIVE)
    bare = replace(bare, kind=PassageKind.FIGURE)
    scope = Scope(
        collections=("public", "internal"),
        jurisdictions=("xa",),
        parties=("Beta",),
        doc_types=(DocumentType.ACT,),
        documents=(DocumentId(one.document.id),),
        editions=(2025,),
        as_of=date(2026, 2, 1),
    )
    made = replace(draft(citation(one), bare, scope=scope), answerer="llm:m", prompt="summary@1")
    added = await summaries.add(made)
    assert without_id(added) == made
    assert await summaries.summary(added.id) == added
    (entry,) = await summaries.entries()
    assert (entry.id, entry.number, entry.topic, entry.scope) == (added.id, 1, made.topic, made.scope)
    assert (entry.made_at, entry.answerer) == (made.made_at, "llm:m")
    assert entry.versions == (one.version.id, other.version.id)


async def test_numbers_count_per_topic_and_scope(stores: Stores) -> None:
    library, summaries = stores
    source = citation(await active(library, document()))
    near = replace(PUBLIC, jurisdictions=("xa", "xb"))
    far = replace(PUBLIC, jurisdictions=("xb", "xa"))
    topics = [("Bäume", PUBLIC), (" BÄUME ", PUBLIC), ("Bäume", near), ("bäume", far), ("Seen", PUBLIC)]
    added = [await summaries.add(draft(source, name=name, scope=scope)) for name, scope in topics]
    assert [item.number for item in added] == [1, 2, 1, 2, 1]
    assert len({item.id for item in added}) == 5
    assert added[1].topic == added[0].topic, "the first summary makes the topic"
    assert [item.id for item in await summaries.entries()] == [item.id for item in reversed(added)]


async def test_many_at_once_have_numbers_of_their_own(stores: Stores) -> None:
    library, summaries = stores
    source = citation(await active(library, document()))
    added = await asyncio.gather(*(summaries.add(draft(source)) for _ in range(8)))
    assert sorted(item.number for item in added) == list(range(1, 9))


@pytest.mark.parametrize(
    ("collections", "seen"),
    [
        (None, {"Bäume", "Seen"}),
        (("public",), {"Bäume"}),
        (("internal",), set()),
        (("public", "internal"), {"Bäume", "Seen"}),
        ((), set()),
    ],
)
async def test_only_who_may_see_all_its_collections_sees_it(
    stores: Stores, collections: tuple[str, ...] | None, seen: set[str]
) -> None:
    library, summaries = stores
    source = citation(await active(library, document()))
    added = [await summaries.add(draft(source)), await summaries.add(draft(source, name="Seen", scope=BOTH))]
    assert {entry.topic.name for entry in await summaries.entries(collections)} == seen
    found = [await summaries.summary(item.id, collections) for item in added]
    assert {item.topic.name for item in found if item} == seen
    listed = {version for entry in await summaries.entries(collections) for version in entry.versions}
    assert bool(listed) == bool(seen)


async def test_what_is_not_there_is_none(stores: Stores) -> None:
    _, summaries = stores
    assert await summaries.summary(7) is None
    assert await summaries.entries() == []
    assert not await summaries.remove(7)


async def test_a_removed_one_is_gone_and_its_numbers_with_it(stores: Stores) -> None:
    library, summaries = stores
    source = citation(await active(library, document()))
    first, second = await summaries.add(draft(source)), await summaries.add(draft(source))
    assert await summaries.remove(second.id)
    assert await summaries.summary(second.id) is None
    third = await summaries.add(draft(source))
    assert third.number == 3
    assert third.id not in (first.id, second.id)


async def test_quotes_stay_when_their_document_is_deleted_and_read_again(stores: Stores) -> None:
    library, summaries = stores
    source = await active(library, document(title="Satzung"))
    added = await summaries.add(draft(citation(source)))
    await library.delete_document(source.document.id, at=day(1))
    gone = await summaries.summary(added.id)
    assert gone is not None
    assert gone.claims == added.claims
    assert gone.citations[0].quote == added.citations[0].quote
    assert gone.citations[0].edition.document.status is DocumentStatus.DELETED
    assert gone.citations[0].edition.version.status is VersionStatus.DELETED
    again = await active(library, document(title="Satzung (2026)"))
    back = await summaries.summary(added.id)
    assert back is not None
    assert back.citations[0].edition == again


def stored(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_topics_go_with_their_last_summary_and_its_term(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path / "terms.db"))
    library, summaries = SqlLibrary(database), SqlSummaries(database)
    journal = SqlJournal(database, Pseudonyms(KEY))
    quoted = citation(await active(library, document()))
    for name, number in (("Bäume vorm Haus", 0), ("Wege zum Ufer", 0), ("Wege zum Ufer", 5)):
        await summaries.add(draft(quoted, name=name, number=number))
    purged = await journal.purge(Retention(summaries=timedelta(days=30)), at=day(32))
    assert purged.summaries == 2
    assert [(entry.topic.name, entry.number) for entry in await summaries.entries()] == [("Wege zum Ufer", 2)]
    await library.close()
    content = stored(tmp_path)
    assert b"vorm Haus" not in content
    assert b"zum Ufer" in content
