"""The bot's login. Device id, access token and crypto store belong together and are kept together, as files
that only the bot's own user may read.
"""

import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
from adapters.matrix.homeserver import RETRY_AFTER_S, SOFT, Homeserver, checked, path, translating
from core.errors import Broken, Refused, Unavailable

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
    write_private(folder / SESSION_FILE, _as_json(session))
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


def _as_json(session: Session) -> dict[str, str]:
    return {"user_id": session.user_id, "device_id": session.device_id, "access_token": session.access_token}


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
