"""What is reached over HTTP: programs with tokens, pages by link, health and metrics."""
