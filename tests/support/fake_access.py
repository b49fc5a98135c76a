"""Tokens and links in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from core.domain.access import AccessToken
from core.domain.records import AnswerLink, CitationRecord, PageLink


class FakeAccess:
    """The `AccessTokens` port."""

    def __init__(self) -> None:
        self.kept: dict[str, AccessToken] = {}

    async def add(self, token: AccessToken, digest: str) -> bool:
        if token.name in {each.name for each in self.kept.values()}:
            return False
        self.kept[digest] = token
        return True

    async def find(self, digest: str) -> AccessToken | None:
        return self.kept.get(digest)

    async def all(self) -> list[AccessToken]:
        return sorted(self.kept.values(), key=lambda token: token.name)

    async def remove(self, name: str) -> bool:
        found = [digest for digest, token in self.kept.items() if token.name == name]
        for digest in found:
            del self.kept[digest]
        return bool(found)


class FakePageLinks:
    """The `PageLinks` port; ids are numbers."""

    def __init__(self) -> None:
        self.kept: dict[str, PageLink] = {}
        self.answers: dict[tuple[str, ...], AnswerLink] = {}

    async def give(self, citations: Mapping[str, CitationRecord], *, at: datetime) -> dict[str, str]:
        for digest, citation in citations.items():
            known = self.kept.get(digest) or PageLink(
                id=f"link{len(self.kept)}", given_at=at, citation=citation
            )
            self.kept[digest] = replace(known, given_at=at)
        return {digest: self.kept[digest].id for digest in citations}

    async def find(self, link: str) -> PageLink | None:
        return next((each for each in self.kept.values() if each.id == link), None)

    async def give_answer(self, links: Sequence[str], language: str, *, at: datetime) -> str:
        key = (language, *links)
        known = self.answers.get(key) or AnswerLink(
            id=f"answer{len(self.answers)}", given_at=at, links=tuple(links), language=language
        )
        self.answers[key] = replace(known, given_at=at)
        return known.id

    async def find_answer(self, link: str) -> AnswerLink | None:
        return next((each for each in self.answers.values() if each.id == link), None)

    async def purge(self, *, before: datetime) -> int:
        self.answers = {key: link for key, link in self.answers.items() if link.given_at >= before}
        over = [digest for digest, link in self.kept.items() if link.given_at < before]
        for digest in over:
            del self.kept[digest]
        return len(over)
