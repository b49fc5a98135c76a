"""Frozen types, one module per theme."""
