"""Results in words and tables, in the language of whoever reads them."""
