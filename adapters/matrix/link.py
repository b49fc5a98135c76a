"""What belongs to one login, made in the order in which it needs each other."""

import logging
from dataclasses import dataclass
from pathlib import Path

from nio import AsyncClient

from adapters.matrix import cross_signing
from adapters.matrix.cross_signing import CrossSigning
from adapters.matrix.errors import checked, translating
from adapters.matrix.homeserver import Homeserver
from adapters.matrix.media import Media
from adapters.matrix.relations import Relations
from adapters.matrix.sending import MatrixSender
from adapters.matrix.session import Account, new_client, sign_in
from adapters.matrix.trust import Trust, TrustPolicy
from adapters.matrix.undecryptable import Undecryptable
from core.errors import Broken, Refused

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A login and what works with it."""

    client: AsyncClient
    homeserver: Homeserver
    relations: Relations
    trust: TrustPolicy
    sender: MatrixSender
    media: Media
    undecryptable: Undecryptable

    async def close(self) -> None:
        """End the connections and close the crypto store; the login stays."""
        await _closed(self.client)


async def new_link(account: Account, folder: Path, *, trust: Trust, key_wait_s: float) -> Link:
    """Log in, publish the device's keys and cross-sign it. Raises Unavailable and Broken."""
    client = new_client(account, folder, encryption=True)
    try:
        await sign_in(client, account, folder)
        with translating():
            if client.should_upload_keys:
                checked(await client.keys_upload())
        await _cross_sign(client, folder, account.password)
        homeserver, media = Homeserver(client), Media(client)
        await media.read_limit()
    except BaseException:
        await _closed(client)
        raise
    policy = TrustPolicy(client, trust, folder)
    return Link(
        client=client,
        homeserver=homeserver,
        relations=Relations(homeserver, client.user_id),
        trust=policy,
        sender=MatrixSender(client, policy),
        media=media,
        undecryptable=Undecryptable(client, key_wait_s),
    )


async def _cross_sign(client: AsyncClient, folder: Path, password: str) -> None:
    """The bot can do without, so it starts nevertheless; `doctor` says what to do."""
    try:
        outcome = await cross_signing.ensure_signed(client, cross_signing.kept_keys(folder), password)
    except (Refused, Broken) as error:
        log.warning("the bot's device could not be cross-signed: %s", error.detail)
        return
    if outcome is not CrossSigning.SIGNED:
        log.warning("the bot's device is not cross-signed (%s)", outcome.value)


async def _closed(client: AsyncClient) -> None:
    await client.close()
    if client.store is not None:
        client.store.database.close()
