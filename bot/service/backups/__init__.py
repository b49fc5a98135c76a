"""Backups: everything that cannot be made again in one file, made beside the answers, checked, put back."""
