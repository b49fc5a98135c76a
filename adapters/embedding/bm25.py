"""Sparse BM25 terms through fastembed's `Bm25`, offline: Snowball stemmers, stop words of `stop-words`."""
