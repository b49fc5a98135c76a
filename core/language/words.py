"""What a language file holds, field by field.

`Words` are whole words; `Phrases` are regular expressions without capturing groups. Rules of questions mostly
read folded text ("fuer"), others text as it is written. A new language is a new file of the same fields.
"""

from dataclasses import dataclass

from core.language.question_words import (
    AmountWords,
    AskedWords,
    AttributionWords,
    Everyday,
    FollowUpWords,
    KindWords,
    Phrases,
    ProvisionWords,
    ScopeWords,
    SmallTalkWords,
    Subjects,
    Words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceWords:
    """Where sentences end. Casefolded, abbreviations without blanks and without their last full stop."""

    never_last: Words
    """Abbreviations that something always follows: a full stop after them never ends a sentence."""
    seldom_last: Words
    """Abbreviations at which a sentence ends only where a usual opener follows."""
    openers: Words
    """Words that usually open a sentence when they stand with a capital after a doubtful full stop."""
    elisions: Words
    """What an apostrophe joins to the front of a word."""
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
    event: Words
    """In front of a document's title that is what takes place ("beim Sommerfest")."""
    place_topic: Words
    """In front of a place that is spoken about."""
    place_source: Words
    """In front of a place to look in."""
    beside_subjects: Words
    """Verbs in front of a place that does something or has it, or behind one that a question begins with."""
    point_in_time: Words
    """In front of a year that is a point in time."""
    of_year: Words
    """Between a party and the year of its programme."""
    neutral: Words
    """Between a year and the election that it belongs to."""
    frame: Words
    """Around a name in a follow-up ("und wie sieht das die FDP?") without asking anything by themselves."""
    document_kinds: Words
    """At the end of words that name a paper and nothing else ("Hausordnung")."""
    before_documents: Words
    """Right before the name of a document that is an ordinary word ("laut Haushalt", "the file budget")."""
    document_says: Words
    """In a question for what stands in a document ("Was steht im Plan?")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingWords:
    """At the beginning of words of a passage that answers a kind of question; and of a sentence that takes
    something back of the one before it, or says what follows from it."""

    penalty: Phrases
    time: Phrases
    restricting: Phrases
    concluding: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceWords:
    """By which a document tells its own words from those of others; as written, in any case."""

    own: Phrases
    """Round a quotation that is the document's own: its motto, the wording of a rule."""
    ourselves: Phrases
    our: Phrases
    singular: Phrases
    """Of a person who speaks for herself: "I", "my"."""
    others: Phrases
    """Who is spoken of: opponents, critics, a government; beginnings of words."""
    saying: Phrases
    """Verbs of saying and thinking in the third person, and what stands for one ("according to")."""
    wanting: Phrases
    """Verbs of wanting and planning in the third person."""
    that: Phrases
    """What joins indirect speech to the verb of saying."""
    subjunctive: Phrases
    """Verbs of indirect speech; small letters."""
    rejecting_headings: Phrases
    """How headings begin over what others want or wrongly say."""
    untruths: Phrases
    """Nouns for what is wrongly said ("myths"); in a heading they stand over what they name."""
    opposing: Phrases
    """With these a heading is against untruths, and not over them ("against")."""
    exposing: Phrases
    """Verbs by which untruths are named one by one ("debunk")."""
    asking: Phrases
    """How a heading begins that asks or says what somebody says or wants."""
    obliging: Phrases
    """With these a heading demands something of somebody ("what the government must do")."""
    planning: Phrases
    """Verbs of wanting that nobody's needs are told by, only plans; small letters."""
    stances: Phrases
    """Verbs of headings over what others think, besides those of saying and wanting."""
    claims: Phrases
    """Nouns for what somebody says or wants."""
    positions: Phrases
    """More such nouns, where "our" own stands beside it."""
    told_us: Phrases
    """Clauses by which "we" hear what a heading names."""
    doubting: Phrases
    """What a sentence begins with that doubts those whose words it tells."""
    belonging: Phrases
    """Between such a noun and whose it is."""
    anybody: Phrases
    """Those of `others` that are nobody in particular; beginnings of words."""
    coalitions: Phrases
    """Who besides `others` has plans of its own in headings."""
    testimony_headings: Phrases
    labels: Phrases
    """Before what is wrongly said: "Myth"."""
    answers: Phrases
    """Before what is right: "Fact"."""
    theses: Phrases
    answer_labels: Phrases
    rejections: Phrases
    """Answers to a thesis that do not agree with it."""
    why_not: Phrases
    """What goes on with why not."""
    refuting: Phrases
    """How a sentence begins that calls the one before it untrue."""
    objecting: Phrases
    """How a sentence begins that calls the one before it wrong, or the quotation before it untrue."""
    contrasting: Phrases
    """How a document begins to speak for itself behind what others want."""
    plain_frames: Phrases
    """What stands before a colon and looks as if others spoke, but nobody does ("Key demands")."""
    things: Phrases
    """Subjects of verbs of saying that are no speakers ("that demands"); how a frame begins."""
    agreeing: Phrases
    """With what others say ("rightly")."""
    own_roles: Phrases
    """Who speaks for a party: its candidates and chairs; beginnings of words."""
    own_bodies: Phrases
    """What a party's document calls its party and itself."""
    party_nouns: Phrases
    """Words of parties' names that many parties have; whole words."""
    pointing: Phrases
    """By which a sentence that ends with a colon points at what the document says itself ("This means:")."""
    sources: Phrases
    """Before the title or the name of what is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefutationWords:
    """By which a document begins and ends to tell what others say; in any case."""

    pointing: Phrases
    """Back at what was said before ("that is", "these claims")."""
    pointing_behind: Phrases
    """The same, in the midst of a sentence or at its end."""
    several: Phrases
    """The same, at all of it."""
    speeches: Phrases
    """Nouns for what is said; beginnings of words."""
    so_far: Phrases
    """How a sentence begins that names who has said what stands before it ("these are the words of")."""
    wording: Phrases
    """What it names that with, besides verbs of saying."""
    untrue: Phrases
    """What is said of words that are not true."""
    facts: Phrases
    """By which facts speak against what was said."""
    wrong: Phrases
    """What is said of words and of deeds."""
    denying: Phrases
    differing: Phrases
    """What those do who think otherwise."""
    rejecting: Phrases
    """What those do to what they do not agree with."""
    this: Phrases
    """What that is, where it is what was said before."""
    we: Phrases
    holding: Phrases
    """What those do who have an opinion of what others say."""
    regretting: Phrases
    """By which a sentence says that something is not so, and not that what was said is not true."""
    besides: Phrases
    """By which "we" are set against others ("we, by contrast")."""
    our: Phrases
    sharing: Phrases
    """By which such an opinion agrees."""
    deploring: Phrases
    """By which a sentence says that something must not be, not that it is not so."""
    conditions: Phrases
    turning: Phrases
    """How a sentence begins that sets what is so against what others say."""
    turning_inside: Phrases
    """The same, in the midst of a sentence."""
    agreeing: Phrases
    """How a sentence of one or two words agrees."""
    reading: Phrases
    """What a text of others does that is quoted without marks ("their letter reads:")."""
    later: Phrases
    """How a sentence begins that tells what has come of what others said."""
    heard: Phrases
    """Others speak to the authors of a document ("we are told")."""
    opening: Phrases
    """What tells that others speak or think, besides verbs of saying."""
    demanding: Phrases
    """Verbs of demanding and promising: what follows them is often the document's own account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentWords:
    """Words by which a sentence commits somebody; small letters."""

    speakers: Words
    words: Words
    infinitives: Phrases
    """The infinitive that obliges ("ist aufzuheben", "is to be repealed"), in one clause."""
    measures: Phrases
    """A measure named by a noun, at the beginning of an item ("Abschaffung des", "abolition of")."""
    formalities: Phrases
    """What a document says of itself: how it may be called, who has adopted or printed it."""
    to_fill_in: Phrases
    """What stands behind a bracket in a form, for whoever fills it in."""


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
    noun_complements: Words
    noun_heads: Words
    """Before an article and a noun that then mean a thing, not a party of that name: "auf die Basis"."""
    """Articles that are part of a name where they are written large; as written."""
    party: Words
    """Behind a name that is an adjective by itself: "Green party"."""
    party_papers: Phrases
    """What may stand there instead: "Green manifesto"; as written."""
    other_unions: Phrases
    """In front of "union" where no party is meant; beginnings of words."""
    unions_of: Phrases
    """The same behind it."""
    described: Phrases
    """What colours and sides describe, whole words: behind a name that is such a word no party is meant."""
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
class StrangerWords:
    """How parties are recognised that nobody has registered. `shapes`, `small_shapes` and `loose` are as
    written, `generic` and `never` folded, the others in any case of letters."""

    articles: Phrases
    shapes: Phrases
    """What can only be a party's name ("Wolkenpartei", "Moonlight Party")."""
    small_shapes: Phrases
    """The same where all is written small; there its place has to show it as well."""
    loose: Phrases
    """What is one where a party stands ("Liste Morgenrot")."""
    proper: Phrases
    """What capitals show to be somebody's own name, where such words have none otherwise."""
    links: Phrases
    """Little words inside names."""
    bodies: Phrases
    """Nouns of who speaks and is no party: offices, courts, companies. Folded."""
    position_of: Phrases
    """In front of whoever has a position or a programme."""
    generic: Phrases
    """What has the form and is none: "Vertragspartei", "third party"."""
    never: Phrases
    """Words that no name begins with or consists of."""
    before: Phrases
    """In front of whoever is to say something."""
    source: Phrases
    wanting: Phrases
    """Verbs of saying and wanting in front of a name, or what stands there for one."""
    wanted: Phrases
    """Behind a name that `wanting` is in front of: what it is about, or the verb."""
    behind: Phrases
    """Behind a name that a question begins with."""
    they: Phrases
    """Behind a name that is set off, or begins: what is asked of whoever bears it."""
    also: Phrases
    """Between two that are asked."""
    topic: Phrases
    """In front of what is spoken about, or of any party."""
    joining: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicWords:
    """Topics of summaries and comparisons."""

    joining: Phrases
    """Between the parts of a topic."""
    question: str
    """The topic as a question of little words only."""
    asking: Words
    """What asks for somebody's word on a topic and is no part of it: saying, wanting, standing for."""
    linking: Words
    """Little words that tie the parts of one topic; any other begins another part of the sentence."""
    leading: Words
    """Little words that lead to a topic, or stand behind it, in a question of what is said of it."""
    nouns_have_capitals: bool
    """A capital inside a sentence tells a noun."""
    wide_beginnings: Words
    """Stems with which compounds begin that say whose or for whom a thing is, and not what it is."""
    oblique_articles: Words
    """Before one thing that is no subject: what stands behind them has endings ("des Hausboots")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionTextWords:
    """Lines of a motion that demand nothing, and words between two demands; in any case of letters."""

    reasons: Phrases
    """The heading from which on a motion gives its reasons."""
    salutations: Phrases
    openings: Phrases
    """What leads into a demand."""
    joining: Phrases
    """Between two demands of a sentence."""
    further: Phrases
    """How a clause begins that says what else is demanded, behind a comma or a conjunction."""
    conjunctions: Phrases
    verbs: Phrases
    """Verbs of a clause that demands."""
    last_verbs: Phrases
    """Verbs at the end of their clause, as they are written; none where verbs do not stand there."""
    infinitives: Phrases
    """Verbs that show as such and end their clause in any case."""
    articles: Phrases
    """Words before a noun with which something else begins that is demanded."""
    demanding: Phrases
    """Verbs of those who move something."""


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
class DateWords:
    """Dates as documents print them, in any case of letters."""

    months: Phrases
    """January to December, one phrase each."""
    cues: Phrases
    """Beside the date that a document says it is of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceNameWords:
    """How names of parties and places stand in sentences that we write. `masculine` to `plural` are articles
    in the nominative, accusative and dative, each with the ending of adjectives behind it ("der-e den-en
    dem-en"), empty where names have none; nouns in small letters; parties are named by words ending so."""

    masculine: str
    feminine: str
    neuter: str
    plural: str
    masculine_nouns: Words
    feminine_nouns: Words
    neuter_nouns: Words
    plural_nouns: Words
    masculine_places: Words
    feminine_places: Words
    plural_places: Words
    """Words of places that have an article, which say nothing of parties."""
    people: Words
    """Endings of words for several people, which parties are called by."""
    weak: str
    """Ending of an adjective that is used as a noun, where it is inflected."""
    abbreviations: str
    """Which of the four abbreviations of parties are that tell nothing else, counted from 0; else empty."""
    apposition: str
    """Before the name of a party that tells nothing."""
    accusative: Words
    """Prepositions; without cases it does not matter where they stand."""
    dative: Words
    merged: Phrases
    """Preposition and article, and what becomes of both: "von dem = vom"."""
    elided: Words
    """Prepositions and articles that lose their last letter before a vowel."""


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
    asked: AskedWords
    wording: WordingWords
    voices: VoiceWords
    refutations: RefutationWords
    amounts: AmountWords
    commitments: CommitmentWords
    registered: RegisteredNameWords
    strangers: StrangerWords
    topics: TopicWords
    motions: MotionTextWords
    claims: ClaimWords
    attribution: AttributionWords
    personal: PersonalDataWords
    document_types: DocumentTypeWords
    dates: DateWords
    sentence_names: SentenceNameWords
    everyday: Everyday
    subjects: Subjects
