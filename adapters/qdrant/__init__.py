"""PassageIndex on Qdrant: embedded (Edge), and through qdrant-client (local mode or server)."""
