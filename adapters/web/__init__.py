"""Documents by URL, fetched safely."""
