"""What is kept of answers: written down, explained, judged, and gone when its term is over."""
