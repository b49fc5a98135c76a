"""Covers: a large simple drawing for each party."""

from collections.abc import Callable
from math import cos, pi, sin

import pymupdf

from examples.lines import Colour

Motif = Callable[[pymupdf.Page, Colour], None]


def _waves(page: pymupdf.Page, tint: Colour) -> None:
    """Five rows of waves, the lower ones denser."""
    w, h = page.rect.width, page.rect.height
    for row in range(5):
        top, swing = h * (0.58 + 0.085 * row), h * 0.022
        curve = [pymupdf.Point(w * n / 40, top + swing * sin(n * pi / 5 + row)) for n in range(41)]
        area = [*curve, pymupdf.Point(w, h), pymupdf.Point(0, h)]
        page.draw_polyline(area, color=None, fill=tint, fill_opacity=0.10 + 0.08 * row, closePath=True)


def _sails(page: pymupdf.Page, tint: Colour) -> None:
    """The four sails of a windmill over a hill."""
    w, h = page.rect.width, page.rect.height
    hub = pymupdf.Point(w * 0.68, h * 0.66)
    page.draw_circle(pymupdf.Point(w * 0.5, h * 1.45), h * 0.62, color=None, fill=tint, fill_opacity=0.28)
    tower = [(-0.035, 0), (0.035, 0), (0.065, 0.27), (-0.065, 0.27)]
    corners = [hub + pymupdf.Point(x * w * 1.4, y * h) for x, y in tower]
    page.draw_polyline(corners, color=None, fill=tint, fill_opacity=0.9, closePath=True)
    for quarter in range(4):
        angle = pi / 5 + quarter * pi / 2
        along, across = (cos(angle), sin(angle)), (-sin(angle), cos(angle))
        sail = [(0.02, 0.0), (0.30, 0.0), (0.30, 0.055), (0.07, 0.055)]
        blade = [
            hub + pymupdf.Point(a * along[0] + b * across[0], a * along[1] + b * across[1]) * w * 0.95
            for a, b in sail
        ]
        page.draw_polyline(blade, color=None, fill=tint, fill_opacity=0.75, closePath=True)


def _beam(page: pymupdf.Page, tint: Colour) -> None:
    """A lighthouse with two beams."""
    w, h = page.rect.width, page.rect.height
    lamp = pymupdf.Point(w * 0.74, h * 0.56)
    for low, high in ((0.40, 0.56), (0.66, 0.98)):
        beam = [lamp, pymupdf.Point(0, h * low), pymupdf.Point(0, h * high)]
        page.draw_polyline(beam, color=None, fill=tint, fill_opacity=0.22, closePath=True)
    tower = [(-0.045, 0.03), (0.045, 0.03), (0.085, 0.44), (-0.085, 0.44)]
    corners = [lamp + pymupdf.Point(x * w, y * h) for x, y in tower]
    page.draw_polyline(corners, color=None, fill=tint, fill_opacity=0.92, closePath=True)
    page.draw_circle(lamp, w * 0.04, color=None, fill=tint)


MOTIFS: dict[str, Motif] = {"waves": _waves, "sails": _sails, "beam": _beam}
