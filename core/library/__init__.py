"""A document's way in: registry, ingestion, page furniture, chunking, section recognition."""
