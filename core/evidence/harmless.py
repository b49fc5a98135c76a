"""Whether what a quote omits from its sentence provably changes nothing.

Only the following leave who, whom, when, whether, how much and for whom unchanged, and only if omitted whole:

- numbers of sections, numbers and signs of lists, and words that join the sentence to what was said before
  ("therefore") or announce it ("our position is clear:");
- a clause of reason or purpose, though not of what others may do, which they may do for that alone;
- a list of examples, an apposition, a bracket that abbreviates, names or refers;
- a coordinated main clause with a subject and a verb of its own, or a further verb of the same subject, where
  the clause that is quoted is whole without it.

Everything else may change it. The words are those of `data/harmless.toml`.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby

from core.evidence.guards import is_negation, word_lists
from core.evidence.quantities import quantities
from core.evidence.skeleton import BULLETS, DASHES, skeleton
from core.evidence.text import Token
from core.language.lemmas import lemma
from core.language.patterns import pattern

_ASIDE_WORDS = 14
"""Maximum words of an apposition or a list of examples; anything longer has clauses of its own."""
_BRACKET_WORDS = 6
_NAME_WORDS = 3
_ABBREVIATED = 8
"""Maximum words that an abbreviation stands for."""
_OPENING = "„“\"'»«‚‘(["
_LABEL = re.compile(
    r"§+|[§(\[]?(?:\d{1,3}|[a-z]{1,2}|[ivxl]{1,6}|[IVXL]{1,6})[.)\]]{1,2}|\(\d{1,3}[a-z]?\)|[QAFR]:"
)
_REFERENCE_MARK = re.compile(r"\[\d{1,3}\](?:[,–-]?\[\d{1,3}\])*[.,;:]?")
_PLACE = re.compile(r"(?:\d{1,3}[a-z]?(?:\.\d{1,3})*|[ivxl]{1,6}|[IVXL]{1,6}|[A-Z])[°.,:)]{0,2}")
"""The number of a section or a page."""
_SECTION = re.compile(r"\d{1,2}(?:\.\d|\.[1-9](?!\d*[05]\b)\d|(?:\.\d{1,2}){2,3}\.?)")
"""The number of a provision, printed before it: "3.3", "3.12", "2.1.4"; no time ("18.30")."""
_MEASURE = pattern(
    r"(?:{amounts.money}|{amounts.time}|\w*(?:meter|mètre|gram|liter|litre|watt|hekt|hect|tonne|grad|degr|stelle))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\([„“\"'‚‘»«].+[“”\"'‘’«»]\)")
_PARTING = (",", ";", ":", "–", "—")
_PARTICIPLE = re.compile(r"(?:ge\w+|\w+ge\w+|\w+iert|(?:be|ver|ent|er|zer)\w+)(?:t|en)")
_STEM = 5
_MADE = re.compile(
    r"erbaut|gebaut|gegründet|errichtet|eröffnet|entstanden|eingeweiht|gestiftet|founded|built|opened|established|erected"
    r"|(?:fond|cré|inaugur|érig|bâti|construit|ouvert)\w{0,3}"
)
_YEAR = re.compile(r"1\d{3}|20\d\d")
_IN_YEAR = frozenset({"in", "im", "jahr", "jahre", "en", "the", "year", "l", "lan"})
_AGAIN = frozenset({"wieder", "zurück", "again", "back"})
_FRENCH_PRONOUNS = frozenset({"il", "elle", "ils", "elles", "nous", "on", "ce", "cest", "cela"})
_INDEFINITE = frozenset({"a", "an", "un", "une"})
_SEE = frozenset({"vgl", "siehe", "see", "cf", "voir"})
_CASES = frozenset({"einem", "einen", "einer", "eines"})


@dataclass(frozen=True, slots=True)
class HarmlessWords:
    """Skeletons for all languages together; phrases are sequences of words."""

    connectives: tuple[tuple[str, ...], ...]
    coordinators: frozenset[str]
    joining: frozenset[str]
    reasons: tuple[tuple[str, ...], ...]
    purposes: tuple[tuple[str, ...], ...]
    infinitive_purposes: frozenset[str]
    examples: tuple[tuple[str, ...], ...]
    ourselves: frozenset[str]
    determiners: frozenset[str]
    finite: frozenset[str]
    opening_bracket: frozenset[str]
    auxiliaries: frozenset[str]
    explained_away: frozenset[str]
    restricting: frozenset[str]
    restricting_stems: tuple[str, ...]
    subordinators: frozenset[str]
    announcing: frozenset[str]
    announcing_words: frozenset[str]
    aims: frozenset[str]
    confirming: frozenset[str]
    votes: frozenset[str]
    said_before: frozenset[str]
    rejected: frozenset[str]
    places: frozenset[str]
    naming: tuple[tuple[str, ...], ...]
    permitting: frozenset[str]
    obliging: frozenset[str]
    obtaining: frozenset[str]
    backward: frozenset[str]
    pointing: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=1)
def harmless_words() -> HarmlessWords:
    """The lists of all languages, since a sentence may quote another language."""
    text = files("core.evidence").joinpath("data", "harmless.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text).values()

    def phrases(*names: str) -> tuple[tuple[str, ...], ...]:
        found = {tuple(map(skeleton, item.split())) for t in tables for name in names for item in t[name]}
        return tuple(sorted(found, key=len, reverse=True))

    def words(name: str) -> frozenset[str]:
        return frozenset(skeleton(word) for table in tables for word in table[name])

    return HarmlessWords(
        connectives=phrases("connectives", "connective_phrases"),
        coordinators=words("coordinators"),
        joining=words("coordinators") | {"or", "oder", "ou"},
        reasons=phrases("reasons", "reason_phrases", "purposes", "purpose_phrases"),
        purposes=phrases("purposes", "purpose_phrases"),
        infinitive_purposes=frozenset({"um"}),
        examples=phrases("examples", "example_phrases"),
        ourselves=words("ourselves"),
        determiners=words("determiners"),
        finite=words("finite"),
        opening_bracket=words("opening_bracket"),
        auxiliaries=words("auxiliaries"),
        explained_away=words("explained_away"),
        restricting=words("restricting"),
        restricting_stems=tuple(words("restricting_stems")),
        subordinators=words("subordinators"),
        announcing=words("announcing"),
        announcing_words=words("announcing_words"),
        aims=words("aims"),
        confirming=words("confirming"),
        votes=words("votes"),
        said_before=words("said_before"),
        rejected=words("rejected"),
        places=words("places"),
        naming=phrases("naming"),
        permitting=words("permitting"),
        obliging=words("obliging"),
        obtaining=words("obtaining"),
        backward=words("backward"),
        pointing=phrases("pointing"),
    )


def changes_nothing(tokens: Sequence[Token]) -> bool:
    """Whether all the words of one sentence that the quote lacks, before, after and between those it has, may
    be omitted. A sentence cannot be omitted entirely."""
    present: list[Token] = []
    opens = ""
    for token in tokens:
        if not token.kept and _REFERENCE_MARK.fullmatch(token.text):
            continue
        if token.skeleton or token.text in DASHES:
            present.append(Token(opens + token.text, token.skeleton, token.kept))
            opens = ""
        elif token.text in ("«", "(«", "("):  # French spacing
            opens = token.text
        elif present and (token.text in ";:," or token.text[:1] in "»)"):
            present[-1] = Token(present[-1].text + token.text, present[-1].skeleton, present[-1].kept)
    runs = [(kept, list(run)) for kept, run in groupby(present, key=lambda token: token.kept)]
    if not any(kept for kept, _ in runs):
        return not present
    german, sides = _is_german(present), [[], *(run for _, run in runs), []]
    return all(
        kept or _harmless(before, run, after, german=german)
        for (kept, run), before, after in zip(runs, sides, sides[2:], strict=False)
    )


def bearing(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without omissions at the edges that don't bear on the sentence: what opens it ("not least"),
    and a final clause of reason or purpose or with a further verb. Whatever these deny, it is not what is
    quoted."""
    opening = next((i for i, token in enumerate(tokens) if token.kept), 0)
    if opening and not _without_opening(list(tokens[:opening]), tokens[opening:]):
        tokens = tokens[opening:]
    kept = max((i + 1 for i, token in enumerate(tokens) if token.kept), default=0)
    before, run = list(tokens[:kept]), [token for token in tokens[kept:] if token.skeleton]
    used = _phrase_at(run, harmless_words().reasons)
    subordinate = used and run[0].skeleton not in harmless_words().coordinators
    german = _is_german(tokens)
    if subordinate and before and _aside(before, list(tokens[kept:]), [], german=german):
        return before
    denies = any(is_negation(token.skeleton) for token in run)
    if before and run and not denies and _further_verb(before, run, german=german):
        return before
    return list(tokens)


def says_who(lead_in: Sequence[Token], item: Sequence[Token]) -> bool:
    """Whether an item is not a sentence by itself and its lead-in is more than "we want", so that it may say
    who, when or on what terms."""
    words, german = harmless_words(), _is_german([*lead_in, *item])
    own = any(
        token.skeleton in words.ourselves | {"unser", "unsere", "unseren", "our", "notre", "nos"}
        for token in lead_in
    )
    past = any(token.skeleton in words.auxiliaries | {"had", "was", "were"} for token in lead_in)
    if own and not past and not any(c.isdigit() for token in lead_in for c in token.text):
        return False
    begins = next((token.text for token in item if token.skeleton), "").lstrip("„“\"'»«‚‘(")
    clause = any(_certainly_finite(token, german=german) for token in item[1:])
    return begins[:1].islower() or not clause


def _harmless(before: list[Token], run: list[Token], after: list[Token], *, german: bool) -> bool:
    """Whether `run` may be omitted between the quote's words `before` and `after` it."""
    if not before:
        rest = _without_opening(run, after)
        return not rest or _first_clause(rest, after, german=german)
    if (
        _only_explains(before, run)
        or (not after and _is_reference(before, run))
        or (not after and len(run) == 1 and run[0].skeleton in harmless_words().joining)
    ):
        return True
    if after:
        joins = any(token.skeleton in harmless_words().coordinators for token in run)
        return (not joins and not _without_connectives(run)) or _aside(before, run, after, german=german)
    return _further_clause(before, run, german=german) or _aside(before, run, after, german=german)


def _without_opening(run: list[Token], after: Sequence[Token]) -> list[Token]:
    """The tokens without the sentence's opening: numbers and signs, announcements, connectives."""
    rest = _without_labels(run, after)
    worded = [token for token in rest if token.skeleton]
    if worded and _announces(worded, after):
        return []
    pointing = any(_phrase_at(worded[at:], harmless_words().pointing) for at in range(len(worded)))
    return rest if pointing and _permits(after) else _without_connectives(rest)


def _announces(said: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether the words only announce a statement, in the source's own name ("to be clear:", "fact:"); "our
    goal is clear:" what we ourselves do."""
    words = harmless_words()
    skeletons = {token.skeleton for token in said}
    known = skeletons <= words.announcing | words.announcing_words | words.confirming
    begins = next((token.skeleton for token in after if token.skeleton), "")
    if begins in words.ourselves and skeletons & words.aims and skeletons & words.announcing:
        known = skeletons - words.aims <= words.announcing | words.announcing_words
    confirms = skeletons & words.confirming and not any(map(is_negation, skeletons))
    return said[-1].ends == ":" and known and bool(confirms or skeletons & words.announcing)


def rejects_before(said: Sequence[Token]) -> bool:
    """Whether the words before a sentence's colon call the preceding statement false ("both are wrong:"), so
    that what follows is the truth."""
    words = harmless_words()
    told = [token for token in said if token.skeleton]
    return (
        len(told) > 1
        and told[-1].ends == ":"
        and told[0].skeleton in words.said_before
        and all(token.skeleton in words.rejected for token in told[1:])
    )


def _without_labels(run: list[Token], after: Sequence[Token]) -> list[Token]:
    """The tokens without leading list signs and numbers, or section numbers ("§ 14 Abs. 3", "4.2") if the
    quoted part begins like a sentence: "Section 12 of the Act" has none."""
    at = 0
    while at < len(run) and (_LABEL.fullmatch(run[at].text) or _is_sign(run[at])):
        at += 1
    words = harmless_words()
    follows = next((token for token in after if token.skeleton), None)
    rest = run[at:]
    if follows is None or not follows.text.lstrip(_OPENING)[:1].isupper():
        return rest
    if len(rest) == 1 and _SECTION.fullmatch(rest[0].text) and not _counts(rest[0], follows):
        return []
    if follows.skeleton in words.places:
        return rest
    numbered = all(token.skeleton in words.places or _PLACE.fullmatch(token.text) for token in rest)
    begins = [token for token in after if token.skeleton]
    opens = words.determiners | words.ourselves | words.subordinators
    certain = follows.skeleton in opens or bool(_phrase_at(begins, words.connectives))
    if rest and numbered and (certain or any(token.skeleton in words.places for token in run)):
        return []
    return rest


def _counts(number: Token, noun: Token) -> bool:
    """Whether a decimal number counts what follows: "2.5 Millionen", "1.5 Stunden", "4.5 Hektar"."""
    read, alone = (quantities(text) for text in (f"{number.text} {noun.text}", number.text))
    return read != alone or bool(_MEASURE().match(noun.text))


def _is_sign(token: Token) -> bool:
    return not token.skeleton or BULLETS.issuperset(token.text)


def _without_connectives(run: list[Token]) -> list[Token]:
    """The tokens without leading words that connect the sentence to the previous one."""
    while run:
        used = _phrase_at(run, harmless_words().connectives)
        if not used and run[0].skeleton:
            return run
        run = run[used or 1 :]
    return run


def _phrase_at(run: Sequence[Token], phrases: Sequence[tuple[str, ...]]) -> int:
    """Length in words of the longest of `phrases` that `run` begins with, 0 for none."""
    for phrase in phrases:
        if tuple(token.skeleton for token in run[: len(phrase)]) == phrase:
            return len(phrase)
    return 0


def _only_explains(before: Sequence[Token], run: Sequence[Token]) -> bool:
    """Whether the words are a complete short bracket that abbreviates or names what precedes it, or refers to
    another place. Any other may say for whom, where or when: "(adults)", "(mornings)"."""
    whole = " ".join(token.text for token in run)
    inner = whole.rstrip(".,;:!?…")
    if not (inner.startswith("(") and inner.endswith(")") and "(" not in inner[1:]):
        return False
    said, words = [token for token in run if token.skeleton], harmless_words()
    if not said or len(said) > _BRACKET_WORDS:
        return False
    if _refers(said):
        return True
    named = _phrase_at(said, words.naming)
    if named or _QUOTED.fullmatch(inner):
        return len(said) - named <= _NAME_WORDS
    return len(said) == 1 and _abbreviates(said[0].text.strip("().,;:"), before)


def _is_reference(before: Sequence[Token], run: Sequence[Token]) -> bool:
    """Whether the last words of a sentence only refer elsewhere: "; see section 7"."""
    said = [token for token in run if token.skeleton]
    return _parted(before[-1], run[0]) and bool(said) and said[0].skeleton in _SEE and _refers(said)


def _refers(said: Sequence[Token]) -> bool:
    """Whether the words only name another place in a document."""
    places = harmless_words().places
    numbered = (_PLACE.fullmatch(token.text.strip("()§[],;")) for token in said)
    known = [token.skeleton in places or "§" in token.text for token in said]
    return any(known) and all(a or b for a, b in zip(known, numbered, strict=True))


def _abbreviates(short: str, before: Sequence[Token]) -> bool:
    """Whether the capitals of `short` occur in order in the words before it, the first one at the start of a
    word: "Erneuerbare-Energien-Gesetz (EEG)"."""
    letters = [letter for letter in short if letter.isupper()]
    written = " ".join(token.text for token in before[-_ABBREVIATED:]).replace("-", " ").casefold()
    starts = [at.end() for at in re.finditer(rf"(?<!\w){letters[0].casefold()}", written)] if letters else []
    after = "".join(f".*?{letter.casefold()}" for letter in letters[1:])
    return len(letters) > 1 and any(re.match(after, written[start:]) for start in starts)


def _restricts(run: Sequence[Token]) -> bool:
    """Whether a word may say when, how much, for whom, or that somebody only thinks it."""
    words, lists = harmless_words(), word_lists()
    return any(
        token.skeleton in words.restricting
        or token.skeleton.startswith(words.restricting_stems)
        or any(c.isdigit() for c in token.text)
        or token.skeleton in lists.numerals_whole - words.determiners
        or token.skeleton in lists.months
        for token in run
    )


def _parted(token: Token, following: Token | None = None) -> bool:
    """Whether the token is followed by a comma, a semicolon or a dash."""
    return token.ends in _PARTING or (following is not None and following.text in DASHES)


def _aside(before: list[Token], run: list[Token], after: list[Token], *, german: bool) -> bool:
    """Whether `run` is a whole reason, purpose, list of examples or apposition."""
    words = harmless_words()
    parted = _parted(before[-1], run[0])
    closed = not after or _parted(run[-1], after[0])
    said = [token for token in run if token.skeleton]
    if not said or not closed:
        return False
    used = _phrase_at(said, words.reasons)
    alone = said[0].skeleton == "because" or (
        said[0].skeleton == "car"
        and len(said) > 1
        and said[1].skeleton in words.determiners | _FRENCH_PRONOUNS
    )
    if used and (parted or used > 1 or alone):
        return _is_reason(before, said, used, inside=bool(after), german=german)
    if not parted or len(said) > _ASIDE_WORDS:
        return False
    if after and _tells_origin(before, said, after, german=german):
        return True
    used = _phrase_at(said, words.examples)
    if used:
        return not _restricts(said[used:]) and not _has_verb(said[used:], german=german)
    ours = before[-1].skeleton in words.ourselves  # "We, the council," but no "..., the council hopes,"
    articles = words.determiners | _CASES if german or ours else _INDEFINITE
    apposed = said[0].skeleton in articles and len(said) > 1
    joined = any(token.skeleton in words.joining for token in said)
    clean = not joined and not _restricts(said[1:]) and not any(token.ends in ",;:" for token in said[:-1])
    return apposed and clean and not _has_verb(said, german=german)


def _tells_origin(
    before: Sequence[Token], said: Sequence[Token], after: Sequence[Token], *, german: bool
) -> bool:
    """Whether the words only say since which year there is the one thing that precedes them: "founded in
    1904". Of several they may say which."""
    done = [token for token in said if _MADE.fullmatch(token.skeleton)]
    rest = [token for token in said if token not in done]
    if len(done) != 1 or not all(
        token.skeleton in _IN_YEAR or _YEAR.fullmatch(token.skeleton) for token in rest
    ):
        return False
    begins = next((token.skeleton for token in before if token.skeleton), "")
    verb = after[0].skeleton
    one = not german or verb.endswith("t") or verb in ("wird", "war", "soll", "kann", "muss", "darf", "wurde")
    return one and begins.startswith(("d", "the", "l", "unser", "our", "notre"))


def _is_reason(
    before: Sequence[Token], said: Sequence[Token], used: int, *, inside: bool, german: bool
) -> bool:
    """Whether only a clause of reason or purpose is omitted, and the quoted part is not a denial of that
    reason ("not because ...")."""
    if before[-1].skeleton in harmless_words().explained_away:
        return False
    if _only_for(before, said, used):
        return False
    clause = [token for token in said[used:] if token.skeleton]
    if not clause or (inside and any(token.ends in ";:" for token in clause[:-1])):
        return False
    if not german:
        return True
    if not _is_whole(before):
        return False
    last = max((i for i, token in enumerate(clause[:-1]) if token.ends == ","), default=-1)
    tail = clause[last + 1 :]
    lone = last >= 0 and len(tail) <= 2 and _verb_like(tail[-1])
    if said[0].skeleton in harmless_words().infinitive_purposes:
        return _zu_infinitive(clause) and not lone
    return not lone


def _only_for(clause: Sequence[Token], said: Sequence[Token], used: int) -> bool:
    """Whether `said`, whose first `used` words introduce a purpose or reason, is a purpose for which others
    are permitted something, or the aim of those who have to do it."""
    words = harmless_words()
    if tuple(token.skeleton for token in said[:used]) not in words.purposes:
        return False
    own = any(token.skeleton in words.ourselves for token in clause)
    obtains = any(token.skeleton in words.obtaining for token in said)
    return not own and (_permits(clause) or (obtains and _obliges(clause)))


def _permits(clause: Sequence[Token]) -> bool:
    return any(token.skeleton in harmless_words().permitting for token in clause)


def _obliges(clause: Sequence[Token]) -> bool:
    return any(token.skeleton in harmless_words().obliging for token in clause)


def _zu_infinitive(clause: Sequence[Token]) -> bool:
    """Whether the clause ends with a verb and has its "zu"."""
    last = clause[-1].skeleton
    apart = any(token.skeleton == "zu" for token in clause[:-1])
    return last.endswith(("en", "ern", "eln", "un", "ein")) and (apart or "zu" in last[1:])


def _first_clause(run: list[Token], after: list[Token], *, german: bool) -> bool:
    """Whether `run` is a reason or purpose preceding its main clause, or an independent main clause followed
    by a coordinated one."""
    words = harmless_words()
    said = [token for token in run if token.skeleton]
    kept = [token for token in after if token.skeleton]
    joined = bool(said) and (said[-1].skeleton in words.coordinators or said[-1].ends == ";")
    if not said or not kept or not (joined or _parted(run[-1], after[0])):
        return False
    used = _phrase_at(said, words.reasons)
    inner = [token for token in said[:-1] if token.ends in ",;:"]
    if used and said[0].skeleton not in words.coordinators:
        if _only_for(kept, said, used):
            return False
        starts = _verb_like(kept[0]) if german else kept[0].skeleton in words.ourselves | words.determiners
        return not inner and starts
    if said[0].skeleton not in words.ourselves or not any(_finite(t, german=german) for t in said[1:4]):
        return False
    if any(token.skeleton in words.subordinators for token in said):
        return False
    return joined and _subject_and_verb(kept, german=german) > 0


def _further_clause(before: list[Token], run: list[Token], *, german: bool) -> bool:
    """Whether `run` is a coordinated clause after a complete one."""
    words = harmless_words()
    said = [token for token in run if token.skeleton]
    parted = _parted(before[-1], run[0])
    joined = bool(said) and said[0].skeleton in words.coordinators
    if not (joined or before[-1].ends == ";") or len(said) < 3:
        return False
    if not _is_whole(before, german=german) or not any(_finite(t, german=german) for t in before):
        return False
    clause = said[1:] if joined else said
    if any(token.skeleton in words.backward for token in clause):
        return False
    stems = {token.skeleton[:_STEM] for token in before if len(token.skeleton) >= _STEM}
    subject = _subject_and_verb(clause, german=german, plural=parted)
    if subject:
        return clause[0].skeleton in words.ourselves or not any(
            len(token.skeleton) >= _STEM and token.skeleton[:_STEM] in stems for token in clause[:subject]
        )
    return joined and not parted and _further_verb(before, said, german=german)


def _further_verb(before: Sequence[Token], said: Sequence[Token], *, german: bool) -> bool:
    """Whether a coordinator and a further verb of the same subject with objects of its own follow a complete
    clause."""
    words = harmless_words()
    if len(said) < 3 or said[0].skeleton not in words.coordinators:
        return False
    clause = said[1:]
    if _restricts(clause) or any(t.ends in ",;:" for t in clause[:-1]):
        return False
    if not _is_whole(before, german=german) or not any(_finite(t, german=german) for t in before):
        return False
    stems = {token.skeleton[:_STEM] for token in before if len(token.skeleton) >= _STEM}
    same = words.backward | _AGAIN
    back = any(token.skeleton in same or token.skeleton[:_STEM] in stems for token in clause)
    verb, thing = clause[0], clause[1]
    if back:
        return False
    if german:
        bracket = verb.skeleton in words.opening_bracket | words.auxiliaries
        return _finite(verb, german=True) and _verb_like(clause[-1]) is bracket
    ours = next((token.skeleton for token in before if token.skeleton), "") in words.ourselves
    own = thing.skeleton in words.determiners or thing.skeleton in word_lists().values
    return ours and own and verb.text.islower() and verb.skeleton not in words.determiners


def _subject_and_verb(clause: Sequence[Token], *, german: bool, plural: bool = False) -> int:
    """Number of words up to the verb of a main clause that begins with its subject, 0 if it does not. A
    German verb in the `plural` looks like an infinitive, which comes last."""
    words = harmless_words()
    if len(clause) < 2:
        return 0
    if clause[0].skeleton in words.ourselves:
        return 1 if _finite(clause[1], german=german) or not german else 0
    if clause[0].skeleton not in words.determiners:
        return 0
    for at, token in enumerate(clause[1:-1], 1):
        if token.ends in _PARTING or at > _BRACKET_WORDS or token.skeleton in words.subordinators:
            return 0
        if _certainly_finite(token, german=german):
            return at
        if german and plural and _verb_like(token):
            return 0 if _verb_like(clause[-1]) else at
    return 0


def _certainly_finite(token: Token, *, german: bool) -> bool:
    if token.skeleton in harmless_words().finite:
        return True
    if not german:
        return False
    return _verb_like(token) and token.skeleton.endswith("t") and not _PARTICIPLE.fullmatch(token.skeleton)


def _finite(token: Token, *, german: bool) -> bool:
    """Whether the word may be a finite verb."""
    if token.skeleton in harmless_words().finite:
        return True
    return _verb_like(token) if german else not token.text[:1].isupper() and len(token.skeleton) > 2


def _is_whole(before: Sequence[Token], *, german: bool = True) -> bool:
    """Whether the quoted clause needs no further verb: a German one with a modal verb must have its
    infinitive."""
    words = harmless_words()
    if not german:
        return True
    start = max((i + 1 for i, token in enumerate(before[:-1]) if token.ends in ";:"), default=0)
    clause = [token for token in before[start:] if token.skeleton]
    opened = next((i for i, token in enumerate(clause) if token.skeleton in words.opening_bracket), None)
    return opened is None or opened + 1 == len(clause) or any(map(_verb_like, clause[opened + 1 :]))


def _has_verb(said: Sequence[Token], *, german: bool) -> bool:
    return any(
        token.skeleton in harmless_words().finite or (german and _verb_like(token)) for token in said[1:]
    )


def _verb_like(token: Token) -> bool:
    """Whether a German word may be a verb: in lower case, with a verb as its base form."""
    word = token.text.strip("\"'„“”»«‚‘’()[].,;:!?…")
    if not word or not word[0].islower() or not word.isalpha():
        return False
    return _german_verb(word)


@lru_cache(maxsize=65536)
def _german_verb(word: str) -> bool:
    if skeleton(word) in harmless_words().finite:
        return True
    if word in _NO_VERBS:
        return False
    base = lemma(word, "de")
    return base.endswith(("en", "ern", "eln", "tun", "sein")) and base[:1].islower()


_NO_VERBS = frozenset(
    [
        "unten",
        "oben",
        "neben",
        "gegen",
        "zwischen",
        "wegen",
        "innen",
        "außen",
        "hinten",
        "vorn",
        "allen",
        "vielen",
        "diesen",
        "jenen",
        "ihren",
        "seinen",
        "unseren",
        "meinen",
        "deinen",
        "einen",
        "keinen",
        "den",
        "denen",
        "anderen",
        "manchen",
        "solchen",
        "beiden",
        "eben",
        "zusammen",
        "daneben",
        "dagegen",
        "deswegen",
        "gern",
        "ferner",
        "sondern",
        "außerdem",
        "gestern",
        "insofern",
        "sofern",
        "selten",
        "offen",
        "eigen",
    ]
)


@lru_cache(maxsize=1)
def _german_words() -> frozenset[str]:
    text = files("core.evidence").joinpath("data", "harmless.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)["de"]
    return frozenset(
        skeleton(word) for name in ("determiners", "finite", "ourselves") for word in table[name]
    ) | {"den", "dem", "des", "und", "für", "mit", "von", "zu", "nicht", "auf", "im", "in"}


def _is_german(sentence: Sequence[Token]) -> bool:
    """Whether most of the function words are German."""
    german = sum(token.skeleton in _german_words() for token in sentence)
    others = sum(token.skeleton in _OTHER_WORDS for token in sentence)
    return german > others


_OTHER_WORDS = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "a",
        "is",
        "that",
        "for",
        "with",
        "as",
        "by",
        "on",
        "be",
        "or",
        "shall",
        "may",
        "any",
        "are",
        "this",
        "from",
        "at",
        "it",
        "its",
        "we",
        "will",
        "le",
        "la",
        "les",
        "des",
        "et",
        "du",
        "un",
        "une",
        "est",
        "que",
        "dans",
        "pour",
        "par",
        "sur",
        "au",
        "aux",
        "nous",
    ]
)
