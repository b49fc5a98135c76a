"""The console as a chat platform."""
