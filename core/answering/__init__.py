"""Passages to a verified answer."""
