"""The application, in packages: `docs/architecture.md` says what belongs where and what may import what."""
