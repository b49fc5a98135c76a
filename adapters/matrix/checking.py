"""The self-check for `doctor`."""

from pathlib import Path

from adapters.matrix import private_files
from adapters.matrix.cross_signing import KEYS_FILE, own_keys
from adapters.matrix.homeserver import Homeserver
from adapters.matrix.signing import CrossSigningKeys, is_signed, only_key, public_key
from core.domain.messages import Finding


async def findings(homeserver: Homeserver, user_id: str, device_id: str, folder: Path) -> list[Finding]:
    """Login, keys of the device, and who vouches for it. Raises Unavailable."""
    published = await own_keys(homeserver, user_id)
    device = published["devices"].get(device_id)
    seeds = private_files.read(folder / KEYS_FILE)
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
