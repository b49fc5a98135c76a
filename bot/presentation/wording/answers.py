"""Answers as chat messages: speaker and topic, the quotes, and a line for each cited page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.presentation.escaping import defused, defused_marks
from bot.presentation.i18n import Texts
from bot.presentation.phrases import claim_text, is_quote, provision_label
from bot.presentation.presenter import ABOVE, Presenter
from core.domain.answers import Answer, Citation, Claim, Outcome, Verdict
from core.domain.documents import DocumentFields
from core.domain.pages import TextSource
from core.domain.passages import PassageKind
from core.domain.rich_text import (
    Block,
    Mark,
    RichText,
    Style,
    bold,
    heading,
    joined,
    link,
    quotation,
    rich,
    small,
)
from core.one_line import one_line


@dataclass(frozen=True, slots=True)
class Speaker:
    """The speaker of all citations of an answer: a party, else a place; empty if there are several."""

    parties: tuple[str, ...] = ()
    place: str = ""

    @property
    def name(self) -> str:
        """The name as shown above the quotes."""
        return "/".join(map(defused, self.parties)) or self.place


class AnswerMessages:
    """Words for answers in chats. Labels are shown only if something refers to them."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    def blocks(self, answer: Answer, texts: Texts) -> list[Block]:
        """The answer in pieces that may be sent separately; `small_print` adds the disclaimer."""
        presenter = self._presenter.within(answer.scope.collections)
        if answer.outcome is Outcome.INFO:
            return [*presenter.info(answer, texts)]
        above = presenter.missing_block(answer, texts)
        above += [presenter.notice(each, texts) for each in answer.notices if each.key in ABOVE]
        below = [presenter.notice(each, texts) for each in answer.notices if each.key not in ABOVE]
        blocks: list[Block] = (
            self._grounded(answer, texts)
            if answer.outcome is Outcome.GROUNDED
            else [self._nothing(answer, texts)]
        )
        return [*above, *blocks, *below]

    def draft(self, claims: Sequence[Claim], citations: Sequence[Citation], texts: Texts) -> RichText:
        """The proven beginning of an answer that is still being written, with its sources."""
        written = [claim for claim in claims if not is_quote(claim, citations)]
        quotes = self.quotes(citations, texts, Speaker(), labelled=True)
        paraphrases = [small(claim_text(claim, citations, texts.language)) for claim in written]
        return joined([*quotes, *paraphrases, small(texts("answer.unfinished"))], "\n\n")

    def small_print(self, answer: Answer, texts: Texts, *, disclaimer: bool) -> RichText:
        """The scope searched, and the closing line of the first answer in a thread."""
        scope = self._presenter.searched(answer, texts)
        lines = [scope, self._presenter.disclaimer(texts)] if disclaimer else [scope]
        return small(" · ".join(lines))

    def shows_scope(self, answer: Answer, texts: Texts) -> bool:
        """Whether the heading of an answer already says where was searched."""
        speaker, scope = self.speaker(answer.citations, texts), answer.scope
        if scope.editions or answer.outcome is not Outcome.GROUNDED:
            return False
        if scope.parties:
            return set(scope.parties) == set(speaker.parties)
        presenter = self._presenter.within(scope.collections)
        places = [presenter.place(code, texts) for code in scope.jurisdictions]
        return not places or places == [speaker.place]

    def speaker(self, citations: Sequence[Citation], texts: Texts) -> Speaker:
        """The speaker of the citations."""
        fields = [item.edition.document.fields for item in citations]
        parties = {each.parties for each in fields}
        if len(parties) == 1 and (only := parties.pop()):
            return Speaker(parties=only)
        places = {each.jurisdiction for each in fields}
        if any(each.parties for each in fields) or len(places) != 1:
            return Speaker()
        place = places.pop()
        presenter = self._presenter.within([citations[0].edition.document.collection])
        return Speaker(place=presenter.place(place, texts) if place else "")

    def _grounded(self, answer: Answer, texts: Texts) -> list[Block]:
        speaker = self.speaker(answer.citations, texts)
        topic = defused(answer.topic[:1].upper() + answer.topic[1:])
        title = " · ".join(part for part in (speaker.name, topic) if part)
        written = [claim for claim in answer.claims if not is_quote(claim, answer.citations)]
        labelled = bool(written) or any("labels" in notice.values for notice in answer.notices)
        blocks: list[Block] = [*self.quotes(answer.citations, texts, speaker, labelled=labelled)]
        blocks += [small(claim_text(claim, answer.citations, texts.language)) for claim in written]
        return [joined([heading(title), blocks[0]]), *blocks[1:]] if title else blocks

    def quotes(
        self,
        citations: Sequence[Citation],
        texts: Texts,
        speaker: Speaker,
        *,
        labelled: bool,
        titled: bool = True,
    ) -> Iterator[RichText]:
        """The quotes of each page with their source line; `titled`: including the document."""
        before: Citation | None = None
        for group in _by_page(citations):
            line = self._source(group, texts, speaker, before, labelled=labelled, titled=titled)
            quotes = [quotation(quoted_words(item, texts)) for item in group]
            yield joined([*quotes, line])
            before = group[-1]

    def _source(
        self,
        group: Sequence[Citation],
        texts: Texts,
        speaker: Speaker,
        before: Citation | None,
        *,
        labelled: bool,
        titled: bool,
    ) -> RichText:
        """Title, section and page, and how the quotes match; a document that was just named is not named
        again."""
        first, fields = group[0], group[0].edition.document.fields
        same = before is not None and before.edition.version.id == first.edition.version.id
        title: Block = texts("cite.same") if same else self.title(fields, texts, speaker)
        pages = link(self._presenter.pages(first, texts), first.link)
        where: list[Block] = [*_places(group, texts), pages]
        parts = [title, *where] if titled else where
        line = joined(parts, ", ")
        if labelled:
            line = rich(" ".join(f"[{item.label}]" for item in group) + " ") + line
        notes = [texts("cite.ocr")] if any(item.text_source is TextSource.OCR for item in group) else []
        verdicts = dict.fromkeys(item.verdict for item in group)
        notes += [texts(f"cite.{each.value}") for each in verdicts if each in (Verdict.NEAR, Verdict.TYPO)]
        return line + f" – {'; '.join(notes)}" if notes else line

    def title(self, fields: DocumentFields, texts: Texts, speaker: Speaker) -> RichText:
        """A document's title without the speaker's name above the quotes, with its date unless that is its
        year; linked to where the document came from."""
        title = one_line(fields.title)
        named = speaker.parties or fields.parties[:1]
        for name in ("/".join(named), *named):
            title = title.removeprefix(name).lstrip(" :–-") if title.startswith(f"{name}:") else title
        who = ", ".join(fields.parties) or self._presenter.place(fields.jurisdiction or "", texts)
        names = fields.parties or (str(who),)
        unnamed = who and not speaker.name and not all(each.casefold() in title.casefold() for each in names)
        shown = link(defused(f"{who}: {title}" if unnamed else title), fields.source_uri or "")
        date = fields.valid_from
        if date is None or str(date.year) in title:
            return shown
        return shown + f" ({texts('cite.version', date=date)})"

    def _nothing(self, answer: Answer, texts: Texts) -> RichText:
        first, *rest = self._presenter.nothing(answer, texts).split("\n")
        return joined([bold(first), *rest])


def quoted_words(citation: Citation, texts: Texts) -> RichText:
    """A quote in quotation marks, with the words that carry it in bold."""
    text = citation.quote.text
    marks = tuple(Mark(style=Style.BOLD, start=start, end=end) for start, end in citation.key_words)
    words = defused_marks(RichText(text, tuple(mark for mark in marks if mark.end <= len(text))))
    return rich(texts("quote.opening")) + words + texts("quote.closing")


def _by_page(citations: Sequence[Citation]) -> list[list[Citation]]:
    """Citations grouped by the same pages of a version, in the order they are first cited."""
    found: dict[object, list[Citation]] = {}
    for item in citations:
        found.setdefault((item.edition.version.id, item.quote.pages), []).append(item)
    return list(found.values())


def _places(group: Sequence[Citation], texts: Texts) -> list[str]:
    """Sections, headings (except the document's own title), and kinds other than running text, each once."""
    named: list[str] = []
    for item in group:
        if item.section:
            named.append(defused(provision_label(item.section, item.edition.document.fields.language)))
        elif item.heading and item.heading.casefold() not in item.edition.document.fields.title.casefold():
            named.append(defused(item.heading))
        if item.kind in (PassageKind.TABLE, PassageKind.FIGURE):
            named.append(texts(f"cite.{item.kind.value}"))
    return list(dict.fromkeys(named))
