"""Language data for rules: sentences, abbreviations, function words, and language detection."""
