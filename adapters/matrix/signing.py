"""Signed JSON and the three cross-signing keys of the bot. Pure.

Source: Matrix specification 1.15, appendices "Signing JSON" and client-server API "Cross-signing".
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

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
    """What is signed: canonical JSON without signatures and unsigned data."""
    bare = {key: item for key, item in value.items() if key not in ("signatures", "unsigned")}
    return json.dumps(bare, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def public_key(key: Ed25519PrivateKey) -> str:
    """The public part, as Matrix writes it."""
    return encoded(key.public_key().public_bytes_raw())


def signed(value: Json, *, user_id: str, key_id: str, signature: str) -> Json:
    """`value` with one signature more."""
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
        """Of what `seeds` gave. Raises ValueError, KeyError."""
        return cls(
            master=Ed25519PrivateKey.from_private_bytes(decoded(seeds["master"])),
            self_signing=Ed25519PrivateKey.from_private_bytes(decoded(seeds["self_signing"])),
            user_signing=Ed25519PrivateKey.from_private_bytes(decoded(seeds["user_signing"])),
        )

    def seeds(self) -> dict[str, str]:
        """The secret parts, to be kept."""
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
