"""Encrypted files, opened and refused."""

import pytest
from nio.crypto.attachments import encrypt_attachment

from adapters.matrix.contents import Stored, decrypted
from core.domain.messages import Attachment
from core.errors import Refused

PDF = b"%PDF-1.4\n" + bytes(range(256)) * 9


def closed() -> tuple[bytes, Stored]:
    content, keys = encrypt_attachment(PDF)
    return content, Stored(
        url="mxc://a/b", key=keys["key"]["k"], iv=keys["iv"], sha256=keys["hashes"]["sha256"]
    )


def test_what_a_client_encrypted_opens() -> None:
    content, stored = closed()
    assert decrypted(content, stored) == PDF


def test_what_is_not_what_was_announced_is_refused() -> None:
    content, stored = closed()
    for damaged in (content[:-1], content + b"x", b"", content[::-1]):
        with pytest.raises(Refused) as refused:
            decrypted(damaged, stored)
        assert refused.value.key == "upload.gone"


@pytest.mark.parametrize("key", ["short", "!", "A" * 43])
def test_keys_that_are_none_are_refused_or_open_nothing(key: str) -> None:
    content, stored = closed()
    other = Stored(url=stored.url, key=key, iv=stored.iv, sha256=stored.sha256)
    if len(key) == 43:
        assert decrypted(content, other) != PDF
    else:
        with pytest.raises(Refused):
            decrypted(content, other)


@pytest.mark.parametrize("opaque", ["", "no json", "[]", "{}", '{"url": "mxc://a/b", "other": 1}'])
def test_ids_of_attachments_are_ours_or_refused(opaque: str) -> None:
    with pytest.raises(Refused):
        Stored.of(Attachment(id=opaque, name="x.pdf"))


def test_an_address_stays_on_the_homeserver() -> None:
    hostile = Stored(url="mxc://evil.example/../../../admin?x=1#y")
    assert hostile.address == "/_matrix/client/v1/media/download/evil.example/..%2F..%2F..%2Fadmin"
