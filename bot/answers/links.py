"""Public links to cited pages: given out with public citations, and open to whoever has one; and which
address of a document may be shown to everybody."""

import ipaddress
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks, page_names
from bot.presentation.presenter import Presenter
from core.answering.forms import EXTRACTIVE
from core.answering.reports.corrections import Rechecker
from core.answering.validity import Validity
from core.domain.answers import Answer, Citation, Notice, Outcome
from core.domain.documents import PUBLIC, Edition
from core.domain.ids import TraceId
from core.domain.records import CitationRecord, Recheck, Rechecked, link_digest
from core.domain.scope import Scope
from core.domain.search import QuestionKind
from core.errors import FundstelleError
from core.ports.access import PageLinks
from core.ports.clock import Clock
from core.ports.library import LifecycleLibrary

_INSIDE = frozenset(
    (
        "arpa",
        "corp",
        "home",
        "internal",
        "intranet",
        "invalid",
        "lan",
        "local",
        "localhost",
        "private",
        "test",
    )
)
"""Endings of names that no public name service has."""

_KEYS = re.compile(
    r"signature|token|secret|passw|credential|session|jwt|hmac|api[-_]?key|access[-_]?key|auth(?!or)"
    r"|(?:^|[-_.])(?:sig|key|sid|pwd|pass|x-amz|x-goog)(?:$|[-_.])",
    re.IGNORECASE,
)
"""Names of parameters whose value grants access."""


def is_for_the_public(address: str, inside: Collection[str] = ()) -> bool:
    """Whether `address` is a web address without a user name, a password or a key in it, and its host is
    neither private nor `inside`."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or host in inside:
        return False
    stated = ";".join((parts.query, parts.fragment, *parts.path.split(";")[1:])).replace(";", "&")
    if any(_KEYS.search(name) for name, _ in parse_qsl(stated, keep_blank_values=True)):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        *above, last = host.split(".")
        return bool(above) and last[:1].isalpha() and last not in _INSIDE


PATH = "/p"
"""Path of pages below the public address."""

_LOG = logging.getLogger(__name__)


OF_QUOTE, OF_ANSWER = "q", "a"
"""Prefixes of the start parameters of a quote and of an answer, before their page link or answer link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedLink:
    """The content of a link: the citation as it was given, the current state of its document, and what became
    of the quote in a later version of the document, None if there is none."""

    id: str
    citation: Citation
    notices: tuple[Notice, ...]
    rechecked: Rechecked | None


def standing(link: OpenedLink, presenter: Presenter, texts: Texts) -> list[str]:
    """What became of a quote since it was given, as lines."""
    seen = presenter.within((PUBLIC,))
    notices = [seen.notice(notice, texts) for notice in link.notices]
    if link.rechecked is None:
        day = texts.day_of(link.citation.edition.version.seen_from)
        return notices or [texts("link.current", date=day)]
    found, day = link.rechecked, texts.day_of(link.rechecked.since)
    if found.outcome is Recheck.KEPT and found.now is not None:
        place = page_names(found.now.quote.pages, found.now.printed_labels, texts)
        return [texts("link.kept", date=day, page=place), *notices]
    if found.outcome is Recheck.KEPT:
        return [texts("link.same", date=day), *notices]
    if found.reading:
        words = in_marks(found.reading, texts)
        return [texts("link.changed", date=day, words=words), *notices]
    return [texts("link.gone", date=day), *notices]


def _shown(citation: Citation) -> CitationRecord:
    """The parts of a citation that a link shows: nothing from the question."""
    return replace(CitationRecord.of(citation), label="", carrying=(), key_words=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Gives out and opens links below the address `base`; if that is empty, only those that open a private
    chat. They are valid for `days` after they were last given out, forever with 0, and only as long as their
    document is public."""

    base: str
    days: int
    kept: PageLinks
    library: LifecycleLibrary
    validity: Validity
    rechecker: Rechecker
    clock: Clock

    async def linked(self, citations: Sequence[Citation]) -> tuple[Citation, ...]:
        """`citations`, those of the public collection with their links. A missing link is not an error."""
        if not self.base:
            return tuple(citations)
        return tuple(
            replace(item, link=f"{self.base}{PATH}/{name}") if name else item
            for item, name in zip(citations, await self._given(citations), strict=True)
        )

    async def startable(self, citations: Sequence[Citation], language: str) -> tuple[tuple[str, ...], str]:
        """The start parameters that open each of `citations` in a private chat, and the one that opens all of
        them; empty for those not public, or if none could be stored."""
        names = await self._given(citations)
        each = tuple(f"{OF_QUOTE}{name}" if name else "" for name in names)
        try:
            public = [name for name in names if name]
            whole = await self.kept.give_answer(public, language, at=self.clock.now()) if public else ""
        except FundstelleError as error:
            _LOG.warning("no link to an answer could be kept: %s", error.key)
            whole = ""
        return each, f"{OF_ANSWER}{whole}" if whole else ""

    async def started(self, parameter: str) -> tuple[tuple[OpenedLink, ...], str]:
        """The citations that a start parameter opens, as far as they are still public, and the language of
        the accompanying text; empty if unknown."""
        kind, name = parameter[:1], parameter[1:]
        names: Sequence[str] = (name,)
        language = ""
        if kind != OF_QUOTE:
            answer = await self.kept.find_answer(name) if kind == OF_ANSWER else None
            if answer is None or self._is_over(answer.given_at):
                return (), ""
            names, language = answer.links, answer.language
        found = [await self.opened(each) for each in names]
        return tuple(each for each in found if each is not None), language

    def _is_over(self, given_at: datetime) -> bool:
        return bool(self.days) and given_at < self.clock.now() - timedelta(days=self.days)

    async def _given(self, citations: Sequence[Citation]) -> list[str | None]:
        """The ids of links to `citations`, None for those not public; all None if none could be stored."""
        shown = [_shown(item) if item.edition.document.collection == PUBLIC else None for item in citations]
        public = {link_digest(each): each for each in shown if each}
        try:
            given = await self.kept.give(public, at=self.clock.now()) if public else {}
        except FundstelleError as error:
            _LOG.warning("no links to cited pages could be kept: %s", error.key)
            given = {}
        return [given.get(link_digest(each)) if each else None for each in shown]

    async def opened(self, name: str) -> OpenedLink | None:
        """The content of a link; None if there is none, it has expired, or its document is no longer
        public."""
        link = await self.kept.find(name)
        if link is None or self._is_over(link.given_at):
            return None
        version = await self.library.version(link.citation.version)
        document = await self.library.document(version.document) if version else None
        if version is None or document is None or document.collection != PUBLIC:
            return None
        edition = Edition(document=document, version=version)
        if not edition.can_be_shown:
            return None
        citation = link.citation.shown(edition)
        if self.base:
            citation = replace(citation, link=f"{self.base}{PATH}/{name}")
        return OpenedLink(
            id=name,
            citation=citation,
            notices=await self._notices(citation),
            rechecked=await self._rechecked(link.citation),
        )

    async def _notices(self, citation: Citation) -> tuple[Notice, ...]:
        answer = Answer(
            question="",
            language=citation.edition.document.fields.language,
            kind=QuestionKind.FACT,
            outcome=Outcome.GROUNDED,
            claims=(),
            citations=(citation,),
            scope=Scope(collections=(PUBLIC,)),
            missing=(),
            confidence=1.0,
            notices=(),
            rejected=(),
            answerer=EXTRACTIVE,
            trace=TraceId(""),
            seconds={},
        )
        return await self.validity.notices(answer, self.clock.today())

    async def _rechecked(self, was: CitationRecord) -> Rechecked | None:
        successors = await self.library.successors([was.version])
        successor = successors.get(was.version)
        return await self.rechecker.checked(TraceId(""), was, successor) if successor else None

    async def purge(self) -> None:
        """Delete expired links."""
        if self.days:
            await self.kept.purge(before=self.clock.now() - timedelta(days=self.days))
