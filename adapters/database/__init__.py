"""Library on SQLModel: SQLite or PostgreSQL."""
