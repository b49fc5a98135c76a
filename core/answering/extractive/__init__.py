"""Chooses quotes instead of writing: the sentences that answer best, each cited from its page.

No model is needed here.
"""
