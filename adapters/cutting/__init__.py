"""Cuts documents in a separate process, with limits."""
