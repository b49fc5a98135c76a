"""The report of an evaluation as one HTML page: a table and plots."""

import html
from collections.abc import Sequence

from bot.answers.evaluation.report import BY_GROUP, cell, rates, side_by_side
from bot.presentation.views.encoding import Json

_BARS = {
    "Pages found": ("hit@1", "hit@5", "hit@10"),
    "Pages cited": ("page_correct@1", "page_correct@3", "answered_rightly"),
    "Quotes": ("quote_right@1", "quote_right@3", "quote_share"),
    "Citations": ("citation_precision", "citation_recall", "quote_precision", "quote_recall", "quote_exact"),
    "Silence": ("abstention_recall", "abstention_precision", "wrongly_silent", "fallback"),
    "Symmetry": ("same_form", "within_quota", "same_order_compare", "same_order_ask", "same_outcome"),
}
_STYLE = """<style>body{font-family:sans-serif;max-width:70rem;margin:2rem auto}
table{border-collapse:collapse}td,th{border:1px solid #999;padding:.3rem .6rem;text-align:left}
svg{max-width:100%}td{vertical-align:top}
blockquote{margin:.2rem 0;padding-left:.6rem;border-left:3px solid #c33}
blockquote.right{border-color:#393}cite{color:#666;font-size:smaller}</style>"""

_SPEED = ("median", "p95")


def report_page(results: Sequence[tuple[str, Json]], name: str) -> str:
    """The page. `results` are the reports by the name of their variant; `name` is the title."""
    names = [each for each, _ in results]
    title, first = html.escape(name), results[0][1]
    rated = "".join(_bars(chart, measures, results) for chart, measures in _BARS.items())
    silence = "".join(_curve(each, result) for each, result in results)
    groups = "".join(_groups(each, result) for each, result in results)
    chosen = "".join(_chosen(each, result) for each, result in results)
    shown = "".join(_rows(each, result) for each, result in results)
    return (
        f"<!doctype html><meta charset='utf-8'><title>{title}</title>{_STYLE}<h1>{title}</h1>"
        f"<p>{first['questions']} questions, {first['answerable']} with an answer. Beside each rate: how "
        "many of how many, and the 95 % interval.</p>"
        f"{_table(['measure', *names], side_by_side([result for _, result in results]))}"
        f"{''.join(_settings(each, result) for each, result in results)}"
        f"{rated}{_seconds(results)}{silence}{groups}{chosen}{shown}"
    )


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _chosen(name: str, result: Json) -> str:
    """Which parties were quoted or named for questions naming none, next to their share of the passages."""
    found = result.get("symmetry", {}).get("unnamed")
    if not found or not found["questions"]:
        return ""
    rows = [
        [row["party"], str(row["cited"]), str(row["named"]), f"{row['passages']} ({row['share']:.0%})"]
        for row in found["parties"]
    ]
    head = f"<h2>{html.escape(name)}: {found['questions']} questions that name no party</h2>"
    return head + _table(["party", "quoted", "named as well", "passages"], rows)


def _settings(name: str, result: Json) -> str:
    changes = result.get("settings")
    if not changes:
        return ""
    shown = ", ".join(f"{key} = {value}" for key, value in changes.items())
    return f"<p>{html.escape(name)}: {html.escape(shown)}</p>"


def _groups(name: str, result: Json) -> str:
    """The results for the questions of each corpus, language and kind."""
    columns = ["", "questions", *BY_GROUP]
    parts = []
    for by, rows in result["groups"].items():
        cells = [
            [row["name"] or "-", str(row["questions"]), *(cell(row[each]) for each in BY_GROUP)]
            for row in rows
        ]
        parts.append(f"<h2>{html.escape(f'{name}, by {by}')}</h2>{_table(columns, cells)}")
    return "".join(parts)


def _rows(name: str, result: Json) -> str:
    """Every question with its gold quotes and those shown, worst answers first."""
    body = "".join(_row(row) for row in sorted(result["rows"], key=badness, reverse=True))
    head = "<tr><th>id</th><th>question</th><th>answer</th><th>gold</th><th>shown</th></tr>"
    return f"<h2>{html.escape(f'{name}: question by question, worst first')}</h2><table>{head}{body}</table>"


def _row(row: Json) -> str:
    gold = "".join(_quote({**each, "pages": [each["page"]], "right": True}) for each in row["gold"])
    shown = "".join(map(_quote, row["shown"]))
    cells = (html.escape(row["id"]), html.escape(row["question"]), _verdict(row), gold, shown)
    return f"<tr>{''.join(f'<td>{each}</td>' for each in cells)}</tr>"


def badness(row: Json) -> int:
    """How badly a question was answered: 3 for only wrong quotes, 2 for silence although there is an answer,
    1 for a wrong quote before the right one, 0 for a good answer."""
    if not row["answerable"]:
        return 3 * (not row["silent"])
    if not row["shown"]:
        return 2
    rank = row["quote_rank"]
    return 3 if rank is None else int(rank > 1)


def _verdict(row: Json) -> str:
    if not row["answerable"]:
        return "silent, rightly" if row["silent"] else "no answer in the documents, quotes shown"
    if not row["shown"]:
        return "silent, wrongly"
    rank = row["quote_rank"]
    return "no quote holds the answer" if rank is None else f"quote {rank} holds the answer"


def _quote(row: Json) -> str:
    place = f"{row['file']}, p. {', '.join(map(str, row['pages']))}"
    kind = " class='right'" if row["right"] else ""
    return f"<blockquote{kind}>{html.escape(row['quote'])}<br><cite>{html.escape(place)}</cite></blockquote>"


def _bars(title: str, measures: Sequence[str], results: Sequence[tuple[str, Json]]) -> str:
    """Grouped bars: a group per measure, a bar per variant. Empty if nothing was measured."""
    found = [(name, dict(rates(result))) for name, result in results]
    shown = [each for each in measures if any(own.get(each, {}).get("of") for _, own in found)]
    if not shown:
        return ""
    series = [
        (name, [own[each]["value"] if own[each]["of"] else None for each in shown]) for name, own in found
    ]
    return bars(title, shown, series, unit="share", top=1.0)


def _seconds(results: Sequence[tuple[str, Json]]) -> str:
    series = [(name, [result["seconds"][each] for each in _SPEED]) for name, result in results]
    return bars("Seconds per answer", _SPEED, series, unit="seconds")


def _curve(name: str, result: Json) -> str:
    """Silence as a function of the confidence threshold, for answerable and unanswerable questions."""
    curve = result["curve"]
    return curves(
        f"Silence over the threshold of confidence: {name}",
        [f"{point['threshold']:.2f}" for point in curve],
        [
            ("unanswerable, rightly silent", [point["rightly_silent"] for point in curve]),
            ("answerable, wrongly silent", [point["wrongly_silent"] for point in curve]),
        ],
        unit="share of questions",
        top=1.0,
    )


# Bars and curves of a report as SVG: self-contained drawings without scripts.

COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5")
_WIDTH, _HEIGHT = 800, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 10, 36, 40
"""Margins around the plot, for its axes and title."""

_LEGEND = 18
"""Height of a line of the legend, which has three names."""

Series = Sequence[tuple[str, Sequence[float | None]]]
"""Values by the name of the series; None if nothing was measured."""


def bars(title: str, labels: Sequence[str], series: Series, *, unit: str, top: float | None = None) -> str:
    """Groups of bars: a group per label, a bar per series. They reach to `top`, the highest if None."""
    top = top or _highest(series)
    room = _across(1, len(labels))
    wide = 0.8 * room / len(series)
    drawn = [
        _box(
            _LEFT + at * room + 0.1 * room + number * wide,
            _down(value, top),
            wide,
            number,
            f"{name}: {value:g}",
        )
        for number, (name, values) in enumerate(series)
        for at, value in enumerate(values)
        if value is not None
    ]
    return _plot(
        title,
        [(_LEFT + (at + 0.5) * room, label) for at, label in enumerate(labels)],
        series,
        unit,
        top,
        drawn,
    )


def curves(title: str, labels: Sequence[str], series: Series, *, unit: str, top: float | None = None) -> str:
    """A line per series over the labels, ten of which are written."""
    top = top or _highest(series)
    room = _across(1, max(len(labels) - 1, 1))
    drawn = []
    for number, (_, values) in enumerate(series):
        points = [
            f"{_LEFT + at * room:.1f},{_down(value, top):.1f}"
            for at, value in enumerate(values)
            if value is not None
        ]
        drawn.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{_colour(number)}" stroke-width="2"/>'
        )
    every = max(1, len(labels) // 10)
    marked = [(_LEFT + at * room, label) for at, label in enumerate(labels) if at % every == 0]
    return _plot(title, marked, series, unit, top, drawn)


def _plot(
    title: str,
    labels: Sequence[tuple[float, str]],
    series: Series,
    unit: str,
    top: float,
    drawn: Sequence[str],
) -> str:
    """The drawing with its title, its axes and the names of its series."""
    parts = [_text(_WIDTH / 2, 20, title, "middle", 15)]
    for step in range(6):
        y = _down(top * step / 5, top)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(_text(_LEFT - 6, y + 4, f"{top * step / 5:.3g}", "end"))
    parts += drawn
    parts += [_text(x, _HEIGHT - _BOTTOM + 16, label, "middle") for x, label in labels]
    parts.append(_text(4, _TOP - 12, unit, "start"))
    for number, (name, _) in enumerate(series):
        x, y = _LEFT + number % 3 * 245, _HEIGHT + number // 3 * _LEGEND
        parts.append(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{_colour(number)}"/>')
        parts.append(_text(x + 15, y, name, "start"))
    height = _HEIGHT + _LEGEND * -(-len(series) // 3)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">'
    return f"{head}{''.join(parts)}</svg>"


def _box(x: float, y: float, wide: float, number: int, text: str) -> str:
    tall = _HEIGHT - _BOTTOM - y
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{_colour(number)}">'
        f"<title>{html.escape(text)}</title></rect>"
    )


def _text(x: float, y: float, text: str, anchor: str, size: int = 11) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{html.escape(text)}</text>'
    )


def _across(share: float, parts: int) -> float:
    return share * (_WIDTH - _LEFT - _RIGHT) / parts


def _down(value: float, top: float) -> float:
    """The y coordinate of a value, from above."""
    return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _BOTTOM - _TOP)


def _highest(series: Series) -> float:
    return max((value for _, values in series for value in values if value is not None), default=0.0) or 1.0


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
