"""Runs Synapse until the process that started it is gone: `python launch.py homeserver.yaml`.

Works with the environment of tests/servers/matrix/requirements.txt only.
"""

import os
import sys
import threading

from synapse.app.homeserver import main


def _end_with_parent() -> None:
    """The test run holds the other end of our standard input; its end is ours, however it came."""
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=_end_with_parent, daemon=True).start()
sys.argv = ["synapse", "--config-path", sys.argv[1]]
main()
