"""The looks: page sizes, margins, letters and colours of each kind of document."""

from dataclasses import dataclass

from examples.lines import Colour, Letter

A4 = (595.0, 842.0)
A5 = (420.0, 595.0)
WHITE: Colour = (1.0, 1.0, 1.0)
GREY: Colour = (0.42, 0.42, 0.42)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How a document looks. Lengths are points; `margins` are left, top, right, bottom.

    `programme`: cover and contents; else a statute. `openings`: chapters open a page.
    """

    page: tuple[float, float]
    margins: tuple[float, float, float, float]
    body: Letter
    accent: Colour
    tint: Colour
    motif: str = ""
    columns: int = 1
    gutter: float = 22.0
    leading: float = 1.34
    programme: bool = True
    openings: bool = False
    line_numbers: bool = False

    @property
    def measure(self) -> float:
        """Width of a column."""
        left, _, right, _ = self.margins
        return (self.page[0] - left - right - self.gutter * (self.columns - 1)) / self.columns

    @property
    def line_height(self) -> float:
        """From base line to base line."""
        return self.body.size * self.leading

    def head(self, scale: float, colour: Colour | None = None) -> Letter:
        """A letter for headings, in the accent's colour if none is given."""
        return Letter(self.body.family, self.body.size * scale, colour or self.accent, self.body.ligatures)


_RIVER: Colour = (0.04, 0.36, 0.52)
_MILL: Colour = (0.55, 0.20, 0.10)
_LIGHT: Colour = (0.12, 0.14, 0.36)
_LAW: Colour = (0.12, 0.12, 0.12)

DESIGNS = {
    "river-2025": Design(
        page=A4, margins=(58, 84, 58, 74), columns=2, body=Letter("sans", 10.8), accent=_RIVER,
        tint=(0.88, 0.95, 0.97), motif="waves", leading=1.42,
    ),
    "river-2021": Design(
        page=A5, margins=(46, 60, 46, 54), body=Letter("sans", 9.4), accent=(0.10, 0.45, 0.45),
        tint=(0.90, 0.96, 0.94), motif="waves", leading=1.45,
    ),
    "mill-2025": Design(
        page=A5, margins=(52, 60, 52, 56), body=Letter("serif", 10.8), accent=_MILL,
        tint=(0.98, 0.94, 0.88), motif="sails", leading=1.36, openings=True,
    ),
    "mill-2021": Design(
        page=A5, margins=(72, 62, 46, 56), body=Letter("serif", 10.4), accent=(0.45, 0.26, 0.05),
        tint=(0.97, 0.95, 0.88), motif="sails", leading=1.5, line_numbers=True,
    ),
    "light-2025": Design(
        page=A5, margins=(48, 62, 48, 56), body=Letter("serif", 10.2, ligatures=True), accent=_LIGHT,
        tint=(0.93, 0.94, 0.98), motif="beam", leading=1.38,
    ),
    "light-2021": Design(
        page=A5, margins=(52, 62, 44, 56), body=Letter("sans", 10.2), accent=(0.35, 0.12, 0.38),
        tint=(0.96, 0.92, 0.97), motif="beam", leading=1.45,
    ),
    "gazette": Design(
        page=A4, margins=(92, 92, 92, 84), body=Letter("serif", 11.0), accent=_LAW,
        tint=(0.94, 0.94, 0.94), leading=1.32, programme=False,
    ),
    "leaflet": Design(
        page=A4, margins=(76, 92, 76, 84), body=Letter("sans", 10.2), accent=(0.10, 0.35, 0.22),
        tint=(0.91, 0.96, 0.92), leading=1.45, programme=False,
    ),
}  # fmt: skip
