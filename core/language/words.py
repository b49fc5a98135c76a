"""What a language file holds, field by field.

`Words` are whole words; `Phrases` are regular expressions without capturing groups, each of which may stand
where the rule has its place for them. Most rules of questions read folded text ("fuer", "demarches"), those
of passages text as it is written; the tables say which. Nothing here knows a language: a new one is a new
file of the same fields.
"""

from dataclasses import dataclass

Words = frozenset[str]
Phrases = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceWords:
    """Where sentences end. Casefolded, abbreviations without blanks and without their last full stop."""

    never_last: Words
    """Abbreviations that something always follows: a full stop after them never ends a sentence."""
    seldom_last: Words
    """Abbreviations at which a sentence ends only where a usual opener follows."""
    openers: Words
    """Words that usually open a sentence when they stand with a capital after a doubtful full stop."""
    numbers_end: bool
    """A sentence may end with a number ("in 2020."): the language writes ordinals without a full stop."""
    provisos: Phrases
    """What begins a clause that may be quoted by itself in a statute's long sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameWords:
    """Small words that tell the role of a name or year beside them; folded."""

    articles: Words
    """Skipped when looking for the preposition in front of a name."""
    merged: Words
    """Preposition and article in one."""
    party_topic: Words
    """In front of a party that is spoken about."""
    place_topic: Words
    """In front of a place that is spoken about."""
    place_source: Words
    """In front of a place to look in."""
    point_in_time: Words
    """In front of a year that is a point in time."""
    of_year: Words
    """Between a party and the year of its programme."""
    neutral: Words
    """Between a year and the election that it belongs to."""
    frame: Words
    """Around a name in a follow-up ("und wie sieht das die FDP?") without asking anything by themselves."""


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
    anaphora: Phrases
    """Words that stand for something said before."""
    anaphora_last: Phrases
    """The same at a question's end only."""


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
    units: Phrases
    """In front of a section's number."""
    what_about: Phrases
    conjunction: str
    """Between the last two names."""
    according_to: str
    """A party's name as a source."""
    at_place: str
    """A place's name as one to look in."""


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
class WordingWords:
    """At the beginning of words of a passage that answers a kind of question."""

    penalty: Phrases
    time: Phrases


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
class CommitmentWords:
    """Words by which a sentence commits somebody; small letters."""

    speakers: Words
    words: Words
    infinitives: Phrases
    """The infinitive that obliges ("ist aufzuheben", "is to be repealed"), in one clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredNameWords:
    """How names of parties and places are written in questions, and what is near them; folded."""

    links: Words
    """Inside names; neither inflected nor written large."""
    endings: Words
    place_endings: Words
    """Of who or what comes from a place."""
    programmes: Phrases
    """A party's programme or its demands: beginnings of words behind the name, in one word with it."""
    compound_links: Phrases
    """Letters between the name and the rest of a compound."""
    capital_articles: Words
    """Articles that are part of a name where they are written large; as written."""
    other_unions: Phrases
    """In front of "union" where no party is meant; beginnings of words."""
    keeps_out: Words
    """Joined to a name by a hyphen in front of it: something else is meant."""
    party_asked: Phrases
    coalition: Phrases
    agreement: Phrases
    behind_amounts: Phrases
    """Behind four digits that are no year."""
    elections: Phrases
    """Beside the year of an edition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicWords:
    """Topics of summaries and comparisons."""

    joining: Phrases
    """Between the parts of a topic."""
    question: str
    """The topic as a question of little words only."""
    asking: Words
    """What asks for somebody's word on a topic and is no part of it: saying, wanting, standing for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionWords:
    """Lines of a motion that demand nothing; in any case of letters."""

    reasons: Phrases
    """The heading from which on a motion gives its reasons."""
    salutations: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """What claims of models are checked for; in any case of letters."""

    conflict: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataWords:
    """Around numbers and addresses that are somebody's, or nobody's; in any case of letters, but
    streets are as written."""

    at: Phrases
    """For "@"."""
    dot: Phrases
    street_endings: Phrases
    """At the end of a street's name, the number of the house behind it."""
    streets: Phrases
    """Behind a street's name, the number of the house in front of it."""
    streets_in_front: Phrases
    """Between the number of the house and the street's name."""
    lives: Phrases
    taxed: Phrases
    counted_before: Phrases
    """In front of a number that is an amount or names a provision or paper."""
    counted_after: Phrases
    asked_for: Phrases
    """In front of a number that somebody can be called by after all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTypeWords:
    """What a document is, told by its title or first lines; small letters. Named as the types are."""

    coalition_agreement: Phrases
    basic_programme: Phrases
    manifesto: Phrases
    motion: Phrases
    circular: Phrases
    guidance: Phrases
    regulation: Phrases
    rules: Phrases
    act: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """All that rules need of one language. `tag` is its ISO 639-1 code, `name` what it is called in English,
    `stemmer` its Snowball stemmer."""

    tag: str
    name: str
    stemmer: str
    sentences: SentenceWords
    names: NameWords
    small_talk: SmallTalkWords
    kinds: KindWords
    follow_ups: FollowUpWords
    scope: ScopeWords
    provisions: ProvisionWords
    wording: WordingWords
    amounts: AmountWords
    commitments: CommitmentWords
    registered: RegisteredNameWords
    topics: TopicWords
    motions: MotionWords
    claims: ClaimWords
    personal: PersonalDataWords
    document_types: DocumentTypeWords
