"""What a question wants to hear: a number, a time, a yes or no. Rules, German and English.

The patterns are closed-class question words (Duden, Grammatik; Quirk et al., A Comprehensive Grammar
of the English Language) followed by what they measure.
"""

import re

_NUMBER_WANTED = re.compile(
    r"""\b(
        wie\s*(viele?n?|hoch|lange|alt|schnell|oft|gro(ß|ss)|teuer|weit|stark|breit)
      | wieviele?|in\s+welche[mr]\s+(alter|höhe|frist|zeit\w*) | ab\s+wann | bis\s+wann | wann
      | welche[rsnm]?\s+(\w+\s+)?(\w*(alter|höhe|frist|betrag|summe|anteil|quote|satz|grenze|zahl|strafe
          |gebühr|preis|aufschlag|zuschlag|tempo|limit|zeitraum|zeitfenster|dauer|prozent\w*|obergrenze|mindest\w+|höchst\w+))
      | how\s+(much|many|long|old|fast|often|soon|large|high|quickly|late|far)
      | when | by\s+when | what\s+(is\s+the\s+)?(\w+\s+){0,3}?
          (fee|fine|penalty|penalties|deposit|rate|share|percentage|amount
          |age|limit|threshold|speed|period|deadline|ceiling|number|price|cost|charge|salary|margin|quorum|size)
      | (below|above|after|within)\s+(which|what|how) | at\s+which\s+(earlier\s+)?(point|age|time)
      | what\s+does\s+.{0,60}\b(earn|cost)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER_WORDS = re.compile(
    r"""\d|\b(
        null|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w*(zehn|zig|hundert|tausend)(s?te[nrsm]?)?
      | million\w*|milliard\w*
      | halb\w*|hälfte|drittel|viertel|doppel\w*|prozent|jährlich|monatlich
      | two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty
      | sixty|seventy|eighty|ninety|hundred|thousand|million|lakh|crore|half|third|quarter|double|twice|once
      | per\s+cent|percent|days|months|years
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)

_NO_AMOUNT = re.compile(
    r"""^\W*\(?(?:\d{1,3}|[a-z]{1,4})[.)]+\s
      | (?:§§?|\b(?:sections?|sub-?sections?|rules?|articles?|clauses?|art(?:ikel|\.)?|abs(?:atz|\.)?|nr\.
          |no\.|satz|chapter|kapitel|schedule|form|page|seite))\s*\(?\d+(?:\s*\(\w+\))*""",
    re.IGNORECASE | re.VERBOSE,
)
"""Numbers that name a place in a text: list marks and references."""


def wants_number(question: str) -> bool:
    """Whether the question asks for a number, an amount or a time."""
    return _NUMBER_WANTED.search(question) is not None


def holds_number(sentence: str) -> bool:
    """Whether a sentence states a number, an amount or a time; list marks and references are none."""
    return _NUMBER_WORDS.search(_NO_AMOUNT.sub(" ", sentence)) is not None
