"""Use cases of documents: intake, publishing, lifecycle, sources, watched folders, the audit trail.

What people name, from places to documents, becomes a scope here or is refused with suggestions.
"""
