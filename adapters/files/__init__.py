"""Manifests, originals and folders on disk."""
