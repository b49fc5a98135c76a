"""Fundstelle's core: pure rules for reading, searching, answering and proving. No I/O of its own."""
