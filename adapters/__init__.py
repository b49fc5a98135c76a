"""Adapters: each wraps one third-party library or service behind a port from `core.ports`."""
