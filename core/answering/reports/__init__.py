"""What is made of many answers: comparisons, motions, summaries, corrections and records."""
