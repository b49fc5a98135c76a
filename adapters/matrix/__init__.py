"""Matrix as a chat platform, with end-to-end encryption (matrix-nio)."""
