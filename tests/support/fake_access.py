"""Tokens in memory."""

from core.domain.access import AccessToken


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
