"""The passage index in Qdrant: embedded (`edge`) or on a server (`server`)."""
