"""PdfToolkit on PyMuPDF, in contained child processes."""
