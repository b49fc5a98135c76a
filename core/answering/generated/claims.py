"""Whether a claim may be shown with its quotes. Deterministic; a model may only be stricter."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.generated.quotes import FoundQuote
from core.answering.labels import addresses, commands
from core.domain.documents import GLOBAL, DocumentFields
from core.domain.registry import Registry
from core.evidence.alignment import align
from core.evidence.claims import unsupported
from core.evidence.contradictions import QuotedText, contradictions
from core.evidence.exact import MIN_CHARACTERS
from core.evidence.guards import word_lists
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.patterns import pattern
from core.language.sentences import sentences
from core.language.terms import shared, terms
from core.registry.detection import Detector
from core.registry.names import NameKind
from core.registry.registry import expand_party

_CONFLICT = pattern("{claims.conflict}", re.IGNORECASE)
_INNER_STOP = re.compile(r"[.!?]\s+")
_SURE_LANGUAGE = 0.95
_ENOUGH_LETTERS = 40
_LANGUAGES = ("de", "en", "fr", "es", "it", "nl", "pl", "pt", "ru", "tr", "ar", "hi", "zh")
"""Languages that a model may slip into; distinguishing few is more reliable than distinguishing all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimGuard:
    """Decides about claims in `language`. `names` finds the parties and places of `registry`."""

    registry: Registry
    names: Detector
    language: str

    def objection(self, claim: str, quotes: Sequence[FoundQuote]) -> str | None:
        """Why `claim` must not be shown with `quotes`, None if it may: empty, address, mixed_sources,
        unsupported (a number, date or negation), turned (a near copy that denies otherwise), contradicts
        (direction, duty, tense, quantity, condition, bound, number or actor), conflict (with what is not
        quoted), foreign_name, other_language or unrelated."""
        if not any(letter.isalnum() for letter in claim):
            return "empty"
        if self.foreign_addresses(claim, quotes):
            return "address"
        if _mixed(quotes):
            return "mixed_sources"
        if repeated(claim, quotes):
            return None
        return self._differing(claim, quotes) or self._beside_the_point(claim, quotes)

    def _differing(self, claim: str, quotes: Sequence[FoundQuote]) -> str | None:
        """How the claim differs from the quotes, or from the required language."""
        if self._in_other_language(claim):
            return "other_language"
        if missing := self._unsupported(claim, quotes):
            return f"unsupported: {'; '.join(missing)}"
        if turned(claim, quotes):
            return "turned"
        if differing := self._contradictions(claim, quotes):
            return f"contradicts: {'; '.join(differing)}"
        return "conflict" if conflict_of_one(claim, quotes) else None

    def _beside_the_point(self, claim: str, quotes: Sequence[FoundQuote]) -> str | None:
        """An objection if the claim is about somebody or something else."""
        if name := self._foreign_name(claim, quotes):
            return f"foreign_name: {name}"
        return "unrelated" if self._unrelated(claim, quotes) else None

    def foreign_addresses(self, text: str, quotes: Sequence[FoundQuote]) -> list[str]:
        """Links, mentions and the like in `text` that are not the cited documents' own. A slash before a word
        of a quote is the document's list notation ("advertising /selling")."""
        fields = [found.edition.document.fields for found in quotes]
        own = {uri for item in fields for uri in (item.source_uri, *item.mirrors) if uri}
        return addresses(text, own.union(*(commands(found.quote.text) for found in quotes)))

    def _unsupported(self, claim: str, quotes: Sequence[FoundQuote]) -> list[str]:
        """What the quotes do not support, or deny in the sentence closest to the claim."""
        texts = [found.quote.text for found in quotes]
        written = [found.edition.document.fields.language for found in quotes]
        missing = unsupported(claim, texts, self.language, written)
        one_stop = [_one_stop(found) for found in quotes]
        again = unsupported(claim, one_stop, self.language, written)
        denied = [item for item in again if item.startswith("not: ")]
        return list(dict.fromkeys([*missing, *denied]))

    def _contradictions(self, claim: str, quotes: Sequence[FoundQuote]) -> list[str]:
        """Where the claim contradicts its quotes; attribution is left to `_foreign_name`."""
        for mention in reversed(self.names.detect(claim).mentions):
            claim = claim[: mention.start] + claim[mention.end :]
        texts = [
            QuotedText(
                text=found.quote.text, language=found.edition.document.fields.language or self.language
            )
            for found in quotes
        ]
        return contradictions(claim, self.language, texts)

    def _foreign_name(self, claim: str, quotes: Sequence[FoundQuote]) -> str | None:
        """A party or place that is neither named in a quote nor that of a cited document."""
        mentions = {(m.kind, m.key) for found in quotes for m in self.names.detect(found.quote.text).mentions}
        fields = [found.edition.document.fields for found in quotes]
        for mention in self.names.detect(claim).mentions:
            known = (mention.kind, mention.key) in mentions or any(
                self._own(mention.kind, mention.key, item) for item in fields
            )
            if not known:
                return claim[mention.start : mention.end]
        return None

    def _own(self, kind: NameKind, key: str, fields: DocumentFields) -> bool:
        if kind is NameKind.PARTY:
            return bool(set(expand_party(self.registry, key)) & set(fields.parties))
        return fields.jurisdiction == key

    def _in_other_language(self, claim: str) -> bool:
        if sum(letter.isalpha() for letter in claim) < _ENOUGH_LETTERS:
            return False
        language, probability = detect(claim, among=_LANGUAGES)
        return language != self.language and probability >= _SURE_LANGUAGE

    def _unrelated(self, claim: str, quotes: Sequence[FoundQuote]) -> bool:
        """Whether they share no content word although both are in the same language."""
        if any(found.edition.document.fields.language != self.language for found in quotes):
            return False
        quote_terms = frozenset().union(*(terms(found.quote.text, self.language) for found in quotes))
        asked = terms(claim, self.language)
        return bool(asked) and shared(asked, quote_terms) == 0.0


def repeated(claim: str, quotes: Sequence[FoundQuote]) -> str | None:
    """The quote that contains the claim verbatim; it is shown instead of the claim."""
    claimed = skeleton(claim)
    if len(claimed) < MIN_CHARACTERS:
        return None
    return next((found.quote.text for found in quotes if claimed in skeleton(found.quote.text)), None)


def turned(claim: str, quotes: Sequence[FoundQuote]) -> bool:
    """Whether the claim copies a quote nearly word for word but negates it, or vice versa; and whether it
    denies a refusal that no quote denies."""
    lists = word_lists()
    words = _skeletons(claim)
    if words & lists.negations and words & lists.rejections:
        return not any(_skeletons(found.quote.text) & lists.negations for found in quotes)
    for found in quotes:
        alignment = align(claim, DocumentIndex(found.pages), hint=found.quote.spans)
        if any(_denials(item.claimed) != _denials(item.source) for item in alignment.differences):
            return True
    return False


def conflict_of_one(claim: str, quotes: Sequence[FoundQuote]) -> bool:
    """Whether the claim calls provisions contradictory although only one of them is quoted, and the quote
    does not say so itself."""
    if not _CONFLICT().search(claim) or any(_CONFLICT().search(found.quote.text) for found in quotes):
        return False
    return len({(found.edition.version.id, found.quote.spans) for found in quotes}) < 2


def _one_stop(found: FoundQuote) -> str:
    """The quote without full stops inside sentences ("1. Mai", "z. B."), which look like the end of a
    clause."""
    text = found.quote.text
    ranges = sentences(text, found.edition.document.fields.language)
    return " ".join(_INNER_STOP.sub(" ", text[start:end]) for start, end in ranges)


def _denials(text: str) -> bool:
    """Whether `text` is negated, with two negations cancelling out."""
    lists = word_lists()
    return sum(skeleton(word) in lists.negations | lists.rejections for word in text.split()) % 2 == 1


def _skeletons(text: str) -> set[str]:
    return {skeleton(word) for word in text.split()}


def _mixed(quotes: Sequence[FoundQuote]) -> bool:
    """Whether the quotes speak for several places or parties; quotes that apply everywhere may accompany
    any."""
    fields = [found.edition.document.fields for found in quotes]
    places = {item.jurisdiction for item in fields} - {GLOBAL}
    return len(places) > 1 or len({item.parties for item in fields}) > 1
