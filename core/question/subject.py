"""What a question is about: the words to look for, apart from names that say where to search."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from core.domain.search import TellingWord
from core.language.languages import of, tags
from core.language.patterns import words
from core.language.terms import content_words, terms
from core.question.speakers import Speaker
from core.question.usual_words import ways_of_saying
from core.question.wanted import Wanted

_IN_BRACKETS = re.compile(r"\s*\(([^()]*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a question in `language` is about: `text`, in the words of documents in the language `written`,
    and `said`, as it was asked, if different. `words` name its topic, `names` are the terms of the topic and
    of each alternative name in brackets, `ways` its other wordings; `thing` is what somebody may want or
    reject, if the question asks who does, `thing_said` the same in the question's own words; `stems` are the
    terms of the whole text stemmed as in `written`, `key_terms` those of its topic stemmed as in `language`.
    `wanted` is the expected answer, `day` the day on which it has to be valid, None for any; `speaker` is the
    one whose words alone may answer, None for anybody's; `known` is what was quoted before; `telling` are the
    words that few passages have."""

    text: str
    written: str
    language: str
    said: str = ""
    words: tuple[str, ...] = ()
    names: tuple[frozenset[str], ...] = ()
    ways: tuple[re.Pattern[str], ...] = ()
    thing: str = ""
    thing_said: str = ""
    stems: frozenset[str] = frozenset()
    key_terms: frozenset[str] = frozenset()
    wanted: Wanted = field(default_factory=Wanted)
    day: date | None = None
    speaker: Speaker | None = None
    known: tuple[str, ...] = ()
    telling: frozenset[TellingWord] = frozenset()

    @property
    def as_said(self) -> str:
        """The subject in the question's own words."""
        return self.said or self.text

    @property
    def terms(self) -> frozenset[str]:
        """The terms of its first name: the whole topic without brackets."""
        return self.names[0] if self.names else frozenset()

    @property
    def all_terms(self) -> frozenset[str]:
        """The terms of all of its names."""
        return frozenset[str]().union(*self.names)

    @property
    def is_translated(self) -> bool:
        """Whether the documents are in a different language from the question."""
        return self.language != self.written


def subject_of(text: str, language: str, written: str, wanted: Wanted, said: str = "") -> Subject:
    """The subject of a question in `language` that is `text` in the words of documents in the language
    `written`."""
    names = topic_names(text, language, written)

    def is_all(phrase: str) -> bool:
        return not names or any(name <= terms(phrase, written) for name in names)

    return Subject(
        text=text,
        written=written,
        language=language,
        said=said,
        words=topic_words(without_other_names(text), language),
        names=names,
        ways=tuple(way for phrase, way in ways_of_saying(text, written) if is_all(phrase)),
        stems=terms(text, written),
        key_terms=topic_terms(text, language),
        wanted=wanted,
    )


def sought(question: str, language: str) -> tuple[str, ...]:
    """What `question` is about: its content words except those asking what somebody says about it."""
    said = content_words(question, language)
    topic = tuple(word for word in said if word.lower() not in words("topics.asking"))
    return topic or said


def topic_words(question: str, language: str) -> tuple[str, ...]:
    """The result of `sought`, only the nouns if the language marks them and there are any; otherwise words
    that are interrogative in other questions ("Darf man seine Meinung frei sagen?")."""
    found = sought(question, language)
    if language in tags() and of(language).topics.nouns_have_capitals:
        asking = [word for word in content_words(question, language)[1:] if word not in found]
        return _nouns(found) or _nouns(asking) or found
    return found


def _nouns(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in said if not word[0].islower())


def topic_terms(question: str, language: str, written: str | None = None) -> frozenset[str]:
    """Stems of what `question` is about: of its nouns, if the language marks them and there are any; stemmed
    for the language `written` if the subject is in a different language from the question."""
    return terms(" ".join(topic_words(question, language)), written or language)


def without_other_names(question: str) -> str:
    """`question` without alternative names of its topic in brackets: "Kernkraft (Atomkraft)"."""
    return _IN_BRACKETS.sub("", question)


def topic_names(text: str, language: str, written: str) -> tuple[frozenset[str], ...]:
    """The terms of `text` and of each alternative name in brackets, as found by `topic_terms`."""
    names = (without_other_names(text), *_IN_BRACKETS.findall(text))
    found = (topic_terms(each, language, written) for each in names)
    return tuple(each for each in found if each)
