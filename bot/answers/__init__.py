"""Use cases of questions: ask, verify, compare, motions, summaries, references, why, evaluation.

They join the core's search and answering with the library, and leave a record of every answer.
"""
