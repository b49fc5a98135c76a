"""Measures of searches and answers on question sets. Pure."""
