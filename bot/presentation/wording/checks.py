"""Verdicts on alleged quotes in words: what is right, and what the document says instead; for a draft a
table in the order of its text, and what its annotations say."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks, page_name
from bot.presentation.views.answers import (
    CheckView,
    CitationView,
    ClaimedView,
    DraftFileView,
    DraftItemView,
    MatchView,
    SentenceView,
)
from core.answering.notices import is_unreadable
from core.domain.answers import Citation, Verdict
from core.domain.rich_text import (
    Block,
    RichText,
    Table,
    different,
    joined,
    plain,
    quotation,
    rich,
    small,
    struck,
    with_signs,
)
from core.evidence.changes import ChangeKind, Piece
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.sentences import sentences

_MARKS = frozenset('„“”"«»')

Quoting = TypeVar("Quoting", MatchView, Citation)

_FILTERED = "notice.filtered"
_ARROW = " → "
_GAP = "..."


def check_text(result: CheckView, texts: Texts) -> str:
    """A verdict for output without bold or strikethrough, with the files that were written."""
    files = [f"  {path}" for match in result.matches for path in (*match.attachments, match.figure) if path]
    blocks = check_blocks(result, texts, between=_ARROW)
    return "\n".join([*(plain(with_signs(block)) for block in blocks), *files])


def check_blocks(result: CheckView, texts: Texts, *, between: str = " ") -> list[Block]:
    """A verdict in pieces that may be sent separately: the verdict, the source's own words, where they are.
    `between` separates struck words and their replacement."""
    blocks: list[Block] = [_head(result, texts)]
    if result.wording and result.matches:
        shown = _in_marks(_pieces(result.wording, result.matches[0], between), texts)
        kinds = [texts(f"verify.changed_{kind}") for kind in result.changed if kind != ChangeKind.SPELLING]
        where = [small(_where(match, texts)) for match in shown_matches(result.matches, altered=True)]
        blocks.append(joined([quotation(shown), *kinds, *_following(result.matches[0], texts), *where]))
    else:
        blocks += [_match(match, texts) for match in result.matches]
    blocks += [texts("verify.unseen")] if any(not is_unreadable(why) for why in result.unseen) else []
    announced = {_FILTERED}
    announced |= {"notice.claimed_unknown"} if result.verdict == Verdict.MISATTRIBUTED else set()
    values = {"name": result.claimed.unknown or "", "names": ", ".join(result.claimed.similar)}
    if result.filtered:
        places = "; ".join(place_of(each, texts) for each in result.filtered.outside)
        values |= {"filter": defused(result.filtered.within), "where": places}
    return [*blocks, *(texts(each.key, **values) for each in result.notices if each.key not in announced)]


def shown_matches(matches: Sequence[Quoting], *, altered: bool) -> Sequence[Quoting]:
    """The places to show: all of them, or for altered words those that read like the first; less similar ones
    are no help."""
    first = skeleton(_quote_text(matches[0])) if altered and matches else ""
    return [match for match in matches if skeleton(_quote_text(match)) == first] if altered else matches


def _quote_text(match: MatchView | Citation) -> str:
    return match.quote if isinstance(match, MatchView) else match.quote.text


def _in_marks(words: RichText, texts: Texts) -> RichText:
    """Words in quotation marks, unless they already have some."""
    own = words.text[:1] in _MARKS and words.text[-1:] in _MARKS
    return words if own else rich(texts("quote.opening")) + words + texts("quote.closing")


def _head(result: CheckView, texts: Texts) -> str:
    if result.almost and result.verdict in (Verdict.NEAR, Verdict.ALTERED):
        count = sum(piece.words for piece in result.wording)
        return texts("verify.almost_one") if count == 1 else texts("verify.almost", count=count)
    if result.verdict == Verdict.ABSENT and any(map(is_unreadable, result.unseen)):
        return texts("verify.undecided")
    claimed = result.claimed
    names = dict.fromkeys(_holder(match, claimed, texts) for match in result.matches)
    if result.verdict == Verdict.MISATTRIBUTED and claimed.turned:
        return texts("verify.misattributed_turned", claimed=defused(claimed.turned), name=", ".join(names))
    if result.verdict == Verdict.MISATTRIBUTED and claimed.unknown:
        return texts("verify.misattributed_unknown", claimed=claimed.unknown, name=", ".join(names))
    if result.verdict == Verdict.ABSENT and result.filtered:
        return texts(_FILTERED, filter=defused(result.filtered.within))
    if result.verdict == Verdict.ABSENT and claimed.parties:
        return texts("verify.absent_there", name=", ".join(claimed.parties))
    return texts(f"verify.{result.verdict}", name=", ".join(names))


def _holder(match: MatchView, claimed: ClaimedView, texts: Texts) -> str:
    """The author of the document that contains a quote; if claimed, also its title, provision and page."""
    parties = match.document.parties
    whose = match.document.title if set(parties) & set(claimed.parties) or not parties else "/".join(parties)
    provision = match.provision if claimed.provisions else None
    page = page_name(match.page, match.printed_page, texts) if claimed.page else None
    return ", ".join(part for part in (whose, provision, page) if part)


def _match(match: MatchView, texts: Texts) -> RichText:
    """The source's words and where they are. If an omission reverses the sentence, all of it with the
    omission emphasised; else the whole sentence in small type, if the words are not all of it."""
    sentence = match.sentence
    further = (*_following(match, texts), small(_where(match, texts)))
    if sentence is None or not sentence.left_out:
        return joined([quotation(in_marks(match.quote, texts)), *further])
    if sentence.why:
        shown = quotation(_in_marks(_turned(sentence), texts))
        return joined([texts(f"verify.cut_{sentence.why}"), shown, *further])
    whole = texts("verify.whole_sentence", sentence=_in_marks(rich(sentence.text), texts).text)
    return joined([quotation(in_marks(match.quote, texts)), small(whole), *further])


def _following(match: MatchView, texts: Texts) -> tuple[str, ...]:
    """How the document goes on, unless that is shown with the sentence."""
    text = match.following
    if not text or (match.sentence and text in match.sentence.text):
        return ()
    return (texts("verify.following", words=in_marks(text, texts)),)


def _turned(sentence: SentenceView) -> RichText:
    """A sentence, with the words that a quote omits emphasised."""
    at, whole = 0, RichText("")
    for part in sentence.left_out:
        start, end = part["start"], part["end"]
        whole = whole + defused(sentence.text[at:start]) + different(defused(sentence.text[start:end]))
        at = end
    return whole + defused(sentence.text[at:])


def _where(match: MatchView, texts: Texts) -> str:
    return f"{place_of(match, texts)} [{match.label}]"


def place_of(match: CitationView, texts: Texts) -> str:
    """Title, provision and page."""
    page = page_name(match.page, match.printed_page, texts)
    kind = f"{texts('cite.' + match.kind)}, " if match.kind in ("table", "figure") else ""
    provision = f"{defused(match.provision)}, " if match.provision else ""
    return f"{defused(match.document.title)}, {provision}{kind}{page}"


def _pieces(pieces: Sequence[Piece], match: MatchView, between: str) -> RichText:
    """The source's words with the alleged ones struck out, in the whole sentences in which they differ; dots
    if their beginning or end is unknown."""
    language, _ = detect(match.quote)
    edges = (0, len(pieces) - 1) if len(pieces) > 1 else ()
    shown = [_cut(piece, language, first=n == 0) if n in edges else piece for n, piece in enumerate(pieces)]
    quoted = " ".join(piece.source for piece in shown if piece.source)
    before, after = _rest_of_sentences(match, quoted, language)
    words = joined([drawn for piece in shown for drawn in _marked_up(piece, between)], " ")
    if not before and quoted[:1].islower():
        before = f"{_GAP} "
    if not after and quoted.endswith(","):
        after = f" {_GAP}"
    return rich(defused(before)) + words + defused(after)


def _rest_of_sentences(match: MatchView, said: str, language: str) -> tuple[str, str]:
    """The text before and after `said` in its sentences, as far as they were examined."""
    text = match.sentence.text if match.sentence else ""
    start = text.find(said)
    if start < 0:
        return "", ""
    end = start + len(said)
    own = [each for each in sentences(text, language) if each[0] < end and start < each[1]]
    return text[own[0][0] : start], text[end : own[-1][1]]


def _cut(piece: Piece, language: str, *, first: bool) -> Piece:
    """The first or last piece, without complete sentences of words that do not differ."""
    found = sentences(piece.source, language) if piece.claimed is None else ()
    if not found:
        return piece
    start, end = found[-1] if first else found[0]
    return replace(piece, source=piece.source[start:] if first else piece.source[:end])


def _marked_up(piece: Piece, between: str) -> tuple[RichText, ...]:
    theirs = defused(piece.source)
    if piece.claimed is None:
        return (rich(theirs),)
    ours = defused(piece.claimed)
    if between.strip():
        return (rich(f"{ours or '–'}{between}{theirs or '–'}"),)
    return tuple(each for each in (struck(ours), different(theirs)) if each.text)


LONGEST = 90
"""Maximum characters of a quotation in the table."""

_RIGHT = (Verdict.VERBATIM, Verdict.TYPO)


def summary(view: DraftFileView, texts: Texts) -> str:
    """A line saying how much of the draft is right."""
    right = sum(item.verdict in _RIGHT for item in view.items)
    said = texts("draft.summary", count=len(view.items), right=right)
    return f"{said} {texts('draft.omitted', number=view.omitted)}" if view.omitted else said


def draft_table(view: DraftFileView, texts: Texts) -> Table:
    """The verdicts in the order of the text."""
    columns = tuple(texts(f"draft.{name}") for name in ("number", "place", "words", "verdict", "stands"))
    return Table(
        title=summary(view, texts),
        columns=columns,
        rows=tuple(
            (
                str(item.number),
                texts("cite.page", page=item.page),
                in_marks(_short(item.text), texts),
                verdict_name(item, texts),
                _first_place(item, texts),
            )
            for item in view.items
        ),
    )


def verdict_name(item: DraftItemView, texts: Texts) -> str:
    """The verdict in a word or two."""
    return texts(f"draft.{item.verdict or 'unchecked'}")


def note(item: DraftItemView, texts: Texts) -> str:
    """What the annotation of a quotation says."""
    if item.check is None:
        return item.error.message if item.error else ""
    return check_text(item.check, texts)


def draft_text(view: DraftFileView, texts: Texts) -> str:
    """The table as lines, with any differences."""
    lines = [summary(view, texts)]
    for item in view.items:
        words = in_marks(_short(item.text), texts)
        place = texts("cite.page", page=item.page)
        lines.append(f"\n{item.number}. {verdict_name(item, texts)} · {place} · {words}")
        said = _first_place(item, texts) if item.verdict in _RIGHT else note(item, texts)
        lines += [f"   {line}" for line in said.splitlines() if line]
    return "\n".join(lines)


def draft_markdown(view: DraftFileView, texts: Texts) -> str:
    """The report as Markdown: the table, then each quotation with its verdict."""
    table = draft_table(view, texts)
    lines = [f"# {_escaped(view.file)}", "", table.title, ""]
    lines += [_row(table.columns), _row("---" for _ in table.columns)]
    lines += [_row(map(_escaped, row)) for row in table.rows]
    for item in view.items:
        head = f"{item.number}. {verdict_name(item, texts)}, {texts('cite.page', page=item.page)}"
        quoted = "\n".join(f"> {_escaped(line)}" for line in item.text.splitlines())
        lines += ["", f"## {head}", "", quoted, "", *map(_escaped, note(item, texts).splitlines())]
    return "\n".join(lines) + "\n"


def _first_place(item: DraftItemView, texts: Texts) -> str:
    """Title and page of the first place where the words are."""
    return place_of(item.check.matches[0], texts) if item.check and item.check.matches else ""


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Foreign text escaped so that Markdown does not read it as mark-up."""
    return "".join(f"\\{sign}" if sign in _SIGNS else sign for sign in text)


_SIGNS = frozenset("\\`*_{}[]<>#|!~")
