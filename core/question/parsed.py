"""A parsed question: read once on arrival, and passed on to searching and answering."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from core.domain.scope import ThreadContext
from core.domain.search import QuestionKind
from core.language.terms import WORD
from core.question.carried import Carried
from core.question.content import content_of, narrowing_stretches
from core.question.followups import asked_of, opens_topic, says_all, standalone, without
from core.question.kinds import asks_what_there_is, kind_of
from core.question.language import question_language
from core.question.sections import AskedSections, asked_sections, read_sections
from core.question.turns import TurnKind
from core.question.wanted import Wanted, read_wanted
from core.question.who import Stance, asked_for, asks_who
from core.registry.detection import Detection, Detector, Named, NameRole

_SOMEWHERE = re.compile(r"(?<!\w)(?:[Ii]n|[Àà]) [A-ZÄÖÜ][^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    """What a question asks. `text` is the original wording; `asked` is the self-contained form: names
    corrected, and completed by what a follow-up takes from earlier questions. Everything else refers to
    `asked`: its `language` (ISO 639-1), the `names` in it, the `sections` asked for, its `kind`, the expected
    answer (`wanted`), and what it is if not a question (`aside`). `may_open_topic`: a follow-up may also open
    a new topic. `asks_who`: it asks who wants or rejects a thing, and `side` is which. `somewhere`: it may
    name a place, known or not."""

    text: str
    asked: str
    language: str
    kind: QuestionKind = QuestionKind.FACT
    names: Detection = field(default_factory=Detection)
    sections: AskedSections = field(default_factory=AskedSections)
    aside: TurnKind | None = None
    wanted: Wanted = field(default_factory=Wanted)
    may_open_topic: bool = False
    asks_who: bool = False
    side: Stance = Stance.UNKNOWN
    somewhere: bool = False

    @property
    def called(self) -> tuple[tuple[str, str], ...]:
        """The separate words that name parties and places in it, and their keys."""
        named = (each for each in self.names.mentions if not each.tail)
        return tuple((self.asked[each.start : each.end], each.key) for each in named)

    @property
    def name_words(self) -> frozenset[str]:
        """The words of all names in it, in lower case."""
        named = (*self.names.mentions, *self.names.titles)
        return frozenset(
            word.casefold() for each in named for word in WORD.findall(self.asked[each.start : each.end])
        )

    def without(
        self,
        parties: Collection[str],
        places: Collection[str],
        documents: Collection[str] = (),
        *,
        least: int | None = None,
    ) -> str:
        """`asked` without the names of these, which already narrow the search; all of it if fewer letters
        than `least` would be left, as in `content_of`."""
        stretches = narrowing_stretches(self.names, parties, places, documents)
        return content_of(self.asked, stretches, least=least)


def parse(
    text: str,
    names: Detector,
    prevailing: Callable[[Detection, QuestionKind], str],
    thread: ThreadContext | None = None,
    carried: Carried | None = None,
    *,
    mended: str = "",
) -> ParsedQuestion:
    """`text` as understood with known `names`, after the questions of `thread`. `mended` is the text with its
    names as they are registered, `carried` what its words say and take from the last question. `prevailing`
    supplies the language if nothing else shows it: that of the documents in scope."""
    mended = mended or names.mended(text)
    asked = mended
    if thread and not says_all(mended, thread.questions[-1]):
        asked = standalone(mended, thread, names, carried) or mended
    named = names.detect(asked)
    fresh = named if asked == mended else names.detect(mended)
    if asked != mended and fresh.asks_only_strangers:
        asked, named = mended, fresh  # the earlier questions named others
    if carried:
        before = thread.questions[-1] if thread and asked != mended else ""
        named = as_read(named, fresh, carried, names, before)
    kind = kind_of(asked, names=named.names)
    if asks_what_there_is(asked, named.place_names) and not named.parties:
        kind = QuestionKind.DOCUMENT
    fallback = thread.language if thread else prevailing(named, kind)
    language = question_language(asked, fallback, named.names)
    return ParsedQuestion(
        text=text,
        asked=asked,
        language=language,
        kind=kind,
        names=named,
        sections=asked_sections(asked, language, named, names),
        wanted=read_wanted(asked),
        asks_who=asks_who(asked, language),
        side=asked_for(asked, language),
        somewhere=_SOMEWHERE.search(asked) is not None,
        may_open_topic=asked not in (text, mended) and opens_topic(text),
    )


def as_read(
    named: Detection, fresh: Detection, carried: Carried, names: Detector, before: str = ""
) -> Detection:
    """`named` with what `carried` says of the names in `fresh`, the message itself, which goes on with the
    question `before`, if any. Places inside what it asks are its topic; those not to be searched in are left
    out."""
    sought = {each.key for each in fresh.mentions if (each.start, each.end) in carried.sought}
    elsewhere, asked = (
        {each.key for each in fresh.places} - {each.key for each in without(fresh, stretches).places} - sought
        for stretches in (carried.topics, carried.asks)
    )
    roles = dict.fromkeys(asked, NameRole.TOPIC) | dict.fromkeys(sought, NameRole.SOURCE)
    elsewhere -= {each.key for each in names.detect(before).places}
    places = (each for each in named.places if each.key not in elsewhere)
    named = replace(
        named, places=tuple(replace(each, role=roles.get(each.key, each.role)) for each in places)
    )
    if before:
        return named
    left = asked_of(named, carried)
    if left.unasked and not left.parties and not left.strangers:
        others = names.beside([each.key for each in named.parties])
        left = replace(left, parties=tuple(Named(key=key, role=NameRole.PLAIN) for key in others))
    return left


def another_wording(text: str, names: Detector, fallback: str) -> ParsedQuestion:
    """`text` as a question to be searched only in addition to another; in `fallback` if nothing shows its
    language."""
    named = names.detect(text)
    language = question_language(text, fallback, named.names)
    return ParsedQuestion(text=text, asked=text, language=language, names=named)


def nameless(text: str, language: str) -> ParsedQuestion:
    """`text`, in `language`, as a question without name detection and without a preceding one."""
    sections, wanted = read_sections(text, language), read_wanted(text)
    return ParsedQuestion(text=text, asked=text, language=language, sections=sections, wanted=wanted)
