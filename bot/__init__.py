"""The application, in rooms: `docs/architecture.md` says what belongs where and who may import whom."""
