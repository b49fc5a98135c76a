"""Verdicts on alleged quotes in words: what is right, and what stands in the document instead."""

from collections.abc import Sequence
from itertools import chain
from typing import TypeVar

from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks, page_name
from bot.presentation.views.answers import CheckView, MatchView
from core.answering.notices import is_unreadable
from core.domain.answers import Citation, Verdict
from core.domain.rich_text import Block, RichText, bold, joined, plain, quotation, rich, small, struck
from core.evidence.changes import ChangeKind, Piece
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.sentences import sentences

_MARKS = frozenset('„“”"«»')

Quoting = TypeVar("Quoting", MatchView, Citation)

_ARROW = " → "
_GAP = "..."


def check_text(result: CheckView, texts: Texts) -> str:
    """A verdict for where nothing can be struck or bold, with the files that were written."""
    files = [f"  {path}" for match in result.matches for path in (*match.attachments, match.figure) if path]
    return "\n".join([*map(plain, check_blocks(result, texts, between=_ARROW)), *files])


def check_blocks(result: CheckView, texts: Texts, *, between: str = " ") -> list[Block]:
    """A verdict in pieces that may be sent apart: what it is, the source's own words, where they stand.
    `between` what is struck and what stands in its place."""
    blocks: list[Block] = [_head(result, texts)]
    if result.wording and result.matches:
        shown = _in_marks(_pieces(result.wording, result.matches[0], between), texts)
        kinds = [texts(f"verify.changed_{kind}") for kind in result.changed if kind != ChangeKind.WORD]
        where = [small(_where(match, texts)) for match in shown_matches(result.matches, altered=True)]
        blocks.append(joined([quotation(shown), *kinds, *where]))
    else:
        blocks += [_match(match, texts) for match in result.matches]
    blocks += [texts("verify.unseen")] if any(not is_unreadable(why) for why in result.unseen) else []
    return [*blocks, *(texts(notice.key) for notice in result.notices)]


def shown_matches(matches: Sequence[Quoting], *, altered: bool) -> Sequence[Quoting]:
    """The places to show: all of them, of altered words those that read as the first does; what is less alike
    answers nothing."""
    first = skeleton(_said(matches[0])) if altered and matches else ""
    return [match for match in matches if skeleton(_said(match)) == first] if altered else matches


def _said(match: MatchView | Citation) -> str:
    return match.quote if isinstance(match, MatchView) else match.quote.text


def _in_marks(words: RichText, texts: Texts) -> RichText:
    """Words between quotation marks, unless they bring their own."""
    own = words.text[:1] in _MARKS and words.text[-1:] in _MARKS
    return words if own else rich(texts("quote.opening")) + words + texts("quote.closing")


def _head(result: CheckView, texts: Texts) -> str:
    if result.almost and result.verdict in (Verdict.NEAR, Verdict.ALTERED):
        count = sum(piece.words for piece in result.wording)
        return texts("verify.almost_one") if count == 1 else texts("verify.almost", count=count)
    if result.verdict == Verdict.ABSENT and any(map(is_unreadable, result.unseen)):
        return texts("verify.undecided")
    names = dict.fromkeys(
        "/".join(match.document.parties) or match.document.title for match in result.matches
    )
    return texts(f"verify.{result.verdict}", name=", ".join(names))


def _match(match: MatchView, texts: Texts) -> RichText:
    """The source's words and where they stand; where something was left out of the sentence, all of it with
    that in bold."""
    lines: list[Block] = []
    sentence = match.sentence
    if sentence is not None and sentence.left_out:
        lines += [texts(f"verify.cut_{sentence.why}")] if sentence.why else []
        at, whole = 0, RichText("")
        for part in sentence.left_out:
            start, end = part["start"], part["end"]
            whole = (
                whole + defused(sentence.text[at:start]) + bold(f"[[{defused(sentence.text[start:end])}]]")
            )
            at = end
        lines.append(quotation(whole + defused(sentence.text[at:])))
    else:
        lines.append(quotation(in_marks(match.quote, texts)))
    return joined([*lines, small(_where(match, texts))])


def _where(match: MatchView, texts: Texts) -> str:
    page = page_name(match.page, match.printed_page, texts)
    kind = f"{texts('cite.' + match.kind)}, " if match.kind in ("table", "figure") else ""
    return f"{defused(match.document.title)}, {kind}{page} [{match.label}]"


def _pieces(pieces: Sequence[Piece], match: MatchView, between: str) -> RichText:
    """The source's words with the alleged ones struck, in the whole sentences in which they differ; dots
    where it is not known how these begin or end."""
    last = len(pieces) - 1
    before, behind = _rest_of_sentences(match)
    language, _ = detect(match.quote)
    drawn = (
        (_same(piece.source, language, first=n == 0, last=n == last),)
        if piece.claimed is None
        else _changed(piece, between)
        for n, piece in enumerate(pieces)
    )
    words = joined([*([before] if before else ()), *chain.from_iterable(drawn)], " ")
    if behind:
        words = words + f"{' ' if behind[0].isalnum() else ''}{behind}"
    begins, ends = pieces[0], pieces[-1]
    if not before and begins.source[:1].islower():
        words = rich(f"{_GAP} ") + words
    if not behind and ends.source.endswith(","):
        words = words + f" {_GAP}"
    return words


def _rest_of_sentences(match: MatchView) -> tuple[str, str]:
    """What the sentences of a match have before its quote and behind it, as far as they were looked at."""
    sentence = match.sentence
    if sentence is None or not sentence.left_out:
        return "", ""
    first, last = sentence.left_out[0], sentence.left_out[-1]
    before = sentence.text[: first["end"]] if first["start"] == 0 else ""
    behind = sentence.text[last["start"] :] if last["end"] == len(sentence.text) else ""
    return defused(before).strip(), defused(behind).strip()


def _same(text: str, language: str, *, first: bool, last: bool) -> str:
    """Words that do not differ; at an edge no sentence that is right as a whole."""
    found = sentences(text, language)
    if not found or first == last:
        return defused(text)
    start, end = found[-1] if first else found[0]
    return defused(text[start:] if first else text[:end])


def _changed(piece: Piece, between: str) -> tuple[RichText, ...]:
    ours, theirs = defused(piece.claimed or ""), defused(piece.source)
    if between.strip():
        return (struck(ours or "–") + between + bold(theirs or "–"),)
    return tuple(each for each in (struck(ours), bold(theirs)) if each.text)
