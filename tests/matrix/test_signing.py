"""Signed JSON: the specification's own test vectors (appendices, "Cryptographic Test Vectors")."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.matrix.sending import vouched_devices
from adapters.matrix.session import (
    CrossSigningKeys,
    canonical,
    decoded,
    encoded,
    is_signed,
    only_key,
    public_key,
    signed_by,
)

SEED = "YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1"
ANN = "@ann:example.org"


@pytest.mark.parametrize(
    ("value", "signature"),
    [
        ({}, "K8280/U9SSy9IVtjBuVeLr+HpOB4BQFWbg+UZaADMtTdGYI7Geitb76LTrr5QV/7Xg4ahLwYGYZzuHGZKM5ZAQ"),
        (
            {"one": 1, "two": "Two"},
            "KqmLSbO39/Bzb0QIYE82zqLwsA+PDzYIpIRA2sRQ4sL53+sN6/fpNSoqE7BP7vBZhG6kYdD13EIMJpvhJI+6Bw",
        ),
    ],
)
def test_the_specifications_vectors(value: dict[str, Any], signature: str) -> None:
    key = Ed25519PrivateKey.from_private_bytes(decoded(SEED))
    assert encoded(key.sign(canonical(value))) == signature


def test_keys_come_back_from_their_seeds() -> None:
    keys = CrossSigningKeys.fresh()
    again = CrossSigningKeys.from_seeds(keys.seeds())
    assert again.published(ANN) == keys.published(ANN)


def test_a_signature_covers_everything_but_unsigned_data() -> None:
    key = Ed25519PrivateKey.generate()
    value = signed_by(key, {"name": "Fähre"}, ANN)
    by = public_key(key)
    assert is_signed(value, user_id=ANN, by=by)
    assert is_signed({**value, "unsigned": {"age": 1}}, user_id=ANN, by=by)
    assert not is_signed({**value, "name": "other"}, user_id=ANN, by=by)
    assert not is_signed(value, user_id="@bob:example.org", by=by)
    assert not is_signed(value, user_id=ANN, by=public_key(Ed25519PrivateKey.generate()))


@pytest.mark.parametrize("value", [None, [], {}, {"signatures": []}, {"signatures": {ANN: {"ed25519:x": 7}}}])
def test_what_is_not_signed(value: object) -> None:
    assert not is_signed(value, user_id=ANN, by="x")
    assert only_key(value, user_id=ANN, usage="master") is None


def chain() -> tuple[CrossSigningKeys, dict[str, Any]]:
    keys = CrossSigningKeys.fresh()
    published = keys.published(ANN)
    device = {"user_id": ANN, "device_id": "D1", "keys": {"ed25519:D1": "e", "curve25519:D1": "c"}}
    return keys, {
        "master_keys": {ANN: published["master_key"]},
        "self_signing_keys": {ANN: published["self_signing_key"]},
        "device_keys": {ANN: {"D1": signed_by(keys.self_signing, device, ANN), "D2": {**device}}},
    }


def test_a_whole_chain_vouches() -> None:
    keys, answer = chain()
    master, devices = vouched_devices(ANN, answer, None)
    assert master == public_key(keys.master)
    assert list(devices) == ["D1"]
    assert vouched_devices(ANN, answer, master)[1].keys() == {"D1"}


def test_a_broken_chain_vouches_for_nothing() -> None:
    _, answer = chain()
    other, foreign = chain()
    for part in ("master_keys", "self_signing_keys"):
        assert vouched_devices(ANN, {**answer, part: foreign[part]}, None)[1] == {}
        assert vouched_devices(ANN, {**answer, part: {}}, None)[1] == {}
    assert vouched_devices(ANN, {**answer, "device_keys": foreign["device_keys"]}, None)[1] == {}
    assert vouched_devices(ANN, answer, public_key(other.master)) == (None, {})


def test_a_device_under_another_name_is_not_vouched_for() -> None:
    _, answer = chain()
    devices = answer["device_keys"][ANN]
    assert vouched_devices(ANN, {**answer, "device_keys": {ANN: {"D9": devices["D1"]}}}, None)[1] == {}
