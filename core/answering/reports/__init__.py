"""Products of many answers: comparisons, motions, summaries, corrections and records."""
