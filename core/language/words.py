"""The contents of a language file, field by field.

`Words` are whole words; `Phrases` are regular expressions without capturing groups. Rules for questions
mostly read folded text ("fuer"), others text as written. A new language is a new file with the same fields.
"""

from dataclasses import dataclass

from core.language.question_words import (
    AmountWords,
    AskedWords,
    AttributionWords,
    DenialWords,
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
    """Rules for where sentences end. Casefolded, abbreviations without spaces and without their last full
    stop."""

    never_last: Words
    """Abbreviations that are always followed by something: their full stop never ends a sentence."""
    seldom_last: Words
    """Abbreviations at which a sentence ends only if a usual opener follows."""
    openers: Words
    """Words that usually open a sentence when capitalised after a doubtful full stop."""
    elisions: Words
    """Words that an apostrophe joins to the front of a word."""
    numbers_end: bool
    """A sentence may end with a number ("in 2020."): the language writes ordinals without a full stop."""
    provisos: Phrases
    """Words that begin a clause that may be quoted by itself from a statute's long sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameWords:
    """Function words that show the role of an adjacent name or year; folded."""

    articles: Words
    """Skipped when looking for the preposition before a name."""
    merged: Words
    """Contractions of preposition and article."""
    party_topic: Words
    """Before a party that is the topic."""
    event: Words
    """Before a document's title that is also an event ("beim Sommerfest")."""
    place_topic: Words
    """Before a place that is the topic."""
    place_source: Words
    """Before a place to search in."""
    beside_subjects: Words
    """Verbs before a place that does or has something, or after one that begins a question."""
    point_in_time: Words
    """Before a year that is a point in time."""
    of_year: Words
    """Between a party and the year of its programme."""
    neutral: Words
    """Between a year and the election that it belongs to."""
    frame: Words
    """Around a name in a follow-up ("und wie sieht das die FDP?") without asking anything by themselves."""
    document_kinds: Words
    """At the end of words that can only mean a document ("Hausordnung")."""
    before_documents: Words
    """Directly before a document name that is an ordinary word ("laut Haushalt", "the file budget")."""
    document_says: Words
    """In a question about the contents of a document ("Was steht im Plan?")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingWords:
    """Beginnings of words in a passage that answers a kind of question, and in a sentence that qualifies the
    previous one or states its consequences."""

    penalty: Phrases
    time: Phrases
    restricting: Phrases
    concluding: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceWords:
    """Words by which a document distinguishes its own words from those of others; as written, in any letter
    case."""

    own: Phrases
    """Around a quotation that is the document's own: its motto, the wording of a rule."""
    ourselves: Phrases
    our: Phrases
    singular: Phrases
    """Words of a person speaking for themselves: "I", "my"."""
    others: Phrases
    """Others that are mentioned: opponents, critics, a government; beginnings of words."""
    saying: Phrases
    """Verbs of saying and thinking in the third person, and their equivalents ("according to")."""
    wanting: Phrases
    """Verbs of wanting and planning in the third person."""
    that: Phrases
    """Conjunctions that introduce indirect speech."""
    subjunctive: Phrases
    """Verb forms of indirect speech; lower case."""
    rejecting_headings: Phrases
    """Beginnings of headings over what others want or wrongly say."""
    untruths: Phrases
    """Nouns for false claims ("myths"); as a heading they introduce such claims."""
    opposing: Phrases
    """Words showing that a heading opposes untruths rather than introducing them ("against")."""
    exposing: Phrases
    """Verbs introducing a list of untruths ("debunk")."""
    asking: Phrases
    """Beginnings of headings about what somebody says or wants."""
    obliging: Phrases
    """Words by which a heading demands something of somebody ("what the government must do")."""
    planning: Phrases
    """Verbs of wanting that express plans, never needs; lower case."""
    stances: Phrases
    """Verbs in headings over others' opinions, besides those of saying and wanting."""
    claims: Phrases
    """Nouns for statements and demands."""
    positions: Phrases
    """More such nouns, valid if "our" own is next to it."""
    told_us: Phrases
    """Clauses saying that "we" are told what a heading names."""
    doubting: Phrases
    """Beginnings of sentences that doubt those whose words they report."""
    belonging: Phrases
    """Between such a noun and its owner."""
    anybody: Phrases
    """Members of `others` that refer to nobody in particular; beginnings of words."""
    coalitions: Phrases
    """Actors besides `others` that have plans of their own in headings."""
    testimony_headings: Phrases
    dissents: Phrases
    """Headings over what a minority thinks."""
    motions: Phrases
    dropped: Phrases
    """What became of a motion that was not carried."""
    replies: Phrases
    """Words in a heading that announce replies to objections."""
    favouring: Phrases
    """Headings over the arguments for something."""
    addressing: Phrases
    """Formal address, as written."""
    salutations: Phrases
    farewells: Phrases
    """Beginning and end of letters."""
    members: Phrases
    """Whom a party writes letters to."""
    labels: Phrases
    """Labels of false claims: "Myth"."""
    answers: Phrases
    """Labels of facts: "Fact"."""
    theses: Phrases
    answer_labels: Phrases
    rejections: Phrases
    """Answers that reject a thesis."""
    why_not: Phrases
    """Phrases introducing why not."""
    refuting: Phrases
    """Beginnings of sentences that call the previous one untrue."""
    objecting: Phrases
    """Beginnings of sentences that call the previous one wrong, or the previous quotation untrue."""
    contrasting: Phrases
    """Beginnings of sentences in which a document speaks for itself after others' demands."""
    plain_frames: Phrases
    """Phrases before a colon that look like an attribution but are none ("Key demands")."""
    things: Phrases
    """Subjects of verbs of saying that are not speakers ("that demands"); beginnings of frames."""
    agreeing: Phrases
    """Words of agreement with others ("rightly")."""
    own_roles: Phrases
    """People who speak for a party: candidates and chairs; beginnings of words."""
    own_bodies: Phrases
    """Words by which a party's document refers to the party and to itself."""
    party_nouns: Phrases
    """Words common to many parties' names; whole words."""
    pointing: Phrases
    """Words by which a sentence ending in a colon introduces the document's own statement ("This means:")."""
    sources: Phrases
    """Words before the title or name of a quoted source."""

    somebody: Phrases
    """Who writes letters and speaks in meetings without a name."""

    notes: Phrases
    """Names of columns beside a vote or an answer."""

    collectives: Phrases
    """Endings or parts of the names of parties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefutationWords:
    """Words by which a document begins and ends a report of others' words; in any letter case."""

    pointing: Phrases
    """References to what was said before ("that is", "these claims")."""
    pointing_behind: Phrases
    """The same, in the middle or at the end of a sentence."""
    several: Phrases
    """The same, referring to all of it."""
    speeches: Phrases
    """Nouns for statements; beginnings of words."""
    so_far: Phrases
    """Beginnings of sentences that name the speaker of the preceding text ("these are the words of")."""
    wording: Phrases
    """Words naming a statement in it, besides verbs of saying."""
    untrue: Phrases
    """Predicates for statements that are untrue."""
    facts: Phrases
    """Phrases by which facts contradict a statement."""
    wrong: Phrases
    """Predicates for both statements and actions."""
    denying: Phrases
    differing: Phrases
    """Verbs of disagreeing."""
    rejecting: Phrases
    """Verbs of rejecting something."""
    this: Phrases
    """The object of such a verb if it is the previous statement."""
    we: Phrases
    holding: Phrases
    """Verbs of having an opinion on others' statements."""
    regretting: Phrases
    """Phrases regretting that something is not so, rather than denying a statement."""
    besides: Phrases
    """Words contrasting "us" with others ("we, by contrast")."""
    our: Phrases
    sharing: Phrases
    """Words by which such an opinion agrees."""
    deploring: Phrases
    """Phrases saying that something must not be, rather than that it is not so."""
    conditions: Phrases
    turning: Phrases
    """Beginnings of sentences that set the facts against what others say."""
    turning_inside: Phrases
    """The same, in the middle of a sentence."""
    agreeing: Phrases
    """Agreement in a sentence of one or two words."""
    reading: Phrases
    """Verbs introducing others' text quoted without quotation marks ("their letter reads:")."""
    later: Phrases
    """Beginnings of sentences about the consequences of what others said."""
    heard: Phrases
    """Phrases for others speaking to a document's authors ("we are told")."""
    opening: Phrases
    """Signs that others speak or think, besides verbs of saying."""
    demanding: Phrases
    """Verbs of demanding and promising: what follows them is often the document's own account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWords:
    """What sources are called that a text names and a library may not have."""

    branches: Phrases
    """What stands between a party and the place that it is of: "Landesverband"."""

    of_place: Phrases
    """Words before the place that something is of."""

    of: Phrases
    """The same, behind "constitution"."""

    own: Words
    """Words before or behind a law that do not tell it from one's own country's, folded."""

    adjectives: Everyday
    """How adjectives of countries and states begin, folded, with the code of each; "" if it is no more."""

    constitutions: Phrases
    plain_constitutions: Phrases
    """Those that need an adjective to be another country's."""

    laws: Phrases
    """Names of laws by their form, with their capitals."""

    small_laws: Phrases
    """Words for laws behind their subject."""

    codes: Phrases
    """Well-known laws, in any letter case."""

    european: Phrases
    """Kinds of papers, from here on."""

    state: Phrases
    municipal: Phrases
    federal: Phrases
    basic: Phrases
    agreement: Phrases
    resolution: Phrases
    paper: Phrases
    """Papers of parties that are none of these."""

    circular: Phrases
    judgment: Phrases
    faq: Phrases
    guidelines: Phrases
    statute: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class LapsedWords:
    """Expressions for the period in which something is valid, in any letter case."""

    until: Phrases
    """Before the time at which something ends."""

    since: Phrases
    """Before the time at which something begins."""

    past: Phrases
    """Past-tense verbs."""

    asked: Phrases
    """Words in questions about the past."""

    now: Phrases
    """Words for what is valid today."""

    old: Phrases
    """Names of a heading or column for what was valid before."""

    new: Phrases
    """Names of one for what has replaced it."""

    rates: Phrases
    """Subjects of such a heading: fees, rules."""

    drafts: Phrases
    """How a document says on its first pages that it is a draft or a proposal."""

    settled: Phrases
    """How it says there by whom and when it was decided, or from when it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldWords:
    """How a document reports what others plan and say, and what it said itself earlier; `authorities` and
    `indirect` as written, the others in any letter case."""

    authorities: Phrases
    """Those who govern and administer, after an article."""

    speaking: Phrases
    """Verbs of saying, planning or deciding; their subject is being reported on."""

    intending: Phrases
    """Verbs that report only if an authority is the subject: anybody may want something."""

    obliging: Phrases
    """Words before such a verb when the document says what is to be done."""

    introducing: Phrases
    """Words before the source of a statement or plan ("according to")."""

    indirect: Phrases
    """Verb forms for reporting what others say."""

    direct: Phrases
    """Words after which such a form may be the document's own ("if")."""

    asking: Phrases
    """Verbs of questions, before the one whose plans are asked for."""

    articles: Phrases
    """Words between these verbs and the one asked about."""

    one: Phrases
    """Articles before somebody unidentified."""

    plans: Phrases
    """Nouns for plans."""

    of: Phrases
    """Words between a plan and its owner."""

    former: Phrases
    """Beginnings of a sentence about what the document's authors wanted in the past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerWords:
    """How speakers are named in minutes and in questions; as written, except `asking`."""

    offices: Phrases
    """Offices before the name of their holder."""

    titles: Phrases
    """Titles before anybody's name."""

    saying: Phrases
    """Verbs of speaking in minutes."""

    together: Phrases
    """Offices and titles before the names of several."""

    saying_together: Phrases
    """Plural verbs of speaking, if they differ from the singular."""

    joining: Phrases
    """Words between several who speak together."""

    according: Phrases
    """Words before the holder of a view."""

    asking: Phrases
    """Verbs with which questions ask for what somebody says."""

    replying: Phrases
    """Beginnings of a sentence that first names whom somebody answers."""

    interrogatives: Phrases
    """Beginnings of questions for what somebody says."""

    having: Phrases
    """Words in questions before a person who precedes the verb."""

    views: Phrases
    """Nouns for opinions, with the words before the name."""

    bodies: Phrases
    """Bodies that decide, and their decisions."""

    deciding: Phrases
    """Words with which questions ask for the decision or position of a body."""

    pronouns: Phrases
    """Beginnings of a sentence that continues what a person says."""

    links: Phrases
    """Small words within the names of parties."""

    labels: Phrases
    """Names of the table column that says what its rows are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentWords:
    """Words by which a sentence commits somebody; lower case."""

    speakers: Words
    words: Words
    infinitives: Phrases
    """The infinitive that obliges ("ist aufzuheben", "is to be repealed"), in one clause."""
    measures: Phrases
    """Nouns naming a measure, at the beginning of an item ("Abschaffung des", "abolition of")."""
    formalities: Phrases
    """What a document says about itself: its short title, who adopted or printed it."""
    to_fill_in: Phrases
    """Instructions after a bracket in a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredNameWords:
    """How names of parties and places are written in questions, and their surroundings; folded."""

    links: Words
    """Words inside names; neither inflected nor capitalised."""
    endings: Words
    place_endings: Words
    """Endings for people and things from a place."""
    programmes: Phrases
    """A party's programme or demands: second parts of compounds with the name."""
    compound_links: Phrases
    """Letters between the name and the rest of a compound."""
    capital_articles: Words
    noun_complements: Words
    noun_heads: Words
    """Words before an article and a noun that then mean a thing, not a party of that name: "auf die
    Basis"."""
    """Articles that are part of a name if capitalised; as written."""
    party: Words
    """Words after a name that is an adjective by itself: "Green party"."""
    party_papers: Phrases
    """Alternatives in that position: "Green manifesto"; as written."""
    other_unions: Phrases
    """Words before "union" if no party is meant; beginnings of words."""
    unions_of: Phrases
    """The same after it."""
    described: Phrases
    """Things described by colours and sides, whole words: after such a name no party is meant."""
    keeps_out: Words
    """Prefixes joined to a name by a hyphen that give it another meaning."""
    before_towns: Phrases
    """What says that a town follows; as written."""
    party_asked: Phrases
    coalition: Phrases
    agreement: Phrases
    behind_amounts: Phrases
    """Words after four digits that are not a year."""
    elections: Phrases
    """Beside the year of an edition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrangerWords:
    """How unregistered parties are recognised. `shapes`, `small_shapes` and `loose` are as written, `generic`
    and `never` folded, the others in any letter case."""

    articles: Phrases
    shapes: Phrases
    """Forms that can only be a party's name ("Wolkenpartei", "Moonlight Party")."""
    small_shapes: Phrases
    """The same in all-lower-case text, where the position has to show it as well."""
    loose: Phrases
    """Forms that are party names only in a party's position ("Liste Morgenrot")."""
    proper: Phrases
    """Words that capitals show to be a proper name, if otherwise not capitalised."""
    links: Phrases
    """Little words inside names."""
    bodies: Phrases
    """Nouns for speakers that are not parties: offices, courts, companies. Folded."""
    position_of: Phrases
    """Words before the owner of a position or a programme."""
    generic: Phrases
    """Words with the form of a party name that are none: "Vertragspartei", "third party"."""
    never: Phrases
    """Words that no name begins with or consists of."""
    before: Phrases
    """Words before a prospective speaker."""
    source: Phrases
    wanting: Phrases
    """Verbs of saying and wanting before a name, or their equivalents."""
    wanted: Phrases
    """After a name preceded by `wanting`: the topic, or the verb."""
    behind: Phrases
    """After a name that begins a question."""
    they: Phrases
    """After a name that is set off or comes first: what is asked about it."""
    also: Phrases
    """Between two names that are asked."""
    topic: Phrases
    """Before the topic, or before any party."""
    joining: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicWords:
    """Topics of summaries and comparisons."""

    joining: Phrases
    """Between the parts of a topic."""
    question: str
    """The topic as a question of little words only."""
    asking: Words
    """Words asking for somebody's view on a topic, not part of the topic itself: saying, wanting, standing
    for."""
    linking: Words
    """Function words that connect the parts of one topic; any other begins another part of the sentence."""
    leading: Words
    """Function words before or after a topic in a question about what is said on it."""
    nouns_have_capitals: bool
    """Whether a capital inside a sentence marks a noun."""
    wide_beginnings: Words
    """First stems of compounds that say whose or for whom a thing is, rather than what it is."""
    oblique_articles: Words
    """Articles before a singular noun that is not the subject and may be inflected ("des Hausboots")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionTextWords:
    """Lines of a motion that demand nothing, and words between two demands; in any letter case."""

    reasons: Phrases
    """The heading after which a motion gives its reasons."""
    salutations: Phrases
    openings: Phrases
    """Phrases that introduce a demand."""
    joining: Phrases
    """Between two demands of a sentence."""
    further: Phrases
    """Beginnings of clauses with a further demand, after a comma or a conjunction."""
    conjunctions: Phrases
    verbs: Phrases
    """Verbs of a clause that demands."""
    last_verbs: Phrases
    """Verbs at the end of their clause, as written; none if the language's verbs don't go there."""
    infinitives: Phrases
    """Unmistakable verbs that end their clause in any case."""
    articles: Phrases
    """Words before a noun that begins a further demand."""
    demanding: Phrases
    """Verbs of those who move something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """Words that models' claims are checked for; in any letter case."""

    conflict: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataWords:
    """Words around personal or impersonal numbers and addresses; in any letter case, but streets as
    written."""

    at: Phrases
    """For "@"."""
    dot: Phrases
    street_endings: Phrases
    """Endings of street names followed by the house number."""
    streets: Phrases
    """Words after a street name that is preceded by the house number."""
    streets_in_front: Phrases
    """Words between the house number and the street name."""
    lives: Phrases
    taxed: Phrases
    counted_before: Phrases
    """Words before a number that is an amount or identifies a provision or document."""
    counted_after: Phrases
    asked_for: Phrases
    """Words before a number that is personal after all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTypeWords:
    """Words that show a document's type in its title or first lines; lower case. Named like the types."""

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
    """Dates as documents print them, in any letter case."""

    months: Phrases
    """January to December, one phrase each."""
    cues: Phrases
    """Words beside a document's date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceNameWords:
    """How names of parties and places are used in the bot's own sentences. `masculine` to `plural` are
    articles in the nominative, accusative and dative, each with the adjective ending after it ("der-e den-en
    dem-en"), empty if names have none; nouns are in lower case and also match words ending in them."""

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
    """Words of places with an article, which don't apply to parties."""
    people: Words
    """Endings of words for groups of people, after which parties are named."""
    weak: str
    """Ending of an inflected adjective used as a noun."""
    abbreviations: str
    """Index from 0 of the form among the four used for abbreviations of parties that give no other clue; else
    empty."""
    apposition: str
    """Noun put before a party name that gives no clue."""
    accusative: Words
    """Prepositions; in a language without cases any of these lists will do."""
    dative: Words
    merged: Phrases
    """Preposition and article, and their contraction: "von dem = vom"."""
    elided: Words
    """Prepositions and articles that lose their last letter before a vowel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkWords:
    """Words in remarks on a quote next to it."""

    promising: Words
    """Verbs with which a quoted speaker also says what he or others are going to do: "I will", "should"."""
    joining: Phrases
    """Words that may come before a judgement: "and"."""
    of_words: Phrases
    """Expressions for the quoted words, and for whether they are true or said."""
    judging: Phrases
    """Beginnings of a judgement on the quote: "that is"."""
    feeling: Phrases
    """Words with which people say what they think, or how they came across the words: "like", "read"."""
    narrowing: Words
    """Words of a judgement that may say to whom or when the quoted sentence applies: "for"."""
    exclaiming: Words
    """Beginnings of exclamations: "finally"."""
    going_on: Words
    """Beginnings of additions to a quoted sentence or limits on it: "but"."""
    applying: Words
    """Verbs by which a second sentence says to whom or when the first one applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotingWords:
    """Words around the quotations in a text."""

    sources: Phrases
    """Words before the source of a quotation: "Source: ..."."""
    joining: Phrases
    """Words between two quotations of one speaker."""
    going_on: Phrases
    """Phrases saying that a quotation is from the same source as the previous one: "ibid."."""
    calling: Phrases
    """Phrases before what something is called: "entitled"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Everything that rules need about one language. `tag` is its ISO 639-1 code, `name` what it is called in
    English, `stemmer` its Snowball stemmer."""

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
    lapsed: LapsedWords
    told: ToldWords
    speakers: SpeakerWords
    amounts: AmountWords
    denials: DenialWords
    commitments: CommitmentWords
    registered: RegisteredNameWords
    quoting: QuotingWords
    remarks: RemarkWords
    sources: SourceWords
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
