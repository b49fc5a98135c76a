"""Falsified and honest variants of a quote, for measuring alignment.

The word lists here are the generator's own and know nothing of the guards' lists in `core/evidence/data`:
a class of falsification that the guards forget must show.
"""

import random
import re
from collections.abc import Callable, Sequence

from tests.support.misspelling import real_word

Falsifier = Callable[[random.Random, list[str], Sequence[str]], list[str] | None]
"""(chance, words of the quote, words of another passage of the document) -> other words, or None."""


def _words(text: str) -> list[str]:
    return text.split()


_DENIALS = {
    "de": [
        "nicht",
        "nie",
        "niemals",
        "keinesfalls",
        "kein",
        "keine",
        "nicht mehr",
        "auf keinen Fall",
        "ohne",
    ],
    "en": ["not", "never", "no", "no longer", "by no means", "not necessarily", "without", "neither"],
}
_DENYING = {
    *_words("nicht nie niemals nichts kein keine keinen keiner keinem keines ohne weder niemand nirgends"),
    *_words("not never no nothing none nobody neither nor without cannot don't doesn't isn't won't shan't"),
}
_MODALS = {
    "de": [
        *_words("muss müssen soll sollen sollte sollten kann können könnte könnten darf dürfen will wollen"),
        *_words("wird werden würde würden mag möchte möchten müsste müssten dürfte"),
    ],
    "en": _words("must shall should will would can could may might"),
}
_QUANTIFIERS = {
    "de": [
        *_words(
            "alle allen einige einigen viele vielen wenige manche mehrere jede jeder jedes kaum fast nur"
        ),
        *_words("mindestens höchstens immer selten manchmal stets teilweise vollständig mehr weniger"),
        *_words("ausschließlich lediglich überwiegend grundsätzlich ausnahmsweise meistens häufig"),
    ],
    "en": [
        *_words("all some many few most every each any several only both always often rarely sometimes"),
        *_words("partly fully mostly more less entirely exclusively generally merely"),
    ],
}
_NAMES = {
    "de": [
        *_words("CDU CSU SPD FDP AfD Grünen GRÜNEN Linke LINKE BSW Volt SSW Piraten ÖDP Union"),
        *_words("Deutschland Frankreich Polen Russland China Israel USA Ukraine Bayern Hessen Sachsen NRW"),
        *_words("Merkel Scholz Merz Habeck Lindner Söder Wagenknecht Weidel Bundestag Bundesrat Landtag EU"),
    ],
    "en": [
        *_words("India Germany France Europe China Gujarat Karnataka Punjab Haryana Goa Delhi Chandigarh"),
        *_words("Labour Conservatives Greens Commission Parliament Council Court Tribunal Authority Board"),
        *_words("Government Ministry Singh Kumar Sharma Patel promoter allottee controller processor"),
    ],
}
_COUNTS = {
    "de": [
        *_words("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig"),
        *_words("sechzig hundert tausend einundzwanzig fünfundvierzig zweihundert anderthalb hunderttausend"),
    ],
    "en": [
        *_words("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty"),
        *_words("fifty sixty ninety hundred thousand twenty-one forty-five"),
    ],
}
_TAILS = {
    "de": [
        "und werden dafür die Mehrwertsteuer auf Lebensmittel im kommenden Jahr deutlich anheben müssen",
        "weshalb der Bau neuer Autobahnen bis zum Ende der Wahlperiode vollständig eingestellt wird",
        "sofern die betroffenen Gemeinden dem in einer Abstimmung mit großer Mehrheit zugestimmt haben",
        "denn die bisherige Regelung hat sich nach übereinstimmender Ansicht aller Fachleute bestens bewährt",
    ],
    "en": [
        "and shall refund the whole amount to every applicant together with a bonus at the end of the year",
        "unless the parties have agreed over the telephone that none of these duties will apply to them",
        "provided that the fee has been paid in cash to the officer on duty before the hearing began",
        "because the earlier arrangement had been praised by all experts and did not need any change",
    ],
}


def falsifiers(language: str) -> dict[str, Falsifier]:
    """All classes of falsification for texts in `language` ("de" or "en")."""
    return {
        "negation added": lambda chance, words, _: _inserted(chance, words, _DENIALS[language]),
        "negation dropped": _negation_dropped,
        "number changed": lambda chance, words, _: _number_changed(chance, words, _COUNTS[language]),
        "number invented": lambda chance, words, _: _number_invented(chance, words, _COUNTS[language]),
        "entity": lambda chance, words, other: _entity(chance, words, _NAMES[language], other),
        "modal": lambda chance, words, _: _exchanged(chance, words, _MODALS[language]),
        "quantifier": lambda chance, words, _: _exchanged(chance, words, _QUANTIFIERS[language]),
        "tail": lambda chance, words, _: _tail(chance, words, _TAILS[language]),
        "splice": _splice,
        "real word": lambda chance, words, _: real_word(chance, words, language),
    }


def _inserted(chance: random.Random, words: list[str], choices: Sequence[str]) -> list[str]:
    at = chance.randrange(1, len(words))
    return [*words[:at], chance.choice(choices), *words[at:]]


def _negation_dropped(chance: random.Random, words: list[str], _: Sequence[str]) -> list[str] | None:
    """At an edge the rest would be a true, shorter quote, so only inside; the rest of a word cut at a line's
    end ("defi- nieren") denies nothing."""
    options: list[list[str]] = []
    for i, word in enumerate(words[:-1]):
        if not i or words[i - 1].endswith(("-", "\u00ad", "\u2010")):
            continue
        bare = word.casefold().strip(".,;:()")
        if bare in _DENYING:
            options.append([*words[:i], *words[i + 1 :]])
        if bare.startswith(("kein", "nie")) and len(bare) > 3:
            options.append([*words[:i], word[1:], *words[i + 1 :]])
        if bare.startswith("un") and len(bare) > 6:
            options.append([*words[:i], word[2:], *words[i + 1 :]])
    return chance.choice(options) if options else None


def _number_changed(chance: random.Random, words: list[str], counts: Sequence[str]) -> list[str] | None:
    places = [i for i, w in enumerate(words) if re.search(r"\d", w) or w.casefold() in counts]
    if not places:
        return None
    at = chance.choice(places)
    word = words[at]
    if word.casefold() in counts:
        new = chance.choice([c for c in counts if c != word.casefold()])
    else:
        new = _other_figure(chance, word)
    return [*words[:at], new, *words[at + 1 :]]


def _other_figure(chance: random.Random, word: str) -> str:
    match = chance.choice(list(re.finditer(r"\d", word)))
    changed = str((int(match[0]) + chance.randint(1, 9)) % 10)
    ways = [
        word[: match.start()] + changed + word[match.end() :],
        word[: match.end()] + chance.choice("0123456789") + word[match.end() :],
        word[: match.end()] + chance.choice(",.") + str(chance.randint(1, 9)) + word[match.end() :],
    ]
    return chance.choice(ways)


def _number_invented(chance: random.Random, words: list[str], counts: Sequence[str]) -> list[str]:
    number = chance.randint(2, 9999)
    figure = chance.choice(
        [str(number), f"{number} %", f"{number} €", f"{number / 10:.1f}", chance.choice(counts)]
    )
    return _inserted(chance, words, [figure])


def _entity(
    chance: random.Random, words: list[str], names: Sequence[str], other: Sequence[str]
) -> list[str] | None:
    known = [
        i for i, word in enumerate(words) if word.strip(".,;:()").casefold() in {n.casefold() for n in names}
    ]
    capital = [i for i, word in enumerate(words) if i and word[:1].isupper() and len(word) > 3]
    places = known or capital
    if not places:
        return None
    at = chance.choice(places)
    capitals = [word for word in other if word[:1].isupper() and word.isalpha() and len(word) > 3]
    new = chance.choice([*names, *capitals[:8]])
    if new.casefold() == words[at].strip(".,;:()").casefold():
        return None
    return [*words[:at], chance.choice([new, new, new.lower(), new.upper()]), *words[at + 1 :]]


def _exchanged(chance: random.Random, words: list[str], group: Sequence[str]) -> list[str]:
    """One word of the group for another, or dropped, or one put in where the quote has none.

    Only inside: a word dropped at an edge leaves a true, shorter quote.
    """
    places = [i for i, word in enumerate(words) if word.casefold() in group and 0 < i < len(words) - 1]
    if not places:
        return _inserted(chance, words, group)
    at = chance.choice(places)
    if chance.random() < 0.3:
        return [*words[:at], *words[at + 1 :]]
    new = chance.choice([word for word in group if word != words[at].casefold()])
    return [*words[:at], new, *words[at + 1 :]]


def _tail(chance: random.Random, words: list[str], tails: Sequence[str]) -> list[str]:
    keep = max(5, round(len(words) * chance.uniform(0.5, 0.9)))
    return [*words[:keep], *chance.choice(tails).split()[: chance.randint(4, 16)]]


def _splice(chance: random.Random, words: list[str], other: Sequence[str]) -> list[str] | None:
    if len(other) < 10:
        return None
    return [*words[: len(words) // 2], *other[len(other) // 2 :]]


def honest(chance: random.Random, words: Sequence[str], *, shorten: bool = True) -> tuple[str, str]:
    """(kind, text): the same words in another typography, or with some left out behind an ellipsis."""
    kinds = [*_TYPOGRAPHY, "ellipsis"] if shorten and len(words) >= 30 else list(_TYPOGRAPHY)
    kind = chance.choice(kinds)
    return kind, _ellipsis(chance, words) if kind == "ellipsis" else _TYPOGRAPHY[kind](chance, list(words))


def _ellipsis(chance: random.Random, words: Sequence[str]) -> str:
    left_out = chance.randint(13, len(words) - 14)
    start = chance.randint(7, len(words) - left_out - 7)
    mark = chance.choice([" ... ", " […] ", " [...] ", "… ", " (...) "])
    return " ".join(words[:start]) + mark + " ".join(words[start + left_out :])


def _white_space(chance: random.Random, words: list[str]) -> str:
    return "".join(word + chance.choice([" ", "  ", "\t", "\u00a0", " \n"]) for word in words)


def _broken_lines(chance: random.Random, words: list[str]) -> str:
    out = []
    for word in words:
        if len(word) > 8 and word.isalpha() and chance.random() < 0.3:
            at = chance.randint(3, len(word) - 3)
            out.append(word[:at] + "-\n" + word[at:])
        else:
            out.append(word)
    return " ".join(out)


def _soft_hyphens(chance: random.Random, words: list[str]) -> str:
    return " ".join(w[: len(w) // 2] + "\u00ad" + w[len(w) // 2 :] if len(w) > 6 else w for w in words)


def _quote_marks(chance: random.Random, words: list[str]) -> str:
    opening, closing = chance.choice([("„", "“"), ('"', '"'), ("»", "«"), ("“", "”"), ("'", "'")])
    text = " ".join(words)
    for mark in "„“”‚‘’«»\"'":
        text = text.replace(mark, chance.choice(["'", "’", '"']) if mark in "’'" else "'")
    return opening + text + closing


def _dashes(chance: random.Random, words: list[str]) -> str:
    return re.sub("[–—-]", chance.choice(["–", "—", "-", "‑", "−"]), " ".join(words))


def _ligatures(chance: random.Random, words: list[str]) -> str:
    text = " ".join(words)
    for plain, joined in (("ffi", "ﬃ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ß", "ss")):
        text = text.replace(plain, joined)
    return text


_TYPOGRAPHY: dict[str, Callable[[random.Random, list[str]], str]] = {
    "upper case": lambda _, words: " ".join(words).upper(),
    "lower case": lambda _, words: " ".join(words).lower(),
    "quotation marks": _quote_marks,
    "dashes": _dashes,
    "hyphens left out": lambda _, words: re.sub(r"(?<=[a-zäöü])-(?=[a-zäöüA-Z])", "", " ".join(words)),
    "ligatures": _ligatures,
    "white space": _white_space,
    "broken lines": _broken_lines,
    "soft hyphens": _soft_hyphens,
    "closing stop": lambda _, words: " ".join(words).rstrip(".,;:") + ".",
}
