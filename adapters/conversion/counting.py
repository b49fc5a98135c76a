"""List numbers as written by word processors and browsers. Runs in the child."""

from collections.abc import Callable

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MOST_ROMAN = 3999
_LETTERS = 26
_MOST_REPEATED = 10 * _LETTERS


def roman(number: int) -> str:
    """i, ii, iii, iv."""
    if not 0 < number <= _MOST_ROMAN:
        return str(number)
    written = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written += count * letters
    return written


def counted(number: int) -> str:
    """a, b, ..., z, aa, ab: as browsers and LibreOffice go on."""
    if number < 1:
        return str(number)
    written = ""
    while number:
        number, at = divmod(number - 1, _LETTERS)
        written = chr(ord("a") + at) + written
    return written


def repeated(number: int) -> str:
    """a, b, ..., z, aa, bb: as Word goes on."""
    if not 0 < number <= _MOST_REPEATED:
        return str(number)
    times, at = divmod(number - 1, _LETTERS)
    return (times + 1) * chr(ord("a") + at)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


WRITTEN: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimal-leading-zero": lambda number: f"{number:02d}",
    "lower-alpha": counted,
    "lower-latin": counted,
    "lower-roman": roman,
    "upper-alpha": lambda number: counted(number).upper(),
    "upper-latin": lambda number: counted(number).upper(),
    "upper-roman": lambda number: roman(number).upper(),
}
"""How a number is written, by its name in CSS (Counter Styles Level 3)."""
