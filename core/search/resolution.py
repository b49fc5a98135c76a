"""What a search may look in: what is asked of the scope, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.scope import Detected, Missing, Scope
from core.domain.search import QuestionKind
from core.registry.detection import Detection


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeQuery:
    """What `resolve` is asked: the options, the chat's place, the question's names and kind, the day."""

    options: Scope
    detection: Detection
    today: date
    kind: QuestionKind = QuestionKind.FACT
    chat_jurisdiction: str | None = None

    @property
    def day(self) -> date:
        """The day that editions must be valid on."""
        return self.options.as_of or self.today

    @property
    def compares(self) -> bool:
        """Asks for things side by side."""
        return self.kind in (QuestionKind.COMPARE, QuestionKind.CONFLICT)

    @property
    def given_places(self) -> tuple[str, ...]:
        """Places of the options, else the chat's."""
        chat = (self.chat_jurisdiction,) if self.chat_jurisdiction else ()
        return self.options.jurisdictions or chat


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What one party, place, year or document of a comparison may be searched in."""

    scope: Scope
    editions: tuple[Edition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The outcome: `scope` as used, one group or one per thing compared, and what has no source.

    `reach` are the editions that references may lead to: what the places and options allow, whichever
    document the question names. `speaking` says of each party of a group which versions speak for it."""

    scope: Scope
    groups: tuple[Group, ...]
    detected: Detected
    missing: tuple[Missing, ...]
    reach: tuple[Edition, ...] = ()
    speaking: Mapping[str, frozenset[VersionId]] = field(default_factory=dict)

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions of all groups, each once."""
        unique = {edition.version.id: edition for group in self.groups for edition in group.editions}
        return tuple(unique.values())
