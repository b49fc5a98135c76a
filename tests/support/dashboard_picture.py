"""The Grafana dashboard as a picture: its panels in the layout of its JSON, with invented values.

    python -m tests.support.dashboard_picture docs/images/dashboard.svg

It is not a screenshot: without a Grafana at hand, it shows what is where.
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.support.repository import ROOT

DASHBOARD = ROOT / "deploy" / "grafana" / "fundstelle.json"
PICTURE = ROOT / "docs" / "images" / "dashboard.svg"
COLUMN, ROW, GAP, MARGIN = 52.0, 22.0, 6.0, 10.0
WIDTH = 24 * COLUMN + 2 * MARGIN
COLOURS = {"green": "#3d8b40", "orange": "#d9822b", "red": "#c4262e"}
LINES = ("#7eb26d", "#eab839", "#6ed0e0", "#ef843c", "#e24d42", "#1f78c1")
STATS = {
    "Ready": (1, "yes"),
    "Platforms reachable": (1, "all"),
    "Oldest waiting": (3, "3 s"),
    "Answers, 95 %": (1.9, "1.9 s"),
    "Silent, 6 h": (0.22, "22 %"),
    "Dead letters": (2, "2"),
    "Not in the index": (0, "0"),
    "Disk free": (48e9, "48 GB"),
}
"""By the titles of the panels: a value for the thresholds, and how it is written."""

NAMES = {
    "{{outcome}}": ("grounded", "no_evidence", "info"),
    "{{stage}}": ("waiting", "embed", "rank", "expand", "total"),
    "silent: {{reason}}": ("silent: unsure", "silent: missing"),
    "quotes only: {{reason}}": ("quotes only: unavailable", "quotes only: unverified"),
    "{{reason}}": ("absent", "altered", "unsupported"),
    "{{model}}": ("openai/NAME", "mistral/NAME"),
    "{{model}} {{reason}}": ("openai/NAME model.timeout",),
    "{{direction}}": ("prompt", "completion"),
    "{{platform}}": ("telegram", "matrix"),
    "{{platform}} {{command}}": ("telegram ask", "matrix ask", "matrix compare"),
    "{{store}}": ("database", "index"),
    "{{state}}": ("held", "failing", "due"),
    "{{task}}": ("sources",),
}
"""Legends for some values of the labels."""


def picture(dashboard: dict[str, Any]) -> str:
    """The dashboard as SVG."""
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in dashboard["panels"]) * ROW + 60
    drawn = "\n".join(line for panel in dashboard["panels"] for line in _panel(panel))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" '
        'font-family="sans-serif">\n'
        f'<rect width="{WIDTH:.0f}" height="{height:.0f}" fill="#f4f5f5"/>\n'
        f"{_text(MARGIN + 4, 30, dashboard['title'], 20, '#222')}\n{drawn}\n</svg>\n"
    )


def _panel(panel: dict[str, Any]) -> Iterator[str]:
    grid = panel["gridPos"]
    x, y = MARGIN + grid["x"] * COLUMN, 46 + grid["y"] * ROW
    w, h = grid["w"] * COLUMN - GAP, grid["h"] * ROW - GAP
    if panel["type"] == "stat":
        value, words = STATS[panel["title"]]
        steps = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
        colour = [step["color"] for step in steps if step["value"] is None or value >= step["value"]][-1]
        yield _box(x, y, w, h, COLOURS[colour])
        yield _text(x + 8, y + 18, panel["title"], 12, "#fff")
        yield _text(x + 8, y + h - 16, words, 30, "#fff")
        return
    yield _box(x, y, w, h, "#fff")
    yield _text(x + 8, y + 18, panel["title"], 12, "#222")
    at = x + 8
    for number, name in enumerate(_legend(panel["targets"])):
        colour = LINES[number % len(LINES)]
        yield _line(panel["id"] * 7 + number, x + 8, y + 28, w - 16, h - 58, colour)
        if at + 12 + len(name) * 5.5 < x + w:
            yield _box(at, y + h - 14, 8, 3, colour)
            yield _text(at + 11, y + h - 9, name, 10, "#555")
            at += 20 + len(name) * 5.5


def _legend(targets: Sequence[dict[str, str]]) -> Iterator[str]:
    for target in targets:
        legend = target["legendFormat"]
        yield from NAMES[legend] if "{{" in legend else (legend,)


def _line(seed: int, x: float, y: float, w: float, h: float, colour: str) -> str:
    """A wave that is always the same."""
    points = []
    for step in range(49):
        level = 0.25 + 0.6 * ((seed * 37 % 100) / 100)
        wave = 0.12 * math.sin(step / (3 + seed % 4) + seed) + 0.04 * math.sin(step * 1.7 + seed)
        points.append(f"{x + w * step / 48:.1f},{y + h * (1 - min(max(level + wave, 0.02), 0.98)):.1f}")
    return f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def _box(x: float, y: float, w: float, h: float, colour: str) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}" rx="3" fill="{colour}"/>'


def _text(x: float, y: float, words: str, size: int, colour: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}">{escape(words)}</text>'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(json.loads(DASHBOARD.read_text(encoding="utf-8"))), encoding="utf-8")
