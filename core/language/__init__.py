"""What rules need of a language: its sentences, abbreviations and little words, and which a text is in."""
