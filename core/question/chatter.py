"""What is no question to a library: greetings, thanks, talk about the bot, errands, advice how to vote.

Rules only, and narrow ones: whatever could be a question about a document is searched for. A question about
elections, parties or the law on voting is one; only a request to be told whom to vote for is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from core.language.languages import every
from core.language.patterns import pattern, words
from core.message_keys import NoticeKey
from core.registry.names import fold, replaced, tokens


class Chatter(StrEnum):
    """What is said."""

    GREETING = "greeting"
    THANKS = "thanks"
    BYE = "bye"
    HELP = "help"  # also questions about the bot, and what has no words at all
    ERRAND = "errand"  # weather, jokes, code, translations, sums
    VOTING_ADVICE = "voting_advice"


CHATTER_NOTICES: Mapping[Chatter, NoticeKey] = {
    Chatter.GREETING: "info.greeting",
    Chatter.THANKS: "info.thanks",
    Chatter.BYE: "info.bye",
    Chatter.HELP: "info.help",
    Chatter.ERRAND: "info.errand",
    Chatter.VOTING_ADVICE: "info.voting_advice",
}
"""What is replied to each."""


_SMALL_TALK = ("greeting", "thanks", "bye", "fillers")
_MOST_SMALL_TALK = 6
_MOST_THANKS = 9

_HELLO = pattern(r"(?:{small_talk.hello})\b[\s,!.:-]*")
_ABOUT_US = pattern(r"(?:{small_talk.about_us})(?: (?:{small_talk.about_us_more}))*\W*$")
_ERRAND = pattern(
    r"(?:{small_talk.passing})(?: (?:{small_talk.passing_more}))*\W*$"
    r"|(?:{small_talk.calculate}) \d[\d\s.,]*(?:[+*x×][\d\s.,]*)+\W*$"
    r"|{small_talk.errand}"
)
_ADVISING = pattern("{small_talk.voting_advice}")
_PARTY = "qparty"
"""Stands for the name of any party, so that none is treated otherwise for the form of its name."""
_ON_PARTY = pattern("{small_talk.party_advice}")
_JUDGED = pattern("{small_talk.party_judged}")
_FACTS = pattern("{small_talk.party_facts}")


def chatter(text: str, parties: Iterable[tuple[int, int]] = ()) -> Chatter | None:
    """What `text` is if it is no question to the library; None sends it to the search. `parties` are where it
    names parties (start, end)."""
    folded = fold(text).replace("’", "'").strip()
    said = [word.folded for word in tokens(folded)]
    if not said:
        return Chatter.HELP
    if _ADVISING().search(folded) or _asks_about_voting_for(text, tuple(parties)):
        return Chatter.VOTING_ADVICE
    if (small := _small_talk(said)) is not None:
        return small
    while (hello := _HELLO().match(folded)) and hello.end() < len(folded):
        folded = folded[hello.end() :]
    if _ABOUT_US().match(folded):
        return Chatter.HELP
    return Chatter.ERRAND if _ERRAND().match(folded) else None


def _asks_about_voting_for(text: str, parties: Sequence[tuple[int, int]]) -> bool:
    """Whether `text` asks if a party is to be voted for or is a good one, in whatever grammar."""
    if not parties:
        return False
    said = " ".join(fold(replaced(text, parties, f" {_PARTY} ")).replace("’", "'").split())
    return bool(_JUDGED().search(said) or (_ON_PARTY().search(said) and not _FACTS().search(said)))


_SMALL_TALK_CHARACTERS = 200
"""Characters that greetings and thanks have at most."""


def small_talk_languages(text: str) -> tuple[str, ...]:
    """The languages whose small talk has most of the words of `text`; none where it is none, or longer
    than any."""
    if len(text) > _SMALL_TALK_CHARACTERS:
        return ()
    said = {word.folded for word in tokens(fold(text).replace("’", "'"))}
    small = [*_SMALL_TALK, "thankful"]
    own = {
        each.tag: said & frozenset[str]().union(*(getattr(each.small_talk, field) for field in small))
        for each in every()
    }
    if not said or said - frozenset[str]().union(*own.values()):
        return ()
    most = max(map(len, own.values()))
    return tuple(tag for tag, known in own.items() if len(known) == most)


def _small_talk(said: list[str]) -> Chatter | None:
    """Greetings and thanks with nothing else in them."""
    small = frozenset().union(*(words(f"small_talk.{field}") for field in _SMALL_TALK))
    thanks = not words("small_talk.thanks").isdisjoint(said)
    if thanks and len(said) <= _MOST_THANKS and set(said) <= small | words("small_talk.thankful"):
        return Chatter.THANKS
    if len(said) > _MOST_SMALL_TALK or not set(said) <= small:
        return None
    if not words("small_talk.bye").isdisjoint(said):
        return Chatter.BYE
    return Chatter.GREETING if said[0] in words("small_talk.greeting") else Chatter.HELP
