"""Where documents come from again: addresses on a schedule, watched folders, and held changes."""
