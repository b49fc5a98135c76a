"""Base forms of words, and whether a word is one: the full-form dictionaries of simplemma.

It is imported by the first word that is looked up: its rules for fifty languages take a tenth of a second.
"""


def lemma(word: str, language: str) -> str:
    """The base form of `word`, itself where nothing is known of it."""
    import simplemma

    return simplemma.lemmatize(word, language, low_memory=True)


def is_known(word: str, language: str) -> bool:
    """Whether `word` is a form in the dictionary of `language`."""
    import simplemma

    return simplemma.is_known(word, language, low_memory=True)
