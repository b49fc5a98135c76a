"""Base forms of words, and whether a word exists, from simplemma's full-form dictionaries.

simplemma is imported on the first lookup: its rules for fifty languages take a tenth of a second.
"""


def lemma(word: str, language: str) -> str:
    """The base form of `word`, or the word itself if unknown."""
    import simplemma

    return simplemma.lemmatize(word, language, low_memory=True)


def is_known(word: str, language: str) -> bool:
    """Whether `word` is a form in the dictionary of `language`."""
    import simplemma

    return simplemma.is_known(word, language, low_memory=True)
