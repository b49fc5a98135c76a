"""The fields of a language file for rules about questions, and about sentences that answer them."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = frozenset[str]
"""Whole words."""

Phrases = tuple[str, ...]
"""Regular expressions without capturing groups."""

Everyday = Mapping[str, str]
"""Everyday expressions (regular expressions without capturing groups) with the wording of documents."""

Subjects = Mapping[str, Phrases]
"""Subjects by a name shared by all languages: the word that documents use, as written, then the regular
expressions that find it in questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalkWords:
    """Greetings and thanks; folded."""

    greeting: Words
    thanks: Words
    bye: Words
    fillers: Words
    """Words that mean nothing next to greetings and thanks."""
    thankful: Words
    """Words that mean nothing next to thanks."""
    hello: Phrases
    openings: Phrases
    """Words before a question, and before the bot's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """How the kinds of question are distinguished; folded, anywhere in the question."""

    which: Phrases
    which_documents: Phrases
    documents: Phrases
    held: Phrases
    """With "which documents": asks what the library contains."""
    stock: Phrases
    """Before the name of a place: ask what documents there are on it."""
    stocked: Phrases
    """Behind that name: say no more than this."""
    in_library: Phrases
    show: Phrases
    shown: Phrases
    """After `show`: asks for a document, not its content."""
    conflict: Phrases
    compare: Phrases
    comparing: Phrases
    """A command to compare, at the beginning of a line."""
    all_parties: Phrases
    """Asks all parties, side by side."""
    provision: Phrases
    """Words before a provision's number."""
    referring: Phrases
    """Beginnings of words for citing and implementing."""
    referred: Phrases
    rule_nouns: Phrases
    penalty: Phrases
    temporal: Phrases
    follow_up: Phrases
    """At the beginning of a follow-up to the last question."""
    bare: Phrases
    """The same, but not conclusive (like `back`) in conversation among people."""
    anaphora: Phrases
    """Words that refer to something said before."""
    anaphora_last: Phrases
    """The same at a question's end only."""
    back: Phrases
    """Words that refer back in a thread only."""
    cries: Phrases
    """Words that cries for help repeat; folded, whole, no expressions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpWords:
    """How follow-ups are combined with the earlier question; as written, in any letter case."""

    leading: Phrases
    """"And" before a follow-up."""
    same: Phrases
    """Openings that ask the same again: "the same for"."""
    also: Phrases
    """Openings that ask whether there is something on another topic as well."""
    comparing: Phrases
    """Words of a request to compare, and what may stand beside them."""
    compared: Phrases
    """What follows "compare" if what was asked before is to be compared: "it", "with"."""
    compared_with: Phrases
    new_topic: Phrases
    """Openings that say that what follows is another topic."""
    denying: Phrases
    """Words before a correction of one's own question."""
    meaning: Phrases
    """Phrases before what was meant instead; `meaning_instead` only behind one of `denying`."""
    meaning_instead: Phrases
    meaning_beside: Phrases
    """Words between these and what was meant, and behind that (`meaning_ends`)."""
    meaning_ends: Phrases
    no_meaning: Phrases
    """Words that show that what follows is an opinion."""
    joining: Phrases
    """Words between names in a list."""
    joining_articles: Phrases
    phrase_ends: Phrases
    """Prepositions that end the preceding phrase."""
    articles: Phrases
    about: Phrases
    """Prepositions of what is asked about."""
    for_whom: Phrases
    against: Phrases
    inside: Phrases
    """Prepositions before a subject area, if there is none of `about`."""
    we: Phrases
    units: Phrases
    """Words before a section's number."""
    what_about: Phrases
    more: Phrases
    """Phrases asking only for more of the last answer; folded, like `reasons`."""
    reasons: Phrases
    ordinals: Phrases
    """First, second ..., in order; folded, like the words before and after them."""
    before_ordinals: Phrases
    behind_ordinals: Phrases
    others: Phrases
    """Phrases asking the same of all parties not named; folded."""
    verbs: Phrases
    """Singular and plural verb forms: "wants = want"."""
    conjunction: str
    """The conjunction between the last two names."""
    according_to: str
    """A party's name as a source."""
    everybody: Phrases
    """"All parties", as named in a question that asks all of them."""
    all_but: Phrases
    """Before parties that alone are not asked ("everyone except")."""
    but_not: Phrases
    """Before a party that is not asked, behind or before one that is ("not the FDP, the SPD")."""
    instead: Phrases
    """Between the two."""
    neither: Phrases
    """Before the first of several parties that are not asked."""
    nor: Phrases
    """Before the others."""
    against_it: Phrases
    """Follow-ups that ask who is against what was asked about, or for it; folded."""
    for_it: Phrases
    who_is_against: str
    """The same as a question of its own."""
    who_is_for: str
    at_place: str
    """A place's name as one to look in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionWords:
    """Words before an alleged quote; folded."""

    around: Words
    """Words around the name to which a quote is attributed, or without a name; in addition to
    `names.articles`, `names.frame` and `topics.asking`."""
    papers: Words
    """Kinds of documents that have editions or are identified by year."""
    joining: Words
    """Words joining a sentence to a quote that continues it, without saying whose it is."""
    standing: Phrases
    """Verbs for being written somewhere, besides verbs of saying."""
    linking: Phrases
    chapters: Phrases
    """Words before the title of a chapter said to contain the quote."""
    forewords: Phrases
    """Parts of documents that have no other title."""
    turning: Phrases
    """Words saying that somebody denies, rejects or opposes the quote."""
    labels: Phrases
    """Beginnings of what only says what words are about, or their number; last words of topics."""
    bodies: Phrases
    """Ends of the names of those who can say something."""
    titled: Phrases
    """Words before the name of a person."""
    turning_whoever: Phrases
    """The same, whoever else is named; without names."""
    rejecting: Phrases
    """Verbs before the thing that somebody rejects; as written."""
    hedging: Phrases
    """Words saying that the quote is only hearsay, with what follows them; in any letter case."""
    not_of: Phrases
    """Before a party that the words are not said to be of, in any letter case, like the next three."""
    not_of_behind: Phrases
    """Words between these and the party."""
    either_of: Phrases
    """Between parties of which one is asked for."""
    but: Phrases
    """Between clauses on different parties."""
    despite: Phrases
    """Begins an aside about what somebody says something in spite of; as written, like the next four."""
    nobody: Phrases
    as_much_as: Phrases
    """"(Nobody says it) as clearly as"."""
    countering: Phrases
    countering_ends: Phrases
    """Verbs of replying to others, and their separable particles."""
    addressed: Phrases
    """Words naming the addressee of a statement."""
    untrue: Words
    """Words saying that a quote is false, unless asking whether it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeWords:
    """Words around names that say where to look; as written, in any letter case."""

    articles: Phrases
    sources: Phrases
    """"According to" and similar."""
    plans: Phrases
    plans_in_compounds: Phrases
    """The second part of a hyphenated compound with the name."""
    elections: Phrases
    before_year: Phrases
    between_election_and_year: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionWords:
    """Words about provisions and what cites them; folded, but `forms_wanted`, `cited_exactly` and
    `carrying_out` are as written."""

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
    """Verbs before a provision whose citations are asked for: it is the subject."""
    between_verb_and_unit: Phrases
    articles: Phrases
    of_whom: Phrases
    """Question words for what is cited."""
    verbs_of_whom: Phrases
    passive: Phrases
    """The provision is what is cited, unless preceded by one of `within`."""
    within: Phrases
    within_articles: Phrases
    active_behind: Phrases
    """Words after a provision that cites something."""
    basis: Phrases
    """Asks what something rests on."""
    asking: Phrases
    object_asked: Phrases
    pointing: Phrases
    forms_wanted: Phrases
    cited_exactly: Phrases
    """Before a number or capital letter: the question's words count literally."""
    carrying_out: Phrases
    """Before the provision that a rule implements."""
    carrying_out_articles: Phrases
    belonging: Phrases
    """Between a provision and the document that it belongs to."""
    title_stop: Words
    """Ignored when titles are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountWords:
    """Questions for a number, and numbers and amounts as written; in any letter case, whole words."""

    wanted: Phrases
    quantities: Phrases
    stated: Phrases
    """Number words and the like; digits count anyway."""
    places_in_text: Phrases
    """Words before a number that identifies a place in a text."""
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
class DenialWords:
    """How a clause negates what is asked, from its first such word to its last; in any letter case."""

    rejecting: Phrases
    denying: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWords:
    """How provisions and definitions are asked for by name; in any letter case, but `frame` is folded."""

    spelt_units: Phrases
    """Pages and provisions, before their numbers in words."""

    levels: Phrases
    """Sub-divisions of a provision."""
    ordinals: Phrases
    """First, second, ..., in this order."""
    frame: Words
    """Words around a provision that is asked for as a whole ("What does section 18 say?")."""
    before_laws: Words
    """Between a provision and the name of its law ("of our constitution"); folded."""
    defining_before: Phrases
    """Words before a term whose definition is asked for."""
    defining_behind: Phrases
    """Words after such a term."""
    defines: Phrases
    """Between a term and its definition, in statutes."""
