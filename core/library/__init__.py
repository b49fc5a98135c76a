"""Bringing documents in: ingestion, page furniture, chunking, section recognition."""
