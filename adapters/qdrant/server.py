"""The index on a Qdrant server, or in the client's local mode for tests."""

import asyncio
import logging
import re
import ssl
import warnings
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx
import numpy as np
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from adapters.qdrant.codec import (
    CARRIED,
    INDEXED,
    TENANT,
    VERSION,
    BestOfEach,
    Probe,
    admitting,
    check_points,
    held_of,
    index_point,
    keys_payload,
    next_point,
    payload_of,
    probes_of,
    store_name,
    vector_sample,
    vectors_of,
    versions_of,
)
from adapters.qdrant.tuning import PRESETS, Tuning
from core.domain.ids import LibraryId, PassageId, VersionId
from core.domain.search import (
    Candidate,
    Held,
    IndexPoint,
    QueryVectors,
    ScopeKeys,
    Space,
    SparseVector,
    VectorSample,
    Within,
)
from core.errors import Broken, FundstelleError, Unavailable
from core.retrying import until_available

_LOG = logging.getLogger(__name__)

KnownVersions = Callable[[str], Awaitable[Collection[VersionId]]]

_POINTS_PER_REQUEST = 100
"""About 5 MB of JSON with three windows each; servers take 32 MB by default."""
_DENIED = (401, 403)
_ATTEMPTS, _PATIENCE_S = 3, 3.0
OLDEST = (1, 18)
"""The first version of the server whose settings are used."""
T = TypeVar("T")
P = ParamSpec("P")
_PASSING = (408, 425, 429)


@contextmanager
def server_errors() -> Iterator[None]:
    """Translate whatever the client or its transport raises to Unavailable or Broken."""
    try:
        yield
    except FundstelleError:
        raise
    except Exception as error:
        raise translated(error) from error


def translated(error: Exception) -> FundstelleError:
    """Our error for a third-party one."""
    if isinstance(error, ResponseHandlingException) and isinstance(error.source, ValueError):
        return _of_another("no answer of its")  # not JSON, or not the format of a Qdrant server
    if isinstance(error, ResponseHandlingException) and isinstance(error.source, Exception):
        return translated(error.source)
    if isinstance(error, ResourceExhaustedResponse):
        return Unavailable(
            "index.busy", f"the Qdrant server asks to wait: {error}", retry_after_s=error.retry_after_s
        )
    if isinstance(error, httpx.TransportError | OSError):
        return Unavailable(
            "index.unreachable",
            f"the Qdrant server does not answer ({type(error).__name__}: {error}). Is it running, and is its "
            "URL right?",
            retry_after_s=1.0,
        )
    if isinstance(error, UnexpectedResponse):
        return _of_status(error)
    return Broken("index.failed", f"the Qdrant client failed with {type(error).__name__}: {error}")


def _is_conflict(error: Exception) -> bool:
    """Whether the server says that something already exists."""
    return isinstance(error, UnexpectedResponse) and error.status_code == httpx.codes.CONFLICT


def _of_status(error: UnexpectedResponse) -> FundstelleError:
    status = error.status_code or 0
    if (error.content or b"").lstrip().startswith(b"<"):
        return _of_another(f"a page with HTTP {status}")
    if status in _DENIED:
        return Broken("index.denied", f"the Qdrant server refuses the API key (HTTP {status}): check it.")
    if status in _PASSING or status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return Unavailable("index.busy", f"the Qdrant server cannot serve now: {error}", retry_after_s=1.0)
    return Broken("index.failed", f"the Qdrant server refuses the request: {error}")


def _of_another(said: str) -> FundstelleError:
    detail = f"somebody else answers in the place of the Qdrant server ({said}). Is its URL right?"
    return Unavailable("index.unreachable", detail, retry_after_s=1.0)


def _is_gone(error: BaseException | None) -> bool:
    """Whether the server does not know a collection that it had."""
    return isinstance(error, UnexpectedResponse) and error.status_code == httpx.codes.NOT_FOUND


Calls = TypeVar("Calls", bound="ServerIndex")


def repeated(
    method: Callable[Concatenate[Calls, P], Awaitable[T]],
) -> Callable[Concatenate[Calls, P], Coroutine[Any, Any, T]]:
    """`method`, called again where the server cannot be reached or is busy for a moment: whatever is sent
    twice does the same as once. Errors come out as ours."""

    @wraps(method)
    async def call(self: Calls, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async def once() -> T:
            try:
                with server_errors():
                    return await method(self, *args, **kwargs)
            except Broken as error:
                if not _is_gone(error.__cause__):
                    raise
            self.forget()
            with server_errors():
                return await method(self, *args, **kwargs)

        return await until_available("Qdrant", once, attempts=_ATTEMPTS, patience_s=_PATIENCE_S)

    return call


class ServerIndex:
    """Implements `core.ports.PassageStore` with one server collection per collection.

    Server collections are called `<prefix>-<library>-<name>`, so that libraries on one server cannot meet.
    """

    def __init__(
        self,
        client: AsyncQdrantClient,
        *,
        prefix: str,
        library: LibraryId,
        primary: int,
        secondary: int,
        known_versions: KnownVersions | None = None,
        tuning: Tuning = PRESETS["small"],
        local: bool = False,
    ) -> None:
        """`primary`, `secondary`: dimensions of the encoders. `known_versions` are the library's, of a
        collection: they tell its own points among those that say not whose they are. `tuning`: how the
        server keeps collections. `local`: the client
        runs in local mode, which knows no payload indexes and always searches exactly. The index closes
        the client."""
        self._known_versions, self._looked = known_versions, set[str]()
        self._client, self._prefix, self._library, self._local = client, prefix, library, local
        self._primary, self._secondary = primary, secondary
        self._known: set[str] = set()
        self._tuning, self._is_checked = tuning, local

    @classmethod
    def connect(
        cls,
        url: str,
        *,
        api_key: str | None,
        prefix: str,
        library: LibraryId,
        primary: int,
        secondary: int,
        known_versions: KnownVersions | None = None,
        tuning: Tuning = PRESETS["small"],
        timeout_s: int = 30,
        ca_file: Path | None = None,
    ) -> "ServerIndex":
        """An index on the server at `url`; the first call connects. `ca_file`: the certificates (PEM) that
        the server's must be signed by, if not those that the system trusts. Raises Broken("index.ca_file")
        if it cannot be read."""
        trusted: dict[str, Any] = {}
        if ca_file is not None:
            try:
                trusted["verify"] = ssl.create_default_context(cafile=str(ca_file))
            except OSError as error:
                detail = f"[qdrant] ca_file {ca_file} holds no certificates in PEM form: {error}"
                raise Broken("index.ca_file", detail) from error
        with server_errors(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a key without TLS is reported by `doctor`, not on every call
            client = AsyncQdrantClient(
                url=url,
                api_key=api_key or None,
                timeout=timeout_s,
                check_compatibility=False,  # it asks while it is made, and only warns: see `_check`
                **trusted,
            )
        return cls(
            client,
            prefix=prefix,
            library=library,
            primary=primary,
            secondary=secondary,
            known_versions=known_versions,
            tuning=tuning,
        )

    def forget(self) -> None:
        """Look again whether collections are there, and fit."""
        self._known.clear()

    @repeated
    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points; the server has applied them when this returns."""
        check_points(points, primary=self._primary, secondary=self._secondary)
        name = await self._created(collection)
        for start in range(0, len(points), _POINTS_PER_REQUEST):
            rows = [_point(point) for point in points[start : start + _POINTS_PER_REQUEST]]
            await self._client.upsert(name, rows, wait=True)

    @repeated
    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], within: Within, *, limit: int
    ) -> list[list[Candidate]]:
        """Two rounds of requests, one for each vector: the best of each space, then the exact scores of what
        only other spaces found."""
        name = await self._existing(collection)
        if name is None or within.nothing or limit <= 0:
            return [[] for _ in queries]
        probes = probes_of(queries)
        admitted = _admitting(within)
        searches = [self._search(probe, admitted, limit=limit) for probe in probes]
        found = await self._answers(name, searches)
        best = BestOfEach(len(queries), probes, found)
        rescored = await self._answers(
            name,
            [
                self._rescore(probe, passages) if passages else None
                for probe, passages in zip(probes, best.unscored(), strict=True)
            ],
        )
        return best.candidates(rescored)

    @repeated
    async def mentioning(self, collection: str, words: SparseVector, within: Within) -> frozenset[VersionId]:
        name = await self._existing(collection)
        if name is None or not words.indices or within.nothing:
            return frozenset()
        most = max(1, (await self._client.count(name, exact=True)).count)
        probe = Probe(query=0, space=Space.LEXICAL, vector=words)
        [found] = await self._answers(name, [self._search(probe, _admitting(within), limit=most)])
        return versions_of(found)

    @repeated
    async def held(self, collection: str) -> dict[VersionId, Held]:
        name = await self._existing(collection)
        if name is None:
            return {}
        return held_of(await self._counts(name), await self._facet(name, CARRIED))

    @repeated
    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        """See `StoredPoints.set_keys`; vectors are not touched."""
        name = await self._existing(collection)
        if name is None:
            return
        each = [
            models.SetPayloadOperation(
                set_payload=models.SetPayload(
                    payload=keys_payload(version, own), filter=_of_versions([version])
                )
            )
            for version, own in keys.items()
        ]
        for start in range(0, len(each), _POINTS_PER_REQUEST):
            some = each[start : start + _POINTS_PER_REQUEST]
            await self._client.batch_update_points(name, some, wait=True)

    @repeated
    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """The first `size` passages by id: see `EdgeIndex.sample`."""
        name = await self._existing(collection)
        if name is None or size <= 0:
            return None
        records, _ = await self._client.scroll(name, limit=size, with_payload=[VERSION], with_vectors=True)
        return vector_sample([index_point(record) for record in records])

    @repeated
    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        name = await self._existing(collection)
        if name is None:
            return [], None
        records, further = await self._client.scroll(
            name, offset=start, limit=limit, with_payload=[VERSION], with_vectors=True
        )
        return [index_point(record) for record in records], next_point(further)

    @repeated
    async def remove_version(self, collection: str, version: VersionId) -> None:
        name = await self._existing(collection)
        if name is not None:
            chosen = models.FilterSelector(filter=_of_versions([version]))
            await self._client.delete(name, points_selector=chosen, wait=True)

    @repeated
    async def count(self, collection: str, version: VersionId | None = None) -> int:
        name = await self._existing(collection)
        if name is None:
            return 0
        chosen = None if version is None else _of_versions([version])
        return (await self._client.count(name, count_filter=chosen, exact=True)).count

    @repeated
    async def counts(self, collection: str) -> dict[VersionId, int]:
        name = await self._existing(collection)
        return {} if name is None else await self._counts(name)

    async def _adopt(self, collection: str) -> bool:
        """Take over, under an alias, the server's collection from before they carried their library's id,
        where it belongs to nobody and holds points of versions of ours; whether that was so. Asked once."""
        old = f"{self._prefix}-{store_name(collection)}"
        if self._known_versions is None or collection in self._looked:
            return False
        self._looked.add(collection)
        if not await self._client.collection_exists(old):
            return False
        if (await self._client.get_collection_aliases(old)).aliases:
            return False
        if not (await self._counts(old)).keys() & set(await self._known_versions(collection)):
            return False
        alias = models.CreateAlias(collection_name=old, alias_name=self._name(collection))
        await self._client.update_collection_aliases([models.CreateAliasOperation(create_alias=alias)])
        return True

    async def _counts(self, name: str) -> dict[VersionId, int]:
        return {VersionId(version): points for version, points in (await self._facet(name, VERSION)).items()}

    async def _facet(self, name: str, field: str) -> dict[str, int]:
        most = max(1, (await self._client.count(name, exact=True)).count)
        hits = (await self._client.facet(name, key=field, limit=most, exact=True)).hits
        return {str(hit.value): hit.count for hit in hits if hit.count > 0}

    @repeated
    async def drop(self, collection: str) -> None:
        """Delete a collection for good, and the alias that leads to it."""
        name = self._name(collection)
        found = (await self._client.get_aliases()).aliases
        made = [each.collection_name for each in found if each.alias_name == name]
        if made:
            deletion = models.DeleteAlias(alias_name=name)
            await self._client.update_collection_aliases([models.DeleteAliasOperation(delete_alias=deletion)])
        for each in made or [name]:
            await self._client.delete_collection(each)
        self._known.discard(name)

    async def optimise(self, collection: str) -> None:
        """Do nothing: a server optimises on its own. Until it has, the words of removed passages still count
        for how rare a word is, which moves scores by words by some thousandths."""

    async def close(self) -> None:
        with server_errors():
            await self._client.close()

    def _name(self, collection: str) -> str:
        return f"{self._prefix}-{self._library}-{store_name(collection)}"

    async def _existing(self, collection: str) -> str | None:
        """The name under which a collection is found, made whole when it is first used; None if there is
        none, or one for encoders of other dimensions."""
        name = self._name(collection)
        if name not in self._known:
            await self._check()
            if not await self._is_there(name) and not await self._adopt(collection):
                return None
            if not await self._fits(name):
                return None
            await self._make_whole(name)
            self._known.add(name)
        return name

    async def _check(self) -> None:
        """Raises Broken("index.version") for a server that is too old."""
        if self._is_checked:
            return
        said = (await self._client.info()).version
        numbers = re.match(r"(\d+)\.(\d+)", said)
        if numbers and (int(numbers[1]), int(numbers[2])) < OLDEST:
            wanted = ".".join(map(str, OLDEST))
            raise Broken(
                "index.version",
                f"the Qdrant server is version {said}, and {wanted} or later is needed: take a snapshot, then"
                " upgrade it one minor version at a time",
            )
        self._is_checked = True

    async def _is_there(self, name: str) -> bool:
        return await self._client.collection_exists(name) or await self._is_alias(name)

    async def _is_alias(self, name: str) -> bool:
        return any(each.alias_name == name for each in (await self._client.get_aliases()).aliases)

    async def _fits(self, name: str) -> bool:
        """Whether the vectors have our dimensions. Raises Broken("index.dimension") where they don't and the
        name is taken by the collection itself, so that nothing can be put in its place."""
        vectors = (await self._client.get_collection(name)).config.params.vectors
        sizes = {space: params.size for space, params in vectors.items()} if isinstance(vectors, dict) else {}
        own = {Space.PRIMARY.value: self._primary, Space.SECONDARY.value: self._secondary}
        if own.items() <= sizes.items():
            return True
        if not await self._is_alias(name):
            raise Broken(
                "index.dimension",
                f"the collection {name} of the Qdrant server is for other encoders ({sizes}, now {own}):"
                " delete it, or choose another [qdrant] prefix; passages are embedded again",
            )
        return False

    async def _created(self, collection: str) -> str:
        """The name of a collection that is there: made if need be, under a name of its own behind an alias,
        so that one for other encoders can take its place in one step."""
        name = self._name(collection)
        if await self._existing(collection) is None:
            made = f"{name}-{self._primary}-{self._secondary}"
            try:
                await self._create(made, collection)
            except Exception as error:
                if not _is_conflict(error):  # another process was quicker, or ended before the alias
                    raise
            await self._make_whole(made)
            changes: list[models.AliasOperations] = []
            if await self._is_alias(name):
                _LOG.warning("%s leads to %s from now on; what it led to can be deleted", name, made)
                former = models.DeleteAlias(alias_name=name)
                changes.append(models.DeleteAliasOperation(delete_alias=former))
            alias = models.CreateAlias(collection_name=made, alias_name=name)
            changes.append(models.CreateAliasOperation(create_alias=alias))
            await self._client.update_collection_aliases(changes)
            self._known.add(name)
        return name

    async def _create(self, name: str, collection: str) -> None:
        maximum = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
        tuning = {} if self._local else self._tuning.of_new_collection(collection)
        memory = None if self._local else self._tuning.originals
        await self._client.create_collection(
            name,
            vectors_config={
                Space.PRIMARY.value: _vector_params(self._primary, memory),
                Space.SECONDARY.value: _vector_params(self._secondary, memory),
                Space.WINDOWS.value: _vector_params(self._secondary, memory, maximum),
            },
            sparse_vectors_config={
                Space.LEXICAL.value: models.SparseVectorParams(modifier=models.Modifier.IDF)
            },
            hnsw_config=models.HnswConfigDiff(m=16, ef_construct=100),
            **tuning,
        )

    async def _make_whole(self, name: str) -> None:
        """Index the payload fields that are not yet, and set what the server keeps otherwise than it should:
        whoever created the collection may have ended before, an earlier version kept fewer fields, and
        settings change. The number of shards stays."""
        if self._local:
            return
        found = await self._client.get_collection(name)
        for field in INDEXED:
            if field not in found.payload_schema:
                params = models.KeywordIndexParams(
                    type=models.KeywordIndexType.KEYWORD, is_tenant=True if field == TENANT else None
                )
                await self._client.create_payload_index(name, field, params, wait=True)
        if changes := self._tuning.changes(found.config):
            await self._client.update_collection(name, **changes)
        if found.config.params.shard_number != self._tuning.shards:
            _LOG.warning(
                "the collection %s has %s shards, not %s as [qdrant] says, until it is made anew",
                name,
                found.config.params.shard_number,
                self._tuning.shards,
            )

    async def _answers(
        self, name: str, requests: Sequence[models.QueryRequest | None]
    ) -> list[list[models.ScoredPoint]]:
        """The points that answer each request; none where there is no request."""

        async def answer(request: models.QueryRequest | None) -> list[models.ScoredPoint]:
            if request is None:
                return []
            [response] = await self._client.query_batch_points(name, [request])
            return response.points

        return await asyncio.gather(*map(answer, requests))

    def _search(self, probe: Probe, admitted: models.Filter | None, *, limit: int) -> models.QueryRequest:
        dense = not self._local and not isinstance(probe.vector, SparseVector)
        return models.QueryRequest(
            query=_query(probe),
            using=probe.space.value,
            filter=admitted,
            limit=limit,
            with_payload=[VERSION],
            params=self._tuning.search if dense else None,
        )

    def _rescore(self, probe: Probe, passages: Iterable[PassageId]) -> models.QueryRequest:
        ids: list[models.ExtendedPointId] = sorted(passages)
        exact = isinstance(probe.vector, SparseVector) or self._local
        return models.QueryRequest(
            query=_query(probe),
            using=probe.space.value,
            filter=models.Filter(must=[models.HasIdCondition(has_id=ids)]),
            limit=len(ids),
            params=None if exact else _EXACT,
        )


def _point(point: IndexPoint) -> models.PointStruct:
    return models.PointStruct(
        id=point.passage, vector=vectors_of(point, models.SparseVector), payload=payload_of(point)
    )


_EXACT = models.SearchParams(exact=True, quantization=models.QuantizationSearchParams(ignore=True))


def _vector_params(
    size: int, memory: models.Memory | None, windows: models.MultiVectorConfig | None = None
) -> models.VectorParams:
    return models.VectorParams(
        size=size,
        memory=memory,
        distance=models.Distance.COSINE,
        datatype=models.Datatype.FLOAT16,
        multivector_config=windows,
    )


def _has_one_of(field: str, values: Iterable[str]) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchAny(any=[*map(str, values)]))


def _of_versions(versions: Iterable[VersionId]) -> models.Filter:
    return models.Filter(must=[_has_one_of(VERSION, versions)])


def _admitting(within: Within) -> models.Filter | None:
    return admitting(within, _has_one_of, models.Filter)


_DIGITS = 6
"""Decimals of a question's vector in a request: stored vectors have three."""


def _query(probe: Probe) -> models.NearestQuery:
    vector = probe.vector
    if isinstance(vector, SparseVector):
        sparse = models.SparseVector(indices=list(vector.indices), values=list(vector.values))
        return models.NearestQuery(nearest=sparse)
    return models.NearestQuery(nearest=np.round(vector, _DIGITS).tolist())
