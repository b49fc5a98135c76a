"""The settings: one frozen tree, loaded once; unknown keys are refused, secrets are hidden.
Services get the slice that they need, never the whole tree.
"""
