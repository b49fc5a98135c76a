"""Records of answers: written, explained, judged, and deleted when their retention period ends."""
