"""Sources of updated documents: addresses on a schedule, watched folders, and held changes."""
