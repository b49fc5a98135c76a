"""A question in the words of documents: everyday or foreign expressions replaced by those documents use
("Öffis", "salaire minimum").

The encoders and the reader find little with everyday words, and less with those of another language, but read
a mixed-language question well: only the subject has to be in the words of the documents. What is asked,
where, and in which language is determined by the question alone (decision 0026).
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import islice

from core.language.languages import of, tags


def in_words_of_documents(question: str, own: str, languages: Iterable[str]) -> dict[str, str]:
    """`question`, asked in the language `own`, as documents in each of `languages` would put it, without
    languages for which nothing changes."""
    if own not in tags():
        return {}
    plain = _everyday(own).sub(lambda found: _written(found, own), question)
    said = {each: plain if each == own else _translated(plain, own, each) for each in languages}
    return {language: text for language, text in said.items() if text != question}


def said_alike(text: str, language: str) -> str:
    """`text` with everyday words replaced by the first of the names that documents use, so that synonyms
    become the same word: "Kernkraft" for "Atomkraft"."""
    if language not in tags():
        return text
    return _everyday(language).sub(lambda found: _written(found, language).split(" (")[0], text)


_READ = 600
"""Maximum characters of a text searched for subjects: nobody names the topic beyond that."""
_MOST = 4
"""Maximum subjects of a text for which all names are collected."""


def names_subject(text: str, language: str) -> bool:
    """Whether `text` names a subject in the words of `language`."""
    return language in tags() and _subjects(language).search(text, 0, _READ) is not None


def ways_of_saying(text: str, language: str) -> list[tuple[str, re.Pattern[str]]]:
    """Each subject named in `text`, as written, with all its names in `language`; only the first ones of
    many, since each needs patterns to be built."""
    if language not in tags():
        return []
    names = [name for name, _ in _expressions(language)]
    matches = islice(_subjects(language).finditer(text, 0, _READ), _MOST)
    found = [(each[0], names[(each.lastindex or 1) - 1]) for each in matches]
    return [(said, _ways(language, name)) for said, name in found]


@cache
def _ways(language: str, name: str) -> re.Pattern[str]:
    """All names of a subject."""
    return _whole_words(phrase for each, phrase in _expressions(language) if each == name)


def _written(found: re.Match[str], language: str) -> str:
    """The documents' wording for the everyday words `found`."""
    return list(of(language).everyday.values())[(found.lastindex or 1) - 1]


def _translated(text: str, own: str, other: str) -> str:
    """`text` with its subjects in the language `other`."""
    if other not in tags():
        return text
    names, subjects = [name for name, _ in _expressions(own)], of(other).subjects
    return _subjects(own).sub(lambda found: subjects[names[(found.lastindex or 1) - 1]][0], text)


@cache
def _everyday(language: str) -> re.Pattern[str]:
    """A group for each row of everyday words."""
    return _whole_words(of(language).everyday)


@cache
def _subjects(language: str) -> re.Pattern[str]:
    """A group for each way of saying a subject."""
    return _whole_words(phrase for _, phrase in _expressions(language))


@cache
def _expressions(language: str) -> tuple[tuple[str, str], ...]:
    """Subjects and their expressions, longest first: "asylum seekers" before "asylum"."""
    rows = of(language).subjects.items()
    found = [(name, each) for name, (word, *said) in rows for each in (re.escape(word), *said)]
    return tuple(sorted(found, key=lambda row: -len(row[1])))


def _whole_words(phrases: Iterable[str]) -> re.Pattern[str]:
    # the letter each begins with is required once, in front: otherwise all are tried at every full stop of a
    # line
    return re.compile(rf"(?<!\w)(?=\w)(?:{'|'.join(f'({each})' for each in phrases)})(?!\w)", re.IGNORECASE)
