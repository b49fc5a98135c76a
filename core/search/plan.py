"""How a question is searched, and what was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import Hit, QuestionKind, Reranking, TellingWord
from core.question.parsed import ParsedQuestion
from core.question.speakers import Speaker
from core.question.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPlan:
    """How a question is searched: as asked, and in other `wordings`. `groups` holds one scope per party or
    place that gets its own quota (comparisons); a single scope otherwise. `quota` is hits per group, 0 means
    no quota. `speaking` maps each party of a group to the versions that speak for it: an alliance's may be
    its members'. `speaker` is the person, or unregistered party, whose words in others' documents alone may
    answer."""

    question: ParsedQuestion
    kind: QuestionKind
    scope: Scope
    groups: tuple[Scope, ...]
    detected: Detected
    missing: tuple[Missing, ...]
    quota: int = 0
    speaking: Mapping[str, frozenset[VersionId]] = field(default_factory=dict)
    wordings: tuple[ParsedQuestion, ...] = ()
    speaker: Speaker | None = None

    @property
    def queries(self) -> tuple[str, ...]:
        """The question and its other wordings."""
        return (self.question.asked, *(each.asked for each in self.wordings))

    @property
    def language(self) -> str:
        """The question's own language."""
        return self.question.language


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedProvision:
    """A provision that a question names, or that references lead to: `family` are the passages of its
    section, `path` the sub-division meant, () for all of it. `begins` is the index in `family` at which the
    quote begins if it is too long to be quoted whole."""

    edition: Edition
    family: tuple[Passage, ...]
    path: tuple[str, ...]
    begins: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Words of a question, as written, that only `versions` have: documents of those asked, for other places
    or earlier elections."""

    words: tuple[str, ...]
    versions: frozenset[VersionId]

    def named(self, word: TellingWord) -> TellingWord:
        """`word`, taken for a name if it is one of these."""
        return replace(word, named=word.named or word.written in self.words)

    def admits(self, hit: Hit) -> bool:
        """Whether a hit is from a document that is searched anyway, or has such a word."""
        return hit.passage.version not in self.versions or any(w.written in self.words for w in hit.telling)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits as a listing shows them (best first, pages that were shown already last), what goes to an answer
    (document order), and timings in seconds. `ranked` are the best of every group whatever page they are on.
    `subject` is what the question is about. `reranking` records the reranker; `fused` are then the scores of
    the hits that would have been listed without it. `incomplete`: the index lacked some passages in scope.
    `provisions` are those asked for by name, best first; `whole`: the question only asks what they say.
    `unmentioned` are abbreviations, names and rare words of the question that the library never mentions.
    `searched` are the editions searched, `reach` those that apply at the place asked about, whichever party
    is asked; `elsewhere` is set if documents beyond these were searched too."""

    plan: SearchPlan
    subject: Subject
    hits: tuple[Hit, ...]
    context: tuple[Hit, ...]
    context_text: str
    missing: tuple[Missing, ...]
    seconds: dict[str, float]
    reranking: Reranking | None = None
    fused: tuple[float, ...] = ()
    incomplete: bool = False
    provisions: tuple[NamedProvision, ...] = ()
    whole: bool = False
    unmentioned: tuple[str, ...] = ()
    ranked: tuple[Hit, ...] = ()
    searched: tuple[Edition, ...] = ()
    reach: tuple[Edition, ...] = ()
    elsewhere: Elsewhere | None = None

    @property
    def best(self) -> list[Hit]:
        """The hits by their scores alone."""
        return sorted(self.ranked or self.hits, key=lambda hit: -hit.score)
