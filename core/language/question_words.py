"""What a language file holds for the rules of questions, and of sentences that answer them."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = frozenset[str]
"""Whole words."""

Phrases = tuple[str, ...]
"""Regular expressions without capturing groups."""

Everyday = Mapping[str, str]
"""What people say, regular expressions without capturing groups, with what documents write for it."""

Subjects = Mapping[str, Phrases]
"""Subjects by a name that every language has: the word of documents as it is written, then the regular
expressions by which it is found in questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalkWords:
    """Greetings and thanks; folded."""

    greeting: Words
    thanks: Words
    bye: Words
    fillers: Words
    """Say nothing beside greetings and thanks."""
    thankful: Words
    """Say nothing beside thanks."""
    hello: Phrases
    openings: Phrases
    """In front of a question, and of the bot's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """How the kinds of question are told apart; folded, anywhere in the question."""

    which: Phrases
    which_documents: Phrases
    documents: Phrases
    held: Phrases
    """With "which documents": what the library holds is asked for."""
    in_library: Phrases
    show: Phrases
    shown: Phrases
    """Behind `show`: a document is wanted, not what it says."""
    conflict: Phrases
    compare: Phrases
    comparing: Phrases
    """Tells to compare, at the beginning of a line."""
    all_parties: Phrases
    """All parties are asked, side by side."""
    provision: Phrases
    """In front of a provision's number."""
    referring: Phrases
    """Beginnings of words for citing and carrying out."""
    referred: Phrases
    rule_nouns: Phrases
    penalty: Phrases
    temporal: Phrases
    follow_up: Phrases
    """At the beginning of what goes on from the last question."""
    bare: Phrases
    """The same; nothing is told from it, nor from `back`, in talk among people."""
    anaphora: Phrases
    """Words that stand for something said before."""
    anaphora_last: Phrases
    """The same at a question's end only."""
    back: Phrases
    """What refers back in a thread only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpWords:
    """How follow-ups are put together with the earlier question; as written, in any case of letters."""

    leading: Phrases
    """"And", in front of a follow-up."""
    joining: Phrases
    """Between names in a row."""
    joining_articles: Phrases
    phrase_ends: Phrases
    """Prepositions that end the phrase before them."""
    articles: Phrases
    about: Phrases
    """Prepositions of what is asked about."""
    for_whom: Phrases
    against: Phrases
    inside: Phrases
    """Prepositions of a field that is asked about, where none of `about` stands."""
    they: Phrases
    """Verb and pronoun that stand for the party asked about; as written."""
    units: Phrases
    """In front of a section's number."""
    what_about: Phrases
    more: Phrases
    """Ask for more of what was answered, and for nothing else; folded, as are `reasons`."""
    reasons: Phrases
    others: Phrases
    """Ask the same of all parties that were not named; folded."""
    verbs: Phrases
    """Of one party and of several: "wants = want"."""
    conjunction: str
    """Between the last two names."""
    according_to: str
    everybody: Phrases
    """All parties, as a question names them that asks all of them."""
    """A party's name as a source."""
    at_place: str
    """A place's name as one to look in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionWords:
    """What stands before an alleged quote; folded."""

    around: Words
    """Around the name of whom the words are said to be, or where nobody is named; beside `names.articles`,
    `names.frame` and `topics.asking`."""
    papers: Words
    """Kinds of documents that have editions or are named by a year."""
    joining: Words
    """What joins a sentence to the quote that it goes on with: it says not whose that is."""
    standing: Phrases
    """Verbs that say that words stand somewhere, besides those of saying."""
    linking: Phrases
    chapters: Phrases
    """Before the title of a chapter in which words are said to stand."""
    turning: Phrases
    """What says that somebody denies, rejects or fights the words."""
    despite: Phrases
    """Begins an aside on what somebody says something in spite of; as written, as the next four."""
    nobody: Phrases
    as_much_as: Phrases
    """"(Nobody says it) as clearly as"."""
    countering: Phrases
    countering_ends: Phrases
    """Verbs of an answer to others, and the particles that part from them."""
    addressed: Phrases
    """To whom something is said."""
    untrue: Words
    """What says that the words are false, where it does not ask whether they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeWords:
    """Words around names that say where to look; as written, in any case of letters."""

    articles: Phrases
    sources: Phrases
    """"According to" and its like."""
    plans: Phrases
    plans_in_compounds: Phrases
    """In a word joined to the name by a hyphen."""
    elections: Phrases
    before_year: Phrases
    between_election_and_year: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionWords:
    """Provisions and what cites them; folded, but `forms_wanted`, `cited_exactly` and `carrying_out` are as
    written."""

    rule: Phrases
    section: Phrases
    regulation: Phrases
    art: Phrases
    par: Phrases
    form: Phrases
    annex: Phrases
    recital: Phrases
    schedule: Phrases
    verbs_before: Phrases
    """In front of a provision that is asked for what it cites: it is the subject."""
    between_verb_and_unit: Phrases
    articles: Phrases
    of_whom: Phrases
    """Question words for what is cited."""
    verbs_of_whom: Phrases
    passive: Phrases
    """The provision is what is cited, unless one of `within` stands in front of it."""
    within: Phrases
    within_articles: Phrases
    active_behind: Phrases
    """Behind a provision that cites."""
    basis: Phrases
    """Asks what something rests on."""
    asking: Phrases
    object_asked: Phrases
    pointing: Phrases
    forms_wanted: Phrases
    cited_exactly: Phrases
    """In front of a number or capital letter: the words of the question count exactly."""
    carrying_out: Phrases
    """In front of the provision that a rule carries out."""
    carrying_out_articles: Phrases
    belonging: Phrases
    """Between a provision and the document that it belongs to."""
    title_stop: Words
    """Of no weight when titles are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountWords:
    """Questions for a number, and numbers and amounts as written; in any case of letters, whole words."""

    wanted: Phrases
    quantities: Phrases
    stated: Phrases
    """Number words and the like; digits count by themselves."""
    places_in_text: Phrases
    """In front of a number that names a place in a text."""
    money_wanted: Phrases
    money: Phrases
    age_wanted: Phrases
    age: Phrases
    time_wanted: Phrases
    time: Phrases
    open_questions: Phrases
    """Ask for whatever is said about a topic."""
    saying: Phrases
    positions: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWords:
    """How provisions and definitions are asked for by name; in any case of letters, but `frame` is folded."""

    levels: Phrases
    """Sub-divisions of a provision."""
    ordinals: Phrases
    """First, second, ...: in their order."""
    frame: Words
    """Beside a provision that is asked for as a whole ("What does section 18 say?")."""
    before_laws: Words
    """Between a provision and the name of its law ("of our constitution"); folded."""
    defining_before: Phrases
    """In front of a term whose definition is asked for."""
    defining_behind: Phrases
    """Behind such a term."""
    defines: Phrases
    """Between a term and its definition, in statutes."""
