"""The bot's login. Device id, access token and crypto store belong together and are kept together, as files
that only the bot's own user may read.

The device is cross-signed: clients stop sharing keys with devices nobody vouches for. nio does no
cross-signing, so the three keys are made, published and checked here. Source: Matrix specification 1.15,
appendices "Signing JSON" and client-server API "Cross-signing".
"""

import base64
import binascii
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from nio import (
    Api,
    AsyncClient,
    AsyncClientConfig,
    BadEventType,
    ErrorResponse,
    Event,
    KeysUploadError,
    KeysUploadResponse,
    LoginResponse,
    MatrixRoom,
    Response,
    ToDeviceEvent,
)

from adapters import disk
from adapters.matrix import session
from adapters.matrix.homeserver import RETRY_AFTER_S, SOFT, Homeserver, checked, path, refusal, translating
from core.domain.messages import Finding
from core.errors import Broken, Refused, Unavailable

KEYS_FILE = "cross_signing.json"


Json = dict[str, Any]


def encoded(data: bytes) -> str:
    """Unpadded base64."""
    return base64.b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Bytes of (unpadded) base64. Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error


def canonical(value: Mapping[str, Any]) -> bytes:
    """The signed bytes: canonical JSON without signatures and unsigned data."""
    bare = {key: item for key, item in value.items() if key not in ("signatures", "unsigned")}
    return json.dumps(bare, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def public_key(key: Ed25519PrivateKey) -> str:
    """The public key in Matrix notation."""
    return encoded(key.public_key().public_bytes_raw())


def signed(value: Json, *, user_id: str, key_id: str, signature: str) -> Json:
    """`value` with an additional signature."""
    signatures = {user: dict(by_key) for user, by_key in value.get("signatures", {}).items()}
    signatures.setdefault(user_id, {})[key_id] = signature
    return {**value, "signatures": signatures}


def is_signed(value: object, *, user_id: str, by: str) -> bool:
    """Whether the Ed25519 key `by` (unpadded base64) of `user_id` signed `value`."""
    if not isinstance(value, dict):
        return False
    try:
        signature = decoded(value["signatures"][user_id][f"ed25519:{by}"])
        Ed25519PublicKey.from_public_bytes(decoded(by)).verify(signature, canonical(value))
    except (KeyError, TypeError, ValueError, AttributeError, InvalidSignature):
        return False
    return True


def only_key(value: object, *, user_id: str, usage: str) -> str | None:
    """The key in a published cross-signing key, None where it is not one of `user_id` for `usage`."""
    if not isinstance(value, dict) or value.get("user_id") != user_id or usage not in value.get("usage", ()):
        return None
    keys = value.get("keys")
    if not isinstance(keys, dict) or len(keys) != 1:
        return None
    ((name, key),) = keys.items()
    return key if isinstance(key, str) and name == f"ed25519:{key}" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossSigningKeys:
    """The identity of the bot: `master` vouches for the two others, `self_signing` for its devices."""

    master: Ed25519PrivateKey
    self_signing: Ed25519PrivateKey
    user_signing: Ed25519PrivateKey

    @classmethod
    def fresh(cls) -> "CrossSigningKeys":
        """Three new keys."""
        return cls(
            master=Ed25519PrivateKey.generate(),
            self_signing=Ed25519PrivateKey.generate(),
            user_signing=Ed25519PrivateKey.generate(),
        )

    @classmethod
    def from_seeds(cls, seeds: Mapping[str, str]) -> "CrossSigningKeys":
        """The keys from what `seeds` gave. Raises ValueError, KeyError."""
        return cls(
            master=Ed25519PrivateKey.from_private_bytes(decoded(seeds["master"])),
            self_signing=Ed25519PrivateKey.from_private_bytes(decoded(seeds["self_signing"])),
            user_signing=Ed25519PrivateKey.from_private_bytes(decoded(seeds["user_signing"])),
        )

    def seeds(self) -> dict[str, str]:
        """The secret parts, to be stored."""
        return {
            "master": encoded(self.master.private_bytes_raw()),
            "self_signing": encoded(self.self_signing.private_bytes_raw()),
            "user_signing": encoded(self.user_signing.private_bytes_raw()),
        }

    def published(self, user_id: str) -> Json:
        """The body of `POST /keys/device_signing/upload`."""

        def key(usage: str, private: Ed25519PrivateKey) -> Json:
            public = public_key(private)
            return {"user_id": user_id, "usage": [usage], "keys": {f"ed25519:{public}": public}}

        return {
            "master_key": key("master", self.master),
            "self_signing_key": signed_by(self.master, key("self_signing", self.self_signing), user_id),
            "user_signing_key": signed_by(self.master, key("user_signing", self.user_signing), user_id),
        }


def signed_by(key: Ed25519PrivateKey, value: Json, user_id: str) -> Json:
    """`value` signed with one of the cross-signing keys."""
    signature = encoded(key.sign(canonical(value)))
    return signed(value, user_id=user_id, key_id=f"ed25519:{public_key(key)}", signature=signature)


class CrossSigning(StrEnum):
    """The cross-signing state of the bot's device."""

    SIGNED = "signed"
    FOREIGN = "foreign"  # the account has cross-signing keys that are not ours
    PASSWORD = "password"  # noqa: S105 - the homeserver asks for it, and it is not set


def kept_keys(folder: Path) -> CrossSigningKeys:
    """The keys in `folder`, created on first use."""
    file = folder / KEYS_FILE
    seeds = session.read_private(file)
    if seeds is None:
        keys = CrossSigningKeys.fresh()
        # before they are published, since they cannot be retrieved later
        session.write_private(file, keys.seeds())
        return keys
    try:
        return CrossSigningKeys.from_seeds(seeds)
    except (KeyError, TypeError, ValueError) as error:
        raise Broken("platform.store", f"{file} is damaged: restore it from a backup") from error


async def ensure_signed(client: AsyncClient, keys: CrossSigningKeys, password: str) -> CrossSigning:
    """Publish the keys and sign the client's device with them, as far as that is not done already."""
    homeserver = Homeserver(client)
    published = await _own_keys(homeserver, client.user_id)
    ours = public_key(keys.master)
    theirs = only_key(published.get("master"), user_id=client.user_id, usage="master")
    if theirs is None:
        if not await _publish(homeserver, keys, client.user_id, password):
            return CrossSigning.PASSWORD
        published = await _own_keys(homeserver, client.user_id)
    elif theirs != ours:
        return CrossSigning.FOREIGN
    await _sign(homeserver, client, keys, published)
    return CrossSigning.SIGNED


async def _own_keys(homeserver: Homeserver, user_id: str) -> Json:
    """The account's keys on the homeserver: `master` and `devices` by id."""
    answer = await homeserver.call("POST", path("keys", "query"), {"device_keys": {user_id: []}})
    return {
        "master": answer.get("master_keys", {}).get(user_id),
        "devices": answer.get("device_keys", {}).get(user_id, {}),
    }


async def _publish(homeserver: Homeserver, keys: CrossSigningKeys, user_id: str, password: str) -> bool:
    """Upload the keys; with the password where the homeserver asks (user-interactive authentication)."""
    address = path("keys", "device_signing", "upload")
    body = keys.published(user_id)
    status, answer = await homeserver.attempt("POST", address, body)
    if status == 401 and isinstance(answer, dict) and "session" in answer:
        if not password:
            return False
        body["auth"] = {
            "type": "m.login.password",
            "session": answer["session"],
            "identifier": {"type": "m.id.user", "user": user_id},
            "password": password,
        }
        status, answer = await homeserver.attempt("POST", address, body)
    if status >= 400:
        raise refusal(status, answer)
    return True


async def _sign(homeserver: Homeserver, client: AsyncClient, keys: CrossSigningKeys, published: Json) -> None:
    """Sign the device with the self-signing key, and the master key with the device."""
    user_id, device_id = client.user_id, client.device_id
    device, master = published["devices"].get(device_id), published["master"]
    missing: Json = {}
    if device and not is_signed(device, user_id=user_id, by=public_key(keys.self_signing)):
        missing[device_id] = signed_by(keys.self_signing, _bare(device), user_id)
    if f"ed25519:{device_id}" not in master.get("signatures", {}).get(user_id, {}):
        signature = client.olm.sign_json(_bare(master))
        missing[public_key(keys.master)] = signed(
            _bare(master), user_id=user_id, key_id=f"ed25519:{device_id}", signature=signature
        )
    if not missing:
        return
    answer = await homeserver.call("POST", path("keys", "signatures", "upload"), {user_id: missing})
    if answer.get("failures"):
        raise Broken("platform.failed", "the homeserver did not take the signature of the bot's device")


def _bare(value: Json) -> Json:
    return {key: item for key, item in value.items() if key not in ("signatures", "unsigned")}


async def findings(homeserver: Homeserver, user_id: str, device_id: str, folder: Path) -> list[Finding]:
    """Findings about the login, the device's keys, and who vouches for it. Raises Unavailable."""
    published = await _own_keys(homeserver, user_id)
    device = published["devices"].get(device_id)
    seeds = session.read_private(folder / KEYS_FILE)
    found = [Finding(ok=True, what="Matrix: login")]
    if device is None:
        if seeds is None:
            return found  # never started: the keys come with the first start
        advice = f"the homeserver has lost the keys of the device; delete {folder} and restart the bot"
        return [*found, Finding(ok=False, what="Matrix: encryption", advice=advice)]
    found.append(Finding(ok=True, what="Matrix: encryption"))
    ours = CrossSigningKeys.from_seeds(seeds) if seeds else None
    master = only_key(published["master"], user_id=user_id, usage="master")
    if ours is None or master != public_key(ours.master):
        advice = (
            "another client has set up cross-signing for the account: verify the bot's device there "
            f"(in Element: /verify {device_id} and its fingerprint), or give the bot an account of its own"
            if master
            else "set the password and restart the bot: the homeserver asks for it once"
        )
        return [*found, Finding(ok=False, what="Matrix: cross-signing", advice=advice)]
    signed = is_signed(device, user_id=user_id, by=public_key(ours.self_signing))
    advice = "" if signed else "restart the bot: it signs its device at the start"
    return [*found, Finding(ok=signed, what="Matrix: cross-signing", advice=advice)]


SESSION_FILE = "session.json"
DEVICE_NAME = "Fundstelle"
REQUEST_TIMEOUT_S = 60

log = logging.getLogger(__name__)
logging.getLogger("nio").setLevel(logging.CRITICAL)  # it logs user ids, device ids and parts of events


def read_private(path: Path) -> dict[str, Any] | None:
    """The object in the file, None if there is no file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Broken("platform.store", f"{path} cannot be read: {error}. Restore it from a backup") from error
    if not isinstance(found, dict):
        raise Broken("platform.store", f"{path} holds no JSON object. Restore it from a backup")
    return found


def write_private(path: Path, content: dict[str, Any]) -> None:
    """Write `content` with mode 0600; a crash leaves the old file or the new one."""
    try:
        disk.make_folder(path.parent)
        disk.write(path, json.dumps(content).encode())
    except OSError as error:
        raise Broken("platform.store", f"{path} cannot be written: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The bot's account: a password, or an access token with the device it belongs to."""

    homeserver: str
    user_id: str
    password: str = field(default="", repr=False)
    access_token: str = field(default="", repr=False)
    device_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A login that the homeserver knows."""

    user_id: str
    device_id: str
    access_token: str = field(repr=False)


class SafeClient(AsyncClient):  # type: ignore[misc]
    """nio's client, hardened so that no single event can stop it: unreadable ones are left as received."""

    async def receive_response(self, response: Response) -> None:
        """Errors change nothing: nio 0.26 puts other fields in the place of `soft_logout` where a key could
        not be shared, and forgets the token."""
        if not isinstance(response, ErrorResponse):
            await super().receive_response(response)

    async def keys_upload(self) -> KeysUploadResponse | KeysUploadError:
        """Store new one-time keys before anybody can use them: nio stores them only after the upload, and a
        message for a key lost in between could never be decrypted."""
        keys = self.olm.share_keys()
        self.olm.save_account()
        method, address, data = Api.keys_upload(self.access_token, keys)
        return await self._send(KeysUploadResponse, method, address, data)

    def _handle_decrypt_to_device(self, to_device_event: ToDeviceEvent) -> ToDeviceEvent | None:
        """Handle it in one transaction: a used key is removed only together with storing what it
        decrypted."""
        try:
            with self.store.database.atomic():
                return super()._handle_decrypt_to_device(to_device_event)
        except Exception as error:  # the event may come from anybody: blame it for any parser failure
            log.warning("a to-device event could not be handled (%s)", type(error).__name__)
            return None

    def _handle_timeline_event(
        self, event: Event, room_id: str, room: MatrixRoom, encrypted_rooms: set[str]
    ) -> Event | BadEventType | None:
        try:
            return super()._handle_timeline_event(event, room_id, room, encrypted_rooms)
        except Exception as error:  # as above
            log.warning("a room event could not be handled (%s)", type(error).__name__)
            return None


def new_client(account: Account, folder: Path, *, encryption: bool) -> AsyncClient:
    """A client without a login. Requests are tried once: the caller decides on retries."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    config = AsyncClientConfig(
        encryption_enabled=encryption,
        store_sync_tokens=False,  # nio stores them before anything is handled
        max_limit_exceeded=0,
        max_timeouts=0,
        request_timeout=REQUEST_TIMEOUT_S,
    )
    address = account.homeserver.rstrip("/")
    return SafeClient(address, account.user_id, store_path=str(folder), config=config)


async def sign_in(client: AsyncClient, account: Account, folder: Path) -> None:
    """Log `client` in: with the token of the settings, the session kept in `folder`, or the password.

    The session is kept before the client is used, so that a crash does not leave a device behind whose
    token nobody has. Raises Broken("platform.token") where nothing of it is accepted.
    """
    if account.access_token:
        session = Session(
            user_id=account.user_id, device_id=account.device_id, access_token=account.access_token
        )
        await _enter(client, session)
        return
    kept, device = _kept_session(account, folder), ""
    if kept is not None:
        try:
            await _enter(client, kept)
            return
        except Broken as error:
            if not account.password or error.key != "platform.token":
                raise
            log.warning("the kept session is not accepted any more: logging in again")
            device = kept.device_id if error.values.get(SOFT) else ""
    if not account.password:
        raise Broken(
            "platform.token",
            "there is no login of this account: run `fundstelle init matrix`, or set [matrix] password or "
            "access_token with device_id",
        )
    session = await _log_in(account, folder, device)
    write_private(
        folder / SESSION_FILE,
        {"user_id": session.user_id, "device_id": session.device_id, "access_token": session.access_token},
    )
    await _enter(client, session)


def _kept_session(account: Account, folder: Path) -> Session | None:
    """The stored session of this account from an earlier start."""
    found = read_private(folder / SESSION_FILE)
    if found is None or found.get("user_id") != account.user_id:
        return None
    try:
        return Session(**found)
    except TypeError as error:
        raise Broken("platform.store", f"{folder / SESSION_FILE} is damaged: delete it") from error


async def _log_in(account: Account, folder: Path, device: str) -> Session:
    """A device by password: `device` where only its token has run out, else a new one. The client that asks
    has no store: nio would open one under the new id."""
    client = new_client(account, folder, encryption=False)
    client.device_id = device or client.device_id
    try:
        with translating():
            response = await client.login(account.password, device_name=DEVICE_NAME)
        login: LoginResponse = checked(response)
    except Refused as error:
        raise Broken("platform.token", "the homeserver does not accept user_id and password") from error
    finally:
        await client.close()
    return Session(user_id=login.user_id, device_id=login.device_id, access_token=login.access_token)


async def _enter(client: AsyncClient, session: Session) -> None:
    """Use `session` after the homeserver confirmed whose it is; then open the crypto store of its device."""
    client.access_token = session.access_token
    known = await Homeserver(client).call("GET", path("account", "whoami"))
    if not isinstance(known, dict) or "user_id" not in known:
        raise Unavailable("platform.unreachable", "this is no answer of a homeserver's", RETRY_AFTER_S)
    if known.get("user_id") != session.user_id:
        raise Broken("platform.token", "the access token belongs to another user than user_id says")
    if known.get("device_id") != session.device_id:
        raise Broken("platform.token", "the access token belongs to another device than device_id says")
    try:
        client.restore_login(session.user_id, session.device_id, session.access_token)
    except Exception as error:  # from the store's database or the key format: the libraries below nio
        raise Broken(
            "platform.store", f"the crypto store cannot be opened: {type(error).__name__}"
        ) from error
