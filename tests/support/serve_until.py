"""`fundstelle serve` as operators start it, which ends by SIGKILL when it passes a point.

`python -m tests.support.serve_until POINT:N ARGUMENTS...`: the arguments are those of `fundstelle serve`, the
point is one of POINTS, passed for the N-th time; "" for none.
"""

import sys

from bot.chat.uploads import UploadQueue
from bot.delivery.shared_files import SharedFiles
from fundstelle import main
from tests.support.serving_child import Killer

POINTS = ("stored", "handed", "taken", "told", "kept")
"""A job is stored, but its message not finished; a downloaded file is stored, but the caller not notified; it
was taken, but not read; its receipt is queued, but the job still there; the files of a reply are stored, but
the reply not queued."""


def install(killer: Killer) -> None:
    """Instrument the code to pass the points."""
    killer.around(UploadQueue, "add", after="stored")
    killer.around(SharedFiles, "hand_over", after="handed")
    killer.around(SharedFiles, "take", after="taken")
    killer.around(UploadQueue, "drop", before="told")
    plain = SharedFiles.kept

    async def kept(files, reply):  # type: ignore[no-untyped-def]  # as the method
        stored = await plain(files, reply)
        if any(part.files for part in stored.parts):
            killer.passing("kept")
        return stored

    SharedFiles.kept = kept  # type: ignore[method-assign]


if __name__ == "__main__":
    install(Killer(sys.argv[1]))
    sys.argv[:] = ["fundstelle", "serve", *sys.argv[2:]]
    main()
