"""Who wants or rejects a thing: questions that name no party, answered by each party's own papers.

A statute wants nothing, and a party that is not quoted may still want it. So every party in scope is searched
separately, as in a comparison, and reported as wanting it, wanting the opposite, saying something
inconclusive, or saying nothing (decision 0033).
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from core.answering.extractive.candidates import PASSAGES_EACH
from core.answering.extractive.citations import Citer
from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import LEAST, Naming, naming
from core.answering.extractive.sentences import Extractor, sentences_in
from core.answering.stances import (
    NOBODY_READS,
    StanceReader,
    as_named,
    may_show,
    names,
    of_sentence,
    sentences_of,
)
from core.domain.answers import NAMES_BETWEEN, Answer, Citation, Notice
from core.domain.documents import POLITICAL_TYPES, Edition
from core.domain.search import Hit
from core.language.stated import holds_number
from core.language.terms import held, terms
from core.message_keys import NoticeKey
from core.question.parsed import nameless
from core.question.usual_words import said_alike
from core.question.who import Stance, amount_asked
from core.search.plan import SearchResult
from core.search.scope import Group
from core.search.searcher import Searcher

LOOKED_AT = 20
"""Number of passages per party that are searched for the thing."""

EACH = 12
"""Number of a party's sentences naming the thing that are read: the first that shows a stance is quoted,
those with a number before others."""

SURE = 2.0
"""Minimum reader score that counts as much as a sentence that shows its writer's stance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoWants:
    """Answers questions about who wants a thing. `reader` handles what the rules cannot."""

    searcher: Searcher
    extractor: Extractor
    citer: Citer
    reader: StanceReader = NOBODY_READS

    def is_asked(self, result: SearchResult) -> bool:
        """Whether a question asks who wants or rejects something, and party documents are in its scope."""
        plan = result.plan
        named = plan.detected.parties or plan.scope.parties or plan.scope.documents or len(plan.groups) > 1
        return not named and plan.question.asks_who and bool(_spoken(result.searched))

    async def extracts(self, result: SearchResult) -> list[Extract]:
        """One sentence from each party that says something on the thing asked about: first those that show
        what was asked for, then those that show the opposite."""
        plan = result.plan
        spoken = _spoken(result.searched)
        groups = [
            Group(scope=replace(plan.scope, parties=parties), editions=tuple(editions))
            for parties, editions in spoken.items()
        ]
        thing = result.subject.thing
        if not thing:
            return []
        results = await self.searcher.search_groups(nameless(thing, plan.language), groups, k=LOOKED_AT)
        picked = [shown for each in results if (shown := await self._of_party(each, result))]
        wanted = plan.question.side
        order = (wanted, Stance(-wanted), Stance.UNKNOWN) if wanted else (Stance.UNKNOWN,)
        return [extract for way in order for stance, extract in picked if stance is way or not wanted]

    async def _of_party(self, own: SearchResult, result: SearchResult) -> tuple[Stance, Extract] | None:
        """A party's stance, and the sentence that shows it; UNKNOWN with what it says about the thing if no
        sentence shows a stance, or they show both. None if it says nothing about it."""
        read = await self._readings(own.best, result)
        if len({way for way, _ in read}) == 1:
            for way, each in sorted(read, key=lambda found: not holds_number(found[1].text)):
                if isinstance(await self.citer.cite("", each), Citation):
                    return way, each
        said = await self._best_sentence(own)
        return (Stance.UNKNOWN, said) if said else None

    async def _readings(self, best: Sequence[Hit], result: SearchResult) -> list[tuple[Stance, Extract]]:
        """The first sentences of a party that name the thing, with the stance that each shows."""
        if not _wanted(result):
            return []
        topics = cache(lambda written: _topic(result, written))

        def is_named(extract: Extract) -> bool:
            written = extract.hit.edition.document.fields.language
            topic = topics(written)
            return names(topic, as_named(extract.text, topic, written), written)

        named = await asyncio.to_thread(lambda: _once(filter(is_named, sentences_in(best))))
        read = [
            (await self._of_text(extract.text, result, extract.hit.edition), extract)
            for extract in named[:EACH]
        ]
        return [(way, replace(extract, read=SURE)) for way, extract in read if way]

    async def _best_sentence(self, own: SearchResult) -> Extract | None:
        """A party's best sentence about the thing, None if there is none."""
        picked = await self.extractor.pick(own.subject, own.best[:PASSAGES_EACH], 1, topic=True)
        for each, read in zip(picked, await self.extractor.readings(own.subject, picked), strict=True):
            way = naming(own.subject, each)
            if (way >= Naming.WHOLE) if read is None else read >= LEAST[way]:
                return each
        return None

    async def in_order(
        self, citations: Sequence[Citation], result: SearchResult, limit: int
    ) -> list[Citation]:
        """At most `limit` quotes, in their order; if the question asks who wants or rejects a thing, all that
        show it come first, then those that show the opposite, then others as far as there is room."""
        wanted = _wanted(result)
        if wanted is Stance.UNKNOWN or len(result.plan.groups) > 1:
            return list(citations[:limit])
        read = [(await self._read(item, result), item) for item in citations]
        known = [item for way in (wanted, -wanted) for found, item in read if found == way]
        return [*known, *(item for found, item in read if not found)][: max(limit, len(known))]

    async def notices(
        self, answer: Answer, others: Sequence[Notice], result: SearchResult
    ) -> tuple[Notice, ...]:
        """Notices which parties' quotes say what is asked for, which say the opposite and which do neither;
        and, of those neither quoted nor among the `others` mentioned, which say nothing and which cannot be
        judged here. That nobody says it is stated only if nothing is left unjudged. Empty if no party is
        quoted."""
        spoken = [item for item in answer.citations if _speaks(item.edition)]
        if not spoken or not self.is_asked(result):
            return ()
        wanted = _wanted(result)
        keys: tuple[tuple[NoticeKey, Stance], ...] = (
            ("notice.stance.asked", wanted),
            ("notice.stance.opposite", Stance(-wanted)),
            ("notice.stance.unknown", Stance.UNKNOWN),
        )
        read = [(await self._read(item, result) if wanted else Stance.UNKNOWN, item) for item in spoken]
        heard = {each for item in spoken for each in item.edition.document.fields.parties}
        heard |= {name for each in others for name in each.values.get("name", "").split(NAMES_BETWEEN)}
        beside = [own for parties, own in _spoken(result.searched).items() if heard.isdisjoint(parties)]
        silent = await self._silent(beside, result)
        untold = [own for own in beside if own not in silent]
        judged = not others and not untold and all(each for each, _ in read)
        told = []
        for key, way in keys if wanted else keys[2:]:
            own = [item for each, item in read if each is way]
            labels = tuple(item.label for item in own)
            if own:
                shown = ", ".join(f"[{label}]" for label in labels)
                values = {"name": _names(item.edition for item in own), "labels": shown}
                told.append(Notice(key=key, values=values, labels=labels))
            elif wanted and way is wanted and judged:
                told.append(Notice(key="notice.stance.nobody"))
        left: tuple[tuple[NoticeKey, list[list[Edition]]], ...] = (
            ("notice.stance.untold", untold),
            ("notice.stance.silent", silent),
        )
        told += [Notice(key=key, values={"name": _names(e[0] for e in own)}) for key, own in left if own]
        return tuple(told)

    async def _silent(self, papers: Sequence[list[Edition]], result: SearchResult) -> list[list[Edition]]:
        """Those of the parties' `papers` that say nothing on the topic: in the question's language, and
        without any of its words in the nearest passages. In another language too much would be overlooked."""
        language = result.plan.language
        topic = result.subject.terms
        if result.subject.is_translated or not topic:
            return []
        own = [each for each in papers if all(e.document.fields.language == language for e in each)]
        words = result.subject.thing
        nearest = await self.searcher.nearest(result.subject.text, words, language, own) if own else []
        return [
            each
            for each, passages in zip(own, nearest, strict=True)
            if not any(held(term, terms(p.embedded_text, language)) for p in passages for term in topic)
        ]

    async def _read(self, citation: Citation, result: SearchResult) -> Stance:
        """The stance of a party's quote on what was asked."""
        return await self._of_text(citation.quote.text, result, citation.edition)

    async def _of_text(self, text: str, result: SearchResult, edition: Edition) -> Stance:
        """The stance of a party's text on what was asked; UNKNOWN if it shows neither, or both."""
        fields = edition.document.fields
        topic = _topic(result, fields.language)
        if not _speaks(edition) or not topic:
            return Stance.UNKNOWN
        plan = result.plan
        amount = bool(amount_asked(plan.question.asked, plan.language))
        found = [
            await self._of_sentence(each, topic, fields.language, fields.parties, amount=amount)
            for each in sentences_of(as_named(text, topic, fields.language))
        ]
        known = {each for each in found if each}
        return known.pop() if len(known) == 1 else Stance.UNKNOWN

    async def _of_sentence(
        self, sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str], *, amount: bool
    ) -> Stance:
        """The stance by the rules, unless the head finds the opposite; otherwise the head's, which cannot
        distinguish more of a thing from less."""
        ruled = of_sentence(sentence, topic, language, speakers, amount=amount)
        if ruled is None or amount:
            return ruled or Stance.UNKNOWN
        read = Stance(await self.reader.stance(sentence, topic, language, speakers))
        if ruled:
            return Stance.UNKNOWN if read == -ruled else ruled
        return read if may_show(sentence, topic, language, speakers) else Stance.UNKNOWN


def _once(named: Iterable[Extract]) -> list[Extract]:
    """The sentences without repetition, since passages overlap."""
    found: dict[str, Extract] = {}
    for each in named:
        found.setdefault(each.text, each)
    return list(found.values())


def _names(editions: Iterable[Edition]) -> str:
    return NAMES_BETWEEN.join(dict.fromkeys("/".join(each.document.fields.parties) for each in editions))


def _spoken(editions: Sequence[Edition]) -> dict[tuple[str, ...], list[Edition]]:
    """The documents of each party, or of those that wrote them together."""
    found: dict[tuple[str, ...], list[Edition]] = {}
    for edition in editions:
        if _speaks(edition):
            found.setdefault(edition.document.fields.parties, []).append(edition)
    return found


def _speaks(edition: Edition) -> bool:
    fields = edition.document.fields
    return bool(fields.parties) and fields.doc_type in POLITICAL_TYPES


def _topic(result: SearchResult, language: str) -> frozenset[str]:
    """The terms of the thing asked about for documents in `language`: as asked, apart from everyday words, if
    that is the question's language; none if the language has no words for it."""
    subject = result.subject
    if language == subject.language:
        return terms(said_alike(subject.thing_said, language), language)
    return terms(subject.thing, language) if language == subject.written else frozenset()


def _wanted(result: SearchResult) -> Stance:
    return result.plan.question.side
