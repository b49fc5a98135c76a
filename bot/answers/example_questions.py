"""Questions to show people: each was asked and is answered by the library as it is."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from bot.presentation import Presenter, Texts
from bot.presentation.wording import defused
from core.answering.asker import Asker
from core.answering.extractive.terms import content_words, topic_terms
from core.answering.forms import EXTRACTIVE
from core.domain.answers import Notice, Outcome
from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage
from core.domain.scope import Scope
from core.language.languages import of, tags
from core.ports.clock import Clock
from core.ports.library import Library

COUNT = 3
_TRIED, _LOOKED_AT = 12, 40
_SHORTEST, _LONGEST = 5, 40
"""Characters of a topic."""
_WORDS = 3
"""Of a heading that is a topic: a longer one is a slogan."""


@dataclass(slots=True)
class ExampleQuestions:
    """Finds them once for each state of the library."""

    asker: Asker
    library: Library
    clock: Clock
    presenter: Presenter
    _known: dict[tuple[tuple[str, ...], str], tuple[frozenset[VersionId], tuple[str, ...]]] = field(
        default_factory=dict
    )

    async def of(self, collections: tuple[str, ...], texts: Texts) -> tuple[str, ...]:
        """At most `COUNT` questions to `collections`, each of another document where there are as many, in
        one language: the reader's where there are such documents, else that of most of them."""
        scope = Scope(collections=collections)
        editions = await self.library.editions(scope, on=self.clock.now().date())
        state, key = frozenset(edition.version.id for edition in editions), (collections, texts.language)
        if key not in self._known or self._known[key][0] != state:
            self._known[key] = state, await self._found(scope, editions, texts)
        return self._known[key][1]

    async def notice(self, collections: tuple[str, ...], language: str) -> tuple[Notice, ...]:
        """The questions as something to be said to a reader of `language`; nothing where there are none."""
        found = await self.of(collections, self.presenter.texts(language))
        lines = "\n".join(f"- {defused(question)}" for question in found)
        return (Notice(key="info.examples", values={"questions": lines}),) if found else ()

    async def _found(self, scope: Scope, editions: Sequence[Edition], texts: Texts) -> tuple[str, ...]:
        spoken = Counter(edition.document.fields.language for edition in editions)
        for language in sorted(spoken, key=lambda each: (each != texts.language, -spoken[each], each)):
            own = [each for each in editions if each.document.fields.language == language]
            words = Texts(language) if language in tags() else texts
            if found := tuple([each async for each in self._answered(scope, own, words)]):
                return found
        return ()

    async def _answered(self, scope: Scope, editions: Sequence[Edition], texts: Texts) -> AsyncIterator[str]:
        """Every party and place before any is named twice, every document before any is asked twice."""
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
            question = next(questions, None)
            if question is None:
                continue
            tried += 1
            if await self._is_answered(question, scope, edition):
                found += 1
                yield question
            offered.append((edition, questions))

    async def _questions(self, edition: Edition, texts: Texts) -> list[str]:
        fields = edition.document.fields
        who: str = self.presenter.names.parties(*fields.parties)
        passages = await self.library.passages_at(edition.version.id, range(_LOOKED_AT))
        opening = len(passages) // 4  # covers, contents, definitions: what it is about comes behind them
        ordered = [*passages[opening:], *passages[:opening]]
        headings = [topic for each in ordered for topic in _heading(each, fields.language)]
        slogans = bool(who)  # headings of programmes may be: those of one word come first
        named = sorted(headings, key=lambda topic: slogans and len(topic.split()) > 1)
        topics = dict.fromkeys(
            [*named, *(topic for each in ordered for topic in _word(each, fields.language))]
        )
        known = f"{fields.title} {who}".casefold()
        fitting = [topic for topic in topics if topic.casefold() not in known]
        key = "hello.example_of" if who else "hello.example"
        return [texts(key, who=who or fields.title, topic=topic) for topic in fitting]

    async def _is_answered(self, question: str, scope: Scope, edition: Edition) -> bool:
        """Whether the document that the question was made from answers it."""
        answer = (await self.asker.answered(question, scope=scope, answerer=EXTRACTIVE)).answer
        cited = {item.edition.document.id for item in answer.citations}
        return answer.outcome is Outcome.GROUNDED and edition.document.id in cited


def _heading(passage: Passage, language: str) -> list[str]:
    """The heading a passage stands under, or begins with: a few words above others, no furniture. One
    that begins with a small word ("Für mehr ...") names no topic."""
    first, _, rest = passage.text.partition("\n")
    if passage.section:
        heading = passage.section.title
    else:
        named = rest and first.replace(" ", "").isalpha() and first[0].isupper() and not first.isupper()
        heading = first if named and len(first.split()) <= _WORDS else ""
    words = heading.replace("-", " ").split()
    if not _SHORTEST <= len(heading) <= _LONGEST or not all(word.isalpha() for word in words):
        return []
    return [heading] if content_words(words[0], language) else []


def _word(passage: Passage, language: str) -> list[str]:
    """The noun that the beginning of a passage comes back to, else its longest."""
    capital = of(language).topics.nouns_have_capitals
    words = [word.strip('.,:;()„“"') for word in passage.text.split()[:40]]
    nouns = Counter(word for word in words if word.isalpha() and topic_terms(word, language))
    fitting = [word for word in nouns if len(word) >= _SHORTEST and not word.isupper()]
    fitting = [word for word in fitting if word[0].isupper() or not capital]
    return sorted(fitting, key=lambda word: (nouns[word], len(word)), reverse=True)[:1]
