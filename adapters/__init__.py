"""Adapters: each wraps one foreign library or service behind a port of `core.ports`."""
