"""Everything reached over HTTP: the interface for programs, pages by link, health and metrics."""
