"""Answers, receipts and errors as text in the language of the person who asked. Whatever others wrote is
defused; the only live address is a cited document's own, as the registry has it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, tzinfo
from types import MappingProxyType

from bot.presentation.escaping import defused
from bot.presentation.i18n import Named, Names, Texts, Value
from bot.presentation.phrases import (
    claim_text,
    in_marks,
    is_quote,
    page_names,
    provision_label,
    quoted,
    reading_line,
)
from core.answering.extractive.confidence import level
from core.answering.notices import PLACES_BETWEEN
from core.domain.answers import Answer, Citation, Notice, Outcome, Verdict
from core.domain.documents import PUBLIC, Document
from core.domain.ids import DocumentId
from core.domain.pages import TextSource
from core.domain.passages import PassageKind
from core.domain.registry import KnownPlace, Registry
from core.domain.scope import Missing, Scope
from core.errors import FundstelleError, Refused
from core.message_keys import ErrorKey
from core.one_line import one_line
from core.registry.manifests import seen_from

ECHOED = 400
"""Maximum characters of a value in an error's text."""

LISTED = 20
"""Maximum documents listed in a reply."""

NO_DISCLAIMERS: Mapping[str, str] = MappingProxyType({})
"""The bot's own texts are used."""

OF_PARTIES = frozenset(
    {
        "notice.compared_elsewhere",
        "notice.compared_older",
        "notice.compared_without_older",
        "notice.compared_without_year",
        "notice.group_silent",
        "notice.members_unquoted",
        "notice.of_alliance",
        "notice.of_members",
        "notice.others_too",
        "notice.stance.asked",
        "notice.stance.opposite",
        "notice.stance.silent",
        "notice.stance.unknown",
        "notice.stance.untold",
    }
)
"""Notices whose `name`, and `others`, are of parties."""

OF_PLACES = frozenset({"scope.motion_nobody"})
"""Errors whose `name` is the code of a place."""

ABOVE = frozenset(
    {
        "notice.low_confidence",
        "notice.named_elsewhere",
        "notice.no_place_asked",
        "notice.of_places",
        "notice.only_from_above",
        "notice.stance.asked",
        "notice.stance.nobody",
        "notice.stance.opposite",
        "notice.stance.unknown",
    }
)
"""Notices to be read before the quotes."""


class Presenter:
    """Turns the core's results into text. `language` applies to our own wording; quotes keep theirs. Times
    are shown in `zone`."""

    def __init__(
        self,
        registry: Registry,
        *,
        language: str = "",
        disclaimers: Mapping[str, str] = NO_DISCLAIMERS,
        known: Iterable[KnownPlace] = (),
        zone: tzinfo = UTC,
    ) -> None:
        self._zone = zone
        self._known = tuple(known)
        self._language = language
        self._disclaimers = disclaimers
        self.use(registry)

    def use(self, registry: Registry) -> None:
        """Use the names of places and parties in `registry` from now on."""
        self._registry = registry
        self._within: dict[frozenset[str], Presenter] = {}
        self.names = Names(seen_from(registry, (PUBLIC,)), self._known)

    def within(self, collections: Iterable[str]) -> "Presenter":
        """The same for people who may read `collections`: with the names and inflections of their manifests;
        by default it only knows the public ones."""
        if not self._registry.manifests:
            return self
        sight = frozenset(collections)
        if sight not in self._within:
            seen = seen_from(self._registry, sight)
            self._within[sight] = Presenter(
                seen,
                language=self._language,
                disclaimers=self._disclaimers,
                known=self._known,
                zone=self._zone,
            )
        return self._within[sight]

    def texts(self, language: str) -> Texts:
        """The texts to use for a question in `language`."""
        return Texts(self._language or language, zone=self._zone)

    def answer_text(self, answer: Answer) -> str:
        """The whole answer as plain text."""
        return "\n\n".join(self.answer_blocks(answer))

    def answer_blocks(self, answer: Answer) -> list[str]:
        """The answer in pieces that may be sent separately: a claim is never without its label."""
        texts, notice = self.texts(answer.language), self.within(answer.scope.collections).notice
        if answer.outcome is Outcome.INFO:
            return self.info(answer, texts)
        blocks = self.missing_block(answer, texts)
        blocks += [notice(each, texts) for each in answer.notices if each.key in ABOVE]
        if answer.outcome is Outcome.GROUNDED:
            blocks += claim_blocks(answer, texts)
            blocks.append("\n".join(self.source_line(item, texts) for item in answer.citations))
        else:
            blocks.append(self.nothing(answer, texts))
        blocks += [notice(each, texts) for each in answer.notices if each.key not in ABOVE]
        blocks.append("\n".join((*self.sureness(answer, texts), self.searched(answer, texts))))
        blocks.append(self.disclaimer(texts))
        return blocks

    def info(self, answer: Answer, texts: Texts) -> list[str]:
        """Text about the library or the bot itself."""
        if answer.notices:
            notice = self.within(answer.scope.collections).notice
            return [notice(each, texts) for each in answer.notices]
        return [self.documents(answer.documents, texts), *self.missing_block(answer, texts)]

    def missing_block(self, answer: Answer, texts: Texts) -> list[str]:
        """The names in the question without a source in the scope, if any."""
        presenter, places = self.within(answer.scope.collections), answer.scope.jurisdictions
        return [presenter.missing(answer.missing, texts, places)] if answer.missing else []

    def nothing(self, answer: Answer, texts: Texts) -> str:
        """The text saying that nothing answers, what was looked for, and the nearest pages."""
        lines = [texts("answer.nothing")]
        if answer.sought:
            lines.append(texts("answer.sought", words=", ".join(answer.sought)))
        if answer.nearest:
            lines.append(texts("answer.nearest"))
        for reading in answer.nearest:
            lines.append(f"- {reading_line(reading, texts)}")
        return "\n".join(lines)

    def sureness(self, answer: Answer, texts: Texts) -> tuple[str, ...]:
        """The confidence in an answer, in words."""
        grounded = answer.outcome is Outcome.GROUNDED
        return (texts(f"answer.sure_{level(answer.confidence)}"),) if grounded else ()

    def searched(self, answer: Answer, texts: Texts) -> str:
        """The scope searched for an answer."""
        editions = [item.edition for item in answer.citations] + [item.edition for item in answer.nearest]
        titles = {each.document.id: each.document.fields.title for each in editions}
        return texts("answer.scope", scope=self.scope(answer.scope, texts, titles))

    def documents(self, documents: Sequence[Document], texts: Texts, scope: Scope | None = None) -> str:
        """A list of documents, cut after `LISTED`; `scope`: the filters, if they should be mentioned."""
        if not documents:
            return texts("info.no_documents")
        head = "info.documents_of" if scope else "info.documents"
        narrowed = self.scope(scope, texts) if scope else ""
        lines = [texts(head, count=len(documents), scope=narrowed)]
        lines += [f"- {self.document_line(document, texts)}" for document in documents[:LISTED]]
        if len(documents) > LISTED:
            lines.append(texts("info.more", count=len(documents) - LISTED))
        return "\n".join(lines)

    def document_line(self, document: Document, texts: Texts) -> str:
        """Title, date and place of a document."""
        fields = document.fields
        seen, code = self.within([document.collection]), fields.jurisdiction
        facts: list[str] = [seen.place(code, texts)] if code else []
        if fields.valid_from:
            facts.append(texts("cite.version", date=fields.valid_from))
        title = defused(one_line(fields.title))
        return f"{title} ({', '.join(facts)})" if facts else title

    def source_line(self, citation: Citation, texts: Texts) -> str:
        """The source line for a label: title, date, place, section, page, and how it matches."""
        parts = [self.document_line(citation.edition.document, texts)]
        if citation.section:
            parts.append(
                defused(provision_label(citation.section, citation.edition.document.fields.language))
            )
        elif citation.heading:
            parts.append(defused(citation.heading))
        if citation.kind in (PassageKind.TABLE, PassageKind.FIGURE):
            parts.append(texts(f"cite.{citation.kind.value}"))
        parts.append(self.pages(citation, texts))
        notes = [texts("cite.ocr")] if citation.text_source is TextSource.OCR else []
        if citation.verdict in (Verdict.NEAR, Verdict.TYPO):
            notes.append(texts(f"cite.{citation.verdict.value}"))
        if address := citation.link or citation.edition.document.fields.source_uri:
            notes.append(address)
        return f"[{citation.label}] " + ", ".join(parts) + (f" – {'; '.join(notes)}" if notes else "")

    def source(self, citation: Citation, answer: Answer, texts: Texts) -> str:
        """The source line, with the quote if no claim is the quote itself."""
        line = self.source_line(citation, texts)
        if any(is_quote(claim, [citation]) for claim in answer.claims):
            return line
        return f"{line}\n    {in_marks(citation.quote.text, texts)}"

    def pages(self, citation: Citation, texts: Texts) -> str:
        """Page numbers of a citation: the PDF's, and the printed one where it differs."""
        return page_names(citation.quote.pages, citation.printed_labels, texts)

    def missing(self, missing: Sequence[Missing], texts: Texts, places: Sequence[str] = ()) -> str:
        """A line for each party, place or edition without a source; a party may have one outside `places`,
        which were searched."""
        return "\n".join(self._lacking(item, texts, places) for item in missing)

    def _lacking(self, item: Missing, texts: Texts, places: Sequence[str]) -> str:
        name = self._named(item, texts)
        if item.kind == "party" and places:
            return texts("missing.party_there", name=name, place=self.names.places(*places))
        return texts(f"missing.{item.kind}", name=name, place=self.names.places(*places))

    def _named(self, item: Missing, texts: Texts) -> str:
        if item.kind == "party":
            return self.names.parties(item.name)
        return self.place(item.name, texts) if item.kind == "jurisdiction" else item.name

    def disclaimer(self, texts: Texts) -> str:
        """The closing line of every answer."""
        return self._disclaimers.get(texts.language) or texts("answer.disclaimer")

    def notice(self, notice: Notice, texts: Texts) -> str:
        """A notice in words."""
        values = notice.values
        named: dict[str, Value] = {
            name: self.names.places(*values[name].split(PLACES_BETWEEN))
            for name in ("place", "above")
            if name in values
        }
        if "date" in values:
            named["date"] = _day(values["date"])
        if values.get("kind") == "jurisdiction":
            named["name"] = self.names.places(values["name"])
        elif notice.key in OF_PARTIES:
            for key in ("name", "others"):
                if key in values:
                    named[key] = self.names.parties(*values[key].split(PLACES_BETWEEN))
        return texts(notice.key, **{"count": len(notice.labels), **values, **named})

    def scope(
        self, scope: Scope, texts: Texts, titles: Mapping[DocumentId, str] = MappingProxyType({})
    ) -> str:
        """The searched scope in words, with all filters. `titles` are the known titles."""
        names = self.within(scope.collections).names
        parts = [texts("scope.parties", name=names.parties(*scope.parties))] if scope.parties else []
        if scope.jurisdictions:
            parts.append(texts("scope.places", name=names.places(*scope.jurisdictions)))
        if scope.doc_types:
            types = ", ".join(texts(f"scope.type_{kind.value}") for kind in scope.doc_types)
            parts.append(texts("scope.types", types=types))
        if scope.documents:
            parts.append(self._only(scope.documents, titles, texts))
        if scope.editions:
            years = ", ".join(map(str, scope.editions))
            parts.append(texts("scope.editions", years=years, count=len(scope.editions)))
        if scope.as_of:
            parts.append(texts("cite.version", date=scope.as_of))
        return ", ".join(parts) or texts("scope.everywhere")

    def _only(self, documents: Sequence[DocumentId], titles: Mapping[DocumentId, str], texts: Texts) -> str:
        """The documents searched, by their titles where all of them are known."""
        if not all(each in titles for each in documents):
            return texts("scope.documents", count=len(documents))
        return texts("scope.only", titles=", ".join(in_marks(titles[each], texts) for each in documents))

    def place(self, code: str, texts: Texts) -> Named:
        """The name of a place in the bot's language, or its code if unknown."""
        return self.names.places(code).spoken(texts.language)

    def error(self, error: FundstelleError, language: str, *, prefix: str = "") -> str:
        """An error in words; if there is no text for its key, the English detail of a refusal. Other errors
        are for the operator, and their details may contain paths and addresses. `prefix` precedes
        commands."""
        texts = self.texts(language)
        if error.key in OF_PLACES:
            error = Refused(error.key, error.detail, name=self.place(str(error.values.get("name")), texts))
        if told := error_text(error, texts, prefix=prefix):
            return told
        if not isinstance(error, Refused):
            return texts("error.unexpected")
        return defused(_cut(error.detail)) or error.key

    def refusal(self, key: ErrorKey, detail: str, language: str) -> str:
        """A refusal of which only key and detail are known, as in a receipt."""
        return self.error(Refused(key, detail), language)


def claim_blocks(answer: Answer, texts: Texts) -> list[str]:
    """Every claim under the quotes that carry it, each quote once."""
    blocks, shown = [], set[str]()
    for claim in answer.claims:
        cited = [item for item in answer.citations if item.label in claim.labels and item.label not in shown]
        shown |= {item.label for item in cited}
        lines = [quoted(item.quote.text, [item.label], texts.language) for item in cited]
        if not is_quote(claim, answer.citations):
            lines.append(claim_text(claim, answer.citations, texts.language))
        blocks += ["\n".join(lines)] if lines else []
    return blocks


def _day(text: str) -> Value:
    """The day that a notice names, else its value unchanged."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def error_text(error: FundstelleError, texts: Texts, *, prefix: str = "") -> str:
    """The text of an error's key; empty if there is none, or it needs values that the error lacks, since its
    origin may not know all of them. Suggestions become a question, no suggestions become nothing."""
    values: dict[str, str | int | float] = {"suggestions": "", "prefix": prefix}
    values |= {name: _cut(said) if isinstance(said, str) else said for name, said in error.values.items()}
    if names := values.get("suggestions"):
        values["suggestions"] = texts("error.did_you_mean", names=names)
    for key in (error.key, f"error.{error.key}"):
        if texts.takes(key, values):
            return texts(key, **values).strip()
    return ""


def _cut(text: str) -> str:
    """Shorten what a person wrote before repeating it."""
    return text if len(text) <= ECHOED else f"{text[:ECHOED]}…"
