"""`serve` and what keeps it running: platforms, periodic work, HTTP, metrics, health, `doctor`.

It works on what wiring has built, and watches over the index, the disk, the clock and the event loop.
"""
