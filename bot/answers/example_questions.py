"""Example questions to show people: each was asked and is answered by the current library."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from core.answering.asker import Asker
from core.answering.forms import EXTRACTIVE
from core.asides import Asides
from core.domain.answers import Notice, Outcome
from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage, PassageKind
from core.domain.scope import Scope
from core.language import lemmas
from core.language.languages import of, tags
from core.language.terms import content_words
from core.ports.clock import Clock
from core.ports.library import Library
from core.question.subject import topic_terms

COUNT = 3
_TRIED, _LOOKED_AT = 12, 40
_SHORTEST, _LONGEST = 5, 40
"""Maximum characters of a topic."""
_SEVERAL = 2
"""Minimum parties for a comparison."""
FOUND_EVERY_S = 60.0
PATIENCE_S = 2.0
"""Seconds that a greeting or a help text waits for its examples: it is helpful without them too."""
_WORDS = 3
"""Maximum words of a heading that is a topic: a longer one is a slogan."""


_Reader = tuple[tuple[str, ...], str]
"""The visible collections, and the language of the bot's wording."""


@dataclass(slots=True)
class ExampleQuestions:
    """Finds example questions once for each state of the library."""

    asker: Asker
    library: Library
    clock: Clock
    presenter: Presenter
    _known: dict[_Reader, tuple[frozenset[VersionId], tuple[str, ...]]] = field(default_factory=dict)
    _finding: dict[_Reader, asyncio.Task[tuple[str, ...]]] = field(default_factory=dict)
    _asides: Asides = field(default_factory=Asides)

    async def prepare(self, chats: Iterable[tuple[str, ...]]) -> None:
        """Find them in advance: for `chats`, given by their collections, in the language of most of their
        documents, and for readers who were shown some before."""
        readers = set(self._known)
        for collections in {*chats}:
            editions = await self._editions(collections)
            spoken = Counter(edition.document.fields.language for edition in editions)
            readers |= {
                (collections, language) for language, _ in spoken.most_common(1) if language in tags()
            }
        for collections, language in sorted(readers):
            await asyncio.shield(self._sought(collections, Texts(language)))

    def _sought(self, collections: tuple[str, ...], texts: Texts) -> "asyncio.Task[tuple[str, ...]]":
        """The search for a reader's questions, shared by everybody waiting for it."""
        key = (collections, texts.language)
        if key not in self._finding or self._finding[key].done():
            self._finding[key] = self._asides.start(self.of(collections, texts))
        return self._finding[key]

    async def of(self, collections: tuple[str, ...], texts: Texts) -> tuple[str, ...]:
        """At most `COUNT` questions to `collections`, each from a different document if there are enough, in
        one language: the reader's if there are such documents, else that of most of them."""
        editions = await self._editions(collections)
        state, key = frozenset(edition.version.id for edition in editions), (collections, texts.language)
        if key not in self._known or self._known[key][0] != state:
            self._known[key] = state, await self._found(Scope(collections=collections), editions, texts)
        return self._known[key][1]

    async def _editions(self, collections: tuple[str, ...]) -> list[Edition]:
        return await self.library.editions(Scope(collections=collections), on=self.clock.today())

    async def notice(
        self, collections: tuple[str, ...], language: str, *, within_s: float | None = None
    ) -> tuple[Notice, ...]:
        """The questions as text for a reader of `language`; empty if there are none, or if finding them takes
        longer than `within_s`: then the search continues for whoever asks next."""
        finding = self._sought(collections, self.presenter.texts(language))
        await asyncio.wait([finding], timeout=within_s)
        found = finding.result() if finding.done() else ()
        lines = "\n".join(f"- {defused(question)}" for question in found)
        return (Notice(key="info.examples", values={"questions": lines}),) if found else ()

    async def _found(self, scope: Scope, editions: Sequence[Edition], texts: Texts) -> tuple[str, ...]:
        spoken = Counter(edition.document.fields.language for edition in editions)
        for language in sorted(spoken, key=lambda each: (each != texts.language, -spoken[each], each)):
            own = [each for each in editions if each.document.fields.language == language]
            words = Texts(language) if language in tags() else texts
            if found := [each async for each in self._answered(scope, own, words)]:
                compared = await self._compared(scope, own, [each.topic for each in found], words)
                asked = [each.question for each in found]
                return (*asked[: COUNT - 1], compared) if compared else tuple(asked)
        return ()

    async def _compared(
        self, scope: Scope, editions: Sequence[Edition], topics: Sequence[str], texts: Texts
    ) -> str:
        """A comparison question that several parties answer; empty if there is none."""
        if len({each.document.fields.parties for each in editions} - {()}) < _SEVERAL:
            return ""
        for topic in topics:
            question: str = texts("hello.example_all", topic=topic)
            cited = await self._cited(question, scope)
            if len({each.document.fields.parties for each in cited} - {()}) >= _SEVERAL:
                return question
        return ""

    async def _answered(
        self, scope: Scope, editions: Sequence[Edition], texts: Texts
    ) -> AsyncIterator["_Example"]:
        """The questions in an order that names every party and place before any twice, and asks every
        document before any twice."""
        ordered = sorted(editions, key=lambda each: each.document.id)
        said: dict[object, Edition] = {}
        for edition in ordered:
            fields = edition.document.fields
            said.setdefault((fields.parties, fields.jurisdiction, fields.doc_type), edition)
        asked = [*said.values(), *(each for each in ordered if each not in said.values())][:_TRIED]
        offered = [(edition, iter(await self._questions(edition, texts))) for edition in asked]
        tried = found = 0
        while offered and found < COUNT and tried < _TRIED:
            edition, questions = offered.pop(0)
            example = next(questions, None)
            if example is None:
                continue
            tried += 1
            if edition.document.id in {
                each.document.id for each in await self._cited(example.question, scope)
            }:
                found += 1
                yield example
            offered.append((edition, questions))

    async def _questions(self, edition: Edition, texts: Texts) -> list["_Example"]:
        fields = edition.document.fields
        presenter = self.presenter.within([edition.document.collection])
        who: str = presenter.names.parties(*fields.parties)
        found = await self.library.passages_at(edition.version.id, range(_LOOKED_AT))
        passages = [each for each in found if each.kind is not PassageKind.TABLE]
        opening = len(passages) // 4  # skip covers, contents and definitions: the substance comes after them
        ordered = [*passages[opening:], *passages[:opening]]
        headings = [topic for each in ordered for topic in _heading(each, fields.language)]
        slogans = bool(who)  # headings of programmes may be topics: those of one word come first
        named = sorted(headings, key=lambda topic: slogans and len(topic.split()) > 1)
        known = f"{fields.title} {who}".casefold()
        topics = _outside(named, known) or _outside(
            (topic for each in ordered for topic in _word(each, fields.language)), known
        )
        key = "hello.example_of" if who else "hello.example"
        return [_Example(topic, texts(key, who=who or fields.title, topic=topic)) for topic in topics]

    async def _cited(self, question: str, scope: Scope) -> list[Edition]:
        """The editions that answer a question; none if it is not answered."""
        answer = (await self.asker.answered(question, scope=scope, answerer=EXTRACTIVE)).answer
        return [item.edition for item in answer.citations] if answer.outcome is Outcome.GROUNDED else []


@dataclass(frozen=True, slots=True)
class _Example:
    """A question about a topic."""

    topic: str
    question: str


def _outside(topics: Iterable[str], known: str) -> list[str]:
    """Topics that are not part of the asked party's or place's name, without repetition."""
    return [topic for topic in dict.fromkeys(topics) if topic.casefold() not in known]


def _heading(passage: Passage, language: str) -> list[str]:
    """The heading above or at the start of a passage: a few words above others, not furniture. One that
    begins with a function word ("Für mehr ...") names no topic."""
    first, _, rest = passage.text.partition("\n")
    if passage.section:
        heading = passage.section.title
    else:
        named = rest and first.replace(" ", "").isalpha() and first[0].isupper() and not first.isupper()
        heading = first if named and len(first.split()) <= _WORDS else ""
    words = heading.replace("-", " ").split()
    if not _SHORTEST <= len(heading) <= _LONGEST or not all(word.isalpha() for word in words):
        return []
    return [heading] if content_words(words[0], language) and not _is_row(words, language) else []


def _is_row(words: Sequence[str], language: str) -> bool:
    """Whether it consists only of nouns, like the first row of a table ("These Antwort"): only languages that
    capitalise nouns show that."""
    if len(words) < 2 or language not in tags() or not of(language).topics.nouns_have_capitals:
        return False
    return all(word[0].isupper() and lemmas.lemma(word, language) == word for word in words)


def _word(passage: Passage, language: str) -> list[str]:
    """The noun that recurs at the beginning of a passage, in its base form: one that occurs once, or only
    inflected, is not a topic."""
    capital = of(language).topics.nouns_have_capitals
    words = [word.strip('.,:;()„“"') for word in passage.text.split()[:40]]
    nouns = Counter(word for word in words if word.isalpha() and topic_terms(word, language))
    fitting = [word for word in nouns if nouns[word] > 1 and len(word) >= _SHORTEST and not word.isupper()]
    fitting = [word for word in fitting if word[0].isupper() or not capital]
    fitting = [word for word in fitting if language in tags() and lemmas.lemma(word, language) == word]
    return sorted(fitting, key=lambda word: (nouns[word], len(word)), reverse=True)[:1]
