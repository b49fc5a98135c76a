"""Quotes chosen, not written: the sentences that answer best, each cited from its own page.

No model is needed here.
"""
