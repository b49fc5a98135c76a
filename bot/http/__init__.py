"""What is reached over HTTP: the interface for programs with its tokens, pages by link, health and metrics."""
