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
    """What is said to a bot that is no question to a library; folded."""

    greeting: Words
    thanks: Words
    bye: Words
    fillers: Words
    """Say nothing beside greetings and thanks."""
    thankful: Words
    """Say nothing beside thanks."""
    hello: Phrases
    """In front of a question; skipped."""
    about_us: Phrases
    about_us_more: Phrases
    """What may follow a question about the bot without making it another one."""
    passing: Phrases
    """The weather, the time: errands where nothing but `passing_more` follows."""
    passing_more: Phrases
    calculate: Phrases
    errand: Phrases
    small: Phrases
    poems: Phrases
    code: Phrases
    tongues: Phrases
    whom: Phrases
    """Whom or what one votes for, as a question word."""
    chooser: Phrases
    """Who votes."""
    voting_advice: Phrases
    """Asks to be told whom to vote for; anywhere in what is said."""
    party_advice: Phrases
    """With a party's name, written "qparty", asks whether to vote for it, or whether it is good."""
    party_judged: Phrases
    """With the same, asks whether the party is good for somebody, whatever else is said."""
    party_facts: Phrases
    """With the same, makes it a question about what the party says or about the law on voting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistressWords:
    """What people in distress write. Folded; letters may be doubled or not. Phrases stand between blanks, and
    in them "~" is up to six words, "%" any number of those of `light`."""

    light: Phrases
    """Words that may stand anywhere and change nothing."""
    people: Phrases
    """Who is in distress, or brings it."""
    suicide: Phrases
    violence: Phrases
    emergency: Phrases
    """Where nothing is asked of a library."""
    harmless: Phrases
    """Ways of speaking; left out before the others are looked for."""
    suicide_told: Phrases
    violence_told: Phrases
    """The same as `suicide` and `violence` where nothing is asked of a library."""
    asking: Phrases
    """What only a question to a library has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTalkWords:
    """How what people of a group say to each other is told from what they ask the bot; folded."""

    openings: Phrases
    """In front of a question; skipped."""
    asking: Phrases
    """What a question begins with."""
    going_on: Phrases
    """What a short question that goes on from the last answer begins with."""
    requests: Phrases
    """Ask for passages, whether they say "you" or not."""
    people: Phrases
    """Only people are spoken to or of like that: meetings, coffee, what we think."""
    remarks: Phrases
    """What comments and asks nothing, whatever mark stands at its end."""
    whereabouts: Phrases
    """Who, where and when: people ask each other that first of all."""
    third_person: Phrases
    """Behind the bot's name: it is spoken of."""
    subjects: Phrases
    """Whole words that make a question one to a library of programmes and laws."""
    particles: Phrases
    """Of speech: irony, impatience, what is known anyway. These and all below are whole words."""
    speakers: Phrases
    """I and we."""
    addressees: Phrases
    """You."""
    outsiders: Phrases
    """They, and nobody in particular."""
    negations: Phrases
    somebody: Phrases
    """People who are asked after or told about."""
    times: Phrases
    """Counted from now."""
    generic: Phrases
    """Whom rules are made for."""
    verbs: Phrases
    """Which open a question for yes or no."""
    inverted: Phrases
    """Beginnings of such a question, with or without its mark."""
    prepositions: Phrases
    """In front of a case that is asked about by itself."""
    cites: Phrases
    """What only a text has: pages, wording, sections."""
    please: Phrases


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
