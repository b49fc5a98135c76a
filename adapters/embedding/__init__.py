"""Embedder and LexicalEncoder: packaged models, offline."""
