"""Bars and curves of a report as SVG: drawings that stand by themselves and run nothing."""

import html
from collections.abc import Sequence

COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5")
_WIDTH, _HEIGHT = 800, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 10, 36, 40
"""Room beside and over the plot, for its axes and title."""

_LEGEND = 18
"""Height of a line of the legend, which has three names."""

Series = Sequence[tuple[str, Sequence[float | None]]]
"""By its name what is shown of each; None where nothing was measured."""


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


def _box(x: float, y: float, wide: float, number: int, said: str) -> str:
    tall = _HEIGHT - _BOTTOM - y
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{_colour(number)}">'
        f"<title>{html.escape(said)}</title></rect>"
    )


def _text(x: float, y: float, text: str, anchor: str, size: int = 11) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{html.escape(text)}</text>'
    )


def _across(share: float, parts: int) -> float:
    return share * (_WIDTH - _LEFT - _RIGHT) / parts


def _down(value: float, top: float) -> float:
    """Where a value stands, from above."""
    return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _BOTTOM - _TOP)


def _highest(series: Series) -> float:
    return max((value for _, values in series for value in values if value is not None), default=0.0) or 1.0


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
