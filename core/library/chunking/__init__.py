"""Cutting a document into passages: prose by windows, statutes by sections, questions with their answers."""
