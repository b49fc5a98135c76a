"""Base forms of words, and whether a word exists, from simplemma's full-form dictionaries.

simplemma is imported on the first lookup: its rules for fifty languages take a tenth of a second. Its
dictionaries are packed lists; the index of one takes most of a second, and is kept.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from core.kept import kept

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryLookupStrategy


def lemma(word: str, language: str) -> str:
    """The base form of `word`, or the word itself if unknown."""
    return _lookup()[0].lemmatize(word, language)


def is_known(word: str, language: str) -> bool:
    """Whether `word` is a form in the dictionary of `language`."""
    return _lookup()[1].get_lemma(unicodedata.normalize("NFC", word), language) is not None


@cache
def _lookup() -> "tuple[Lemmatizer, DictionaryLookupStrategy]":
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy, DictionaryFactory, DictionaryLookupStrategy

    class Dictionaries(DictionaryFactory):
        def get_dictionary(self, lang: str) -> Mapping[str, str]:
            return _dictionary(lang)

    dictionaries = Dictionaries()
    lemmatizer = Lemmatizer(lemmatization_strategy=DefaultStrategy(dictionary_factory=dictionaries))
    return lemmatizer, DictionaryLookupStrategy(dictionaries)


@cache
def _dictionary(language: str) -> Mapping[str, str]:
    from simplemma import __version__
    from simplemma.strategies.dictionaries.stream_dictionary_factory import StreamMap

    def parts() -> dict[str, Any]:
        made = StreamMap(language)
        return {name: getattr(made, name) for name in StreamMap.__slots__}

    found = StreamMap.__new__(StreamMap)
    for name, value in kept(f"words-{language}", __version__, parts).items():
        setattr(found, name, value)
    return found
