"""Evaluation of the bot on question sets: observations, symmetry, and the report."""
