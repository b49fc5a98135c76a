"""The bot's own device, cross-signed: clients stop sharing keys with devices nobody vouches for.

nio does no cross-signing, so the three keys are made and published here.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any

from nio import AsyncClient

from adapters.matrix import private_files
from adapters.matrix.homeserver import Homeserver, path, refusal
from adapters.matrix.signing import CrossSigningKeys, is_signed, only_key, public_key, signed, signed_by
from core.errors import Broken

KEYS_FILE = "cross_signing.json"

Json = dict[str, Any]


class CrossSigning(StrEnum):
    """How the bot's device stands."""

    SIGNED = "signed"
    FOREIGN = "foreign"  # the account has cross-signing keys that are not ours
    PASSWORD = "password"  # noqa: S105 - the homeserver asks for it, and it is not set


def kept_keys(folder: Path) -> CrossSigningKeys:
    """The keys in `folder`, made at the first time."""
    file = folder / KEYS_FILE
    seeds = private_files.read(file)
    if seeds is None:
        keys = CrossSigningKeys.fresh()
        private_files.write(file, keys.seeds())  # before they are published: they cannot be fetched back
        return keys
    try:
        return CrossSigningKeys.from_seeds(seeds)
    except (KeyError, TypeError, ValueError) as error:
        raise Broken("platform.store", f"{file} is damaged: restore it from a backup") from error


async def ensure_signed(client: AsyncClient, keys: CrossSigningKeys, password: str) -> CrossSigning:
    """Publish the keys and sign the client's device with them, as far as that is not done already."""
    homeserver = Homeserver(client)
    published = await own_keys(homeserver, client.user_id)
    ours = public_key(keys.master)
    theirs = only_key(published.get("master"), user_id=client.user_id, usage="master")
    if theirs is None:
        if not await _publish(homeserver, keys, client.user_id, password):
            return CrossSigning.PASSWORD
        published = await own_keys(homeserver, client.user_id)
    elif theirs != ours:
        return CrossSigning.FOREIGN
    await _sign(homeserver, client, keys, published)
    return CrossSigning.SIGNED


async def own_keys(homeserver: Homeserver, user_id: str) -> Json:
    """What the homeserver shows of the account: `master` and `devices` by id."""
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
