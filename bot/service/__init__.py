"""`serve` and what keeps it running: platforms, periodic work, HTTP, metrics, health, `doctor`.

It uses what wiring has built, and monitors the index, the disk, the clock and the event loop.
"""
