"""Files that people sent: got with the token, which nobody else gets to see."""

from pathlib import Path

import pytest

from adapters.slack.platform import may_see_token
from core.domain.messages import Attachment
from core.errors import Refused, Unavailable
from tests.support.slack_harness import SlackHarness
from tests.support.stand_in import as_files

PDF = b"%PDF-1.4\n" + b"%" * 200_000


async def uploaded(chats: SlackHarness) -> Attachment:
    chat = await chats.direct()
    await chats.server.do("say", chat=chat, files=as_files([("../a programme.pdf", PDF)]))
    (attachment,) = (await chats.inbox.next()).attachments
    return attachment


async def test_a_file_comes_whole_and_under_a_safe_name(chats: SlackHarness, tmp_path: Path) -> None:
    path = await chats.platform.fetch(await uploaded(chats), tmp_path, max_bytes=len(PDF))
    assert path.parent == tmp_path
    assert path.read_bytes() == PDF


@pytest.mark.parametrize(
    ("fault", "error"),
    [({"status": 302}, Refused), ({"status": 404}, Refused), ({"status": 503}, Unavailable)],
)
async def test_no_redirect_is_followed(
    chats: SlackHarness, tmp_path: Path, fault: dict[str, int], error: type[Exception]
) -> None:
    attachment = await uploaded(chats)
    await chats.server.do("fault", method="download", kind="refuse", **fault)
    with pytest.raises(error):
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 - a look into an empty folder


async def test_the_page_for_signing_in_is_no_document(chats: SlackHarness, tmp_path: Path) -> None:
    attachment = await uploaded(chats)
    chats.platform._api._token = "xoxb-another"
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert refused.value.key == "upload.gone"


async def test_a_file_that_was_deleted_is_gone(chats: SlackHarness, tmp_path: Path) -> None:
    attachment = await uploaded(chats)
    await chats.server.do("forget_file", file_id=attachment.id)
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert refused.value.key == "upload.gone"


async def test_a_file_that_is_larger_than_announced_is_dropped(chats: SlackHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    (file,) = as_files([("a.pdf", PDF)])
    await chats.server.do("say", chat=chat, files=[file | {"size": 10}])
    (attachment,) = (await chats.inbox.next()).attachments
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=100_000)
    assert refused.value.key == "upload.too_large"
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 - a look into an empty folder


@pytest.mark.parametrize(
    ("url", "base", "may"),
    [
        ("https://files.slack.com/files-pri/T1-F1/a.pdf", "", True),
        ("https://files.slack.com:443/files-pri/T1-F1/a.pdf", "", True),
        ("http://files.slack.com/files-pri/T1-F1/a.pdf", "", False),
        ("https://files.slack.com:8443/a.pdf", "", False),
        ("https://files.slack.com.evil.example/a.pdf", "", False),
        ("https://files.slack.com@evil.example/a.pdf", "", False),
        ("https://evil.example/files.slack.com/a.pdf", "", False),
        ("", "", False),
        ("http://127.0.0.1:8082/files-pri/a.pdf", "http://127.0.0.1:8082/api/", True),
        ("https://files.slack.com/a.pdf", "http://127.0.0.1:8082/api/", False),
        ("http://127.0.0.1:9999/files-pri/a.pdf", "http://127.0.0.1:8082/api/", False),
    ],
)
def test_who_may_see_the_token(url: str, base: str, may: bool) -> None:
    assert may_see_token(url, base) is may
