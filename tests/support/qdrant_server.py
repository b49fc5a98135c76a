"""A stand-in for a Qdrant server: its protocol in front of the client's local mode.

It is strict where local mode is lenient: an unknown path or field, a filter on a field without an index (as
strict mode has it), a missing key and, where FUNDSTELLE_TEST_QDRANT_OPENAPI names a server's OpenAPI
description (`docs/redoc/master/openapi.json` of its repository), whatever that does not allow, are refused.
It says nothing about speed, graphs, shards or copies. `python -m tests.support.qdrant_server` serves until
its standard input ends.
"""

import asyncio
import json
import os
import re
import ssl
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema
from aiohttp import web
from pydantic import BaseModel, TypeAdapter
from qdrant_client import AsyncQdrantClient, models

from bot.settings.sections import QdrantSettings
from tests.support.stand_in import StandIn

SERVED = "1.19.1"


class QdrantServer(StandIn):
    """The stand-in in its own process."""

    module = "tests.support.qdrant_server"
    python = Path(sys.executable)


class Refusal(Exception):
    """The server's error response."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


class QdrantStandIn:
    """`requests` are those received: method, path and bytes of the body. The next `failing` requests are
    refused with that status. `made` are the arguments of creations and updates, by collection."""

    def __init__(self, *, version: str = SERVED, api_key: str = "") -> None:
        self.version, self.api_key = version, api_key
        self.local = AsyncQdrantClient(":memory:")
        self.requests: list[tuple[str, str, int]] = []
        self.queries: list[tuple[str, str]] = []
        self.failing: list[int] = []
        self.indexes: dict[str, dict[str, Any]] = {}
        self.made: dict[str, dict[str, Any]] = {}
        self.changes: list[tuple[str, dict[str, Any]]] = []
        named = os.environ.get("FUNDSTELLE_TEST_QDRANT_OPENAPI")
        self._described = json.loads(Path(named).read_text("utf-8")) if named else None

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.requests.append((request.method, request.path, len(body)))
        self.queries.append((request.path, request.query_string))
        try:
            if self.failing:
                raise Refusal(self.failing.pop(0), "not now")
            if self.api_key and request.headers.get("api-key") != self.api_key:
                raise Refusal(401, "Invalid API key")
            sent = json.loads(body) if body else None
            self._check(request.method, request.path, sent)
            result = await self._result(request.method, request.path.strip("/").split("/"), sent)
        except Refusal as refusal:
            answer = {"status": {"error": refusal.said}, "time": 0.0}
            return web.json_response(answer, status=refusal.status)
        if request.path == "/":
            return web.json_response(result)
        return web.json_response({"result": _plain(result), "status": "ok", "time": 0.0})

    def _check(self, method: str, path: str, sent: Any) -> None:
        """Refuse anything not in the server's description."""
        if self._described is None:
            return
        for template, methods in self._described["paths"].items():
            if re.fullmatch(re.sub(r"{[^}]+}", "[^/]+", template), path) and method.lower() in methods:
                operation = methods[method.lower()]
                break
        else:
            raise Refusal(404, f"{method} {path} is not described")
        if sent is not None:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            whole = {**schema, "components": self._described["components"]}
            try:
                jsonschema.Draft202012Validator(whole).validate(sent)
            except jsonschema.ValidationError as error:
                raise Refusal(400, f"{path}: {error.message[:200]}") from error

    async def _result(self, method: str, path: list[str], sent: Any) -> Any:  # noqa: C901 (one case a route)
        match [method, *path]:
            case ["GET", ""]:
                return {"title": "qdrant - vector search engine", "version": self.version}
            case ["GET", "aliases"]:
                return await self.local.get_aliases()
            case ["POST", "collections", "aliases"]:
                changes = _read(models.ChangeAliasesOperation, sent)
                return await self.local.update_collection_aliases(changes.actions)
            case ["GET", "collections", name, "exists"]:
                return {"exists": await self.local.collection_exists(name)}
            case ["GET", "collections", name, "aliases"]:
                return await self.local.get_collection_aliases(name)
            case ["GET", "collections", name]:
                return await self._described_collection(await self._own(name))
            case ["PUT", "collections", name]:
                return await self._created(name, _read(models.CreateCollection, sent))
            case ["DELETE", "collections", name]:
                return await self.local.delete_collection(name)
            case ["PATCH", "collections", name]:
                _read(models.UpdateCollection, sent)
                self.made[await self._own(name)] |= sent.get("params", {}) | {
                    key: value for key, value in sent.items() if key not in ("params", "vectors")
                }
                self.changes.append((name, sent))
                return True
            case ["PUT", "collections", name, "index"]:
                made = _read(models.CreateFieldIndex, sent)
                self.indexes[await self._own(name)][made.field_name] = sent["field_schema"]
                return {"operation_id": 0, "status": "completed"}
            case ["POST", "collections", name, "facet"]:
                asked = _read(models.FacetRequest, sent)
                own = await self._own(name)
                if asked.key not in self.indexes[own]:
                    raise Refusal(400, f"Bad request: no index for {asked.key}")
                return await self.local.facet(
                    own, asked.key, limit=asked.limit or 10, exact=bool(asked.exact)
                )
            case [_, "collections", name, "points", *rest]:
                return await self._points(method, await self._own(name), rest, sent)
        raise Refusal(404, f"{method} /{'/'.join(path)} is unknown")

    async def _own(self, name: str) -> str:
        """The collection of a name or an alias."""
        for each in (await self.local.get_aliases()).aliases:
            if each.alias_name == name:
                return each.collection_name
        if not await self.local.collection_exists(name):
            raise Refusal(404, f"Not found: Collection `{name}` doesn't exist!")
        return name

    async def _created(self, name: str, asked: models.CreateCollection) -> bool:
        if await self.local.collection_exists(name):
            raise Refusal(409, f"Wrong input: Collection `{name}` already exists!")
        self.indexes[name] = {}
        self.made[name] = asked.model_dump(mode="json", exclude_none=True)
        return await self.local.create_collection(
            name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors
        )

    async def _described_collection(self, name: str) -> dict[str, Any]:
        info = (await self.local.get_collection(name)).model_dump(mode="json", exclude_none=True)
        made = self.made[name]
        params = ("shard_number", "replication_factor", "write_consistency_factor", "vectors")
        info["config"]["params"] |= {key: made[key] for key in params if key in made}
        settled = ("quantization_config", "strict_mode_config")
        info["config"] |= {key: made[key] for key in settled if made.get(key, "Disabled") != "Disabled"}
        info["payload_schema"] = {
            field: {"data_type": "keyword", "params": params, "points": 0}
            for field, params in self.indexes[name].items()
        }
        return info

    async def _points(self, method: str, name: str, rest: list[str], sent: Any) -> Any:
        self._refuse_unindexed(name, sent)
        local, done = self.local, {"operation_id": 0, "status": "completed"}
        match [method, *rest]:
            case ["PUT"]:
                await local.upsert(name, _read(models.PointsList, sent).points)
                return done
            case ["POST", "delete"]:
                await local.delete(name, _read(models.FilterSelector, sent))
                return done
            case ["POST", "batch"]:
                operations = _read(models.UpdateOperations, sent).operations
                await local.batch_update_points(name, operations)
                return [done for _ in operations]
            case ["POST", "count"]:
                asked = _read(models.CountRequest, sent)
                return await local.count(name, asked.filter, exact=bool(asked.exact))
            case ["POST", "scroll"]:
                asked = _read(models.ScrollRequest, sent)
                found, further = await local.scroll(
                    name,
                    limit=asked.limit or 10,
                    offset=asked.offset,
                    with_payload=asked.with_payload or False,
                    with_vectors=asked.with_vector or False,
                )
                return {"points": found, "next_page_offset": further}
            case ["POST", "query", "batch"]:
                searches = _read(models.QueryRequestBatch, sent).searches
                return await local.query_batch_points(name, searches)
        raise Refusal(404, f"{method} points/{'/'.join(rest)} is unknown")

    def _refuse_unindexed(self, name: str, sent: Any) -> None:
        for field in _fields(sent):
            if field not in self.indexes[name]:
                raise Refusal(400, f'Bad request: Index required but not found for "{field}"')


def _fields(sent: Any) -> set[str]:
    """Fields that conditions of a request are on."""
    if isinstance(sent, list):
        return set().union(*map(_fields, sent))
    if not isinstance(sent, dict):
        return set()
    own = {sent["key"]} if "match" in sent else set()
    return own.union(*(_fields(value) for key, value in sent.items() if key not in ("payload", "vector")))


def _read(model: type[Any], sent: Any) -> Any:
    try:
        return TypeAdapter(model).validate_python(sent)
    except ValueError as error:
        raise Refusal(400, f"Format error in JSON body: {str(error)[:300]}") from error


def _plain(result: Any) -> Any:
    if isinstance(result, BaseModel):
        return result.model_dump(mode="json", exclude_none=True)
    return [_plain(each) for each in result] if isinstance(result, list) else _shallow(result)


def _shallow(result: Any) -> Any:
    return {key: _plain(each) for key, each in result.items()} if isinstance(result, dict) else result


@asynccontextmanager
async def serving(stand_in: QdrantStandIn, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """The address at which it answers."""
    app = web.Application(client_max_size=64 * 1024**2)
    app.router.add_route("*", "/{path:.*}", stand_in.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{port}"
    finally:
        await runner.cleanup()
        await stand_in.local.close()


@asynccontextmanager
async def some_server() -> AsyncIterator[QdrantSettings]:
    """How to reach the server named by FUNDSTELLE_TEST_QDRANT_URL, or a stand-in. Anything created there is
    removed at the end."""
    prefix = f"test-{uuid.uuid4().hex[:8]}"
    named = os.environ.get("FUNDSTELLE_TEST_QDRANT_URL")
    if not named:
        async with serving(QdrantStandIn()) as url:
            yield QdrantSettings(url=url, prefix=prefix)
        return
    yield QdrantSettings(url=named, prefix=prefix)
    client = AsyncQdrantClient(url=named, check_compatibility=False)
    for each in (await client.get_collections()).collections:
        if each.name.startswith(prefix):
            await client.delete_collection(each.name)
    await client.close()


async def _serve() -> None:
    async with serving(QdrantStandIn()) as url:
        sys.stdout.write(json.dumps({"address": url}) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve())
