"""Frozen types, one small module per theme."""
