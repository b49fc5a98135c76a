"""Claims a model writes, let through only with the quotes that prove them.

Prompts, drafts, verification, repairs, and how often a model is asked.
"""
