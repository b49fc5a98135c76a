"""Alignment of a quote to the words of a page, and the guards that refuse changed quotes."""
