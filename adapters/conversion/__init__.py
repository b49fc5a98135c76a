"""Converts other formats to PDF, in our own contained process or with LibreOffice."""
