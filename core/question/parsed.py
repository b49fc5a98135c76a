"""A question as it was read: once, when it comes in, and handed on to whoever searches and answers."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from core.domain.search import QuestionKind
from core.domain.threads import ThreadContext
from core.question.chatter import Chatter, chatter
from core.question.followups import opens_topic, standalone
from core.question.kinds import kind_of
from core.question.language import question_language
from core.question.sections import AskedSections, read_sections
from core.question.wanted import are_key_words, asks_openly
from core.registry.detection import Detection, Detector


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    """What a question asks. `text` is how it was put; `asked` is how it stands by itself: names written
    right, and what a follow-up takes from the questions before it put in. All the rest is of `asked`: its
    `language` (ISO 639-1), the `names` in it, the `sections` asked for, its `kind`, and what it is instead of
    a question (`chatter`). `openly`: whatever is said about a topic is wanted; `key_words`: nothing but a few
    words was typed, as into a search; `may_open_topic`: a follow-up may as well open a topic of its own."""

    text: str
    asked: str
    language: str
    kind: QuestionKind = QuestionKind.FACT
    names: Detection = field(default_factory=Detection)
    sections: AskedSections = field(default_factory=AskedSections)
    chatter: Chatter | None = None
    openly: bool = False
    key_words: bool = False
    may_open_topic: bool = False


def parse(
    text: str,
    names: Detector,
    prevailing: Callable[[Detection, QuestionKind], str],
    thread: ThreadContext | None = None,
) -> ParsedQuestion:
    """`text` as it is understood where `names` are known, behind the questions of `thread`. `prevailing` says
    which language it is taken for where nothing shows it: that of the documents that it is for."""
    mended = names.mended(text)
    asked = (standalone(mended, thread, names) if thread else None) or mended
    named = names.detect(asked)
    if asked != mended and (fresh := names.detect(mended)).asks_only_strangers:
        asked, named = mended, fresh  # what went before named others
    kind = kind_of(asked, names=named.names, parties=named.party_names)
    fallback = thread.language if thread else prevailing(named, kind)
    language = question_language(asked, fallback, named.names)
    alone = nameless(asked, language)
    rewritten = alone.sections.text != asked
    return replace(
        alone,
        text=text,
        kind=kind,
        names=named,
        sections=replace(alone.sections, names=names.detect(alone.sections.text) if rewritten else named),
        chatter=_chatter(text, asked) if kind is QuestionKind.OFF_TOPIC else None,
        may_open_topic=thread is not None and opens_topic(text),
    )


def nameless(text: str, language: str) -> ParsedQuestion:
    """`text`, in `language`, as a question in which no names are looked for and that follows no other."""
    return ParsedQuestion(
        text=text,
        asked=text,
        language=language,
        sections=read_sections(text, language),
        openly=asks_openly(text),
        key_words=are_key_words(text),
    )


def _chatter(text: str, asked: str) -> Chatter:
    """What is no question; that names of parties make it one for advice shows in no other words."""
    return chatter(text) or chatter(asked) or Chatter.VOTING_ADVICE
