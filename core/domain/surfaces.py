"""What an app shows beside messages: a page of its own, a form, and the preview of a link."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.ids import VersionId
from core.domain.rich_text import Block


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """What a person sees of the bot before they have asked anything. `compare` labels the button that opens
    the form for comparisons; empty where they may not compare."""

    blocks: tuple[Block, ...]
    compare: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonForm:
    """The form for comparisons: its words, and the `names` of parties to choose from. `too_few` is said where
    one alone is chosen."""

    title: str
    topic: str
    example: str
    parties: str
    all_of_them: str
    submit: str
    close: str
    too_few: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPreview:
    """A public link to a cited page: the quote, its source, what has become of it since, and the address of
    the picture of its lines."""

    quote: str
    source: str
    since: tuple[str, ...]
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedQuotes:
    """How many quotes of earlier answers were found to read otherwise in `version`, or to be gone, and
    when."""

    version: VersionId
    at: datetime
    changed: int
    gone: int
