"""Library on SQLAlchemy: SQLite or PostgreSQL."""
