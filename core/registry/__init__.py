"""Parties, places and documents by name: found in questions, and checked for consistency."""
