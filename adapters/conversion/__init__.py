"""Converter of other formats to PDF, in a contained process of our own or by LibreOffice."""
