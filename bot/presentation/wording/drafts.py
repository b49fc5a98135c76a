"""The check of a draft in words: a table in the order of its text, and what its annotations say."""

from collections.abc import Iterable

from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks
from bot.presentation.views.answers import DraftFileView, DraftItemView
from bot.presentation.wording.checks import check_text, place_of
from core.domain.answers import Verdict
from core.domain.tables import Table

LONGEST = 90
"""Maximum characters of a quotation in the table."""

_RIGHT = (Verdict.VERBATIM, Verdict.TYPO)


def summary(view: DraftFileView, texts: Texts) -> str:
    """How much of the draft is right, in a line."""
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
                _where(item, texts),
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
    """The table as lines, and what differs where something does."""
    lines = [summary(view, texts)]
    for item in view.items:
        words = in_marks(_short(item.text), texts)
        place = texts("cite.page", page=item.page)
        lines.append(f"\n{item.number}. {verdict_name(item, texts)} · {place} · {words}")
        said = _where(item, texts) if item.verdict in _RIGHT else note(item, texts)
        lines += [f"   {line}" for line in said.splitlines() if line]
    return "\n".join(lines)


def draft_markdown(view: DraftFileView, texts: Texts) -> str:
    """The report as Markdown: the table, then each quotation with what is to be said of it."""
    table = draft_table(view, texts)
    lines = [f"# {_escaped(view.file)}", "", table.title, ""]
    lines += [_row(table.columns), _row("---" for _ in table.columns)]
    lines += [_row(map(_escaped, row)) for row in table.rows]
    for item in view.items:
        head = f"{item.number}. {verdict_name(item, texts)}, {texts('cite.page', page=item.page)}"
        quoted = "\n".join(f"> {_escaped(line)}" for line in item.text.splitlines())
        lines += ["", f"## {head}", "", quoted, "", *map(_escaped, note(item, texts).splitlines())]
    return "\n".join(lines) + "\n"


def _where(item: DraftItemView, texts: Texts) -> str:
    """Title and page of the first place where the words stand."""
    return place_of(item.check.matches[0], texts) if item.check and item.check.matches else ""


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Foreign text that no Markdown reads as mark-up."""
    return "".join(f"\\{sign}" if sign in _SIGNS else sign for sign in text)


_SIGNS = frozenset("\\`*_{}[]<>#|!~")
