"""What a question wants to hear: a number, a time, a yes or no. Rules, German and English.

The patterns are closed-class question words (Duden, Grammatik; Quirk et al., A Comprehensive Grammar
of the English Language) followed by what they measure.
"""

import re

_NUMBER_WANTED = re.compile(
    r"""\b(
        wie\s*(viele?n?|hoch|lange|alt|schnell|oft|früh|spät|gro(ß|ss)|teuer|weit|stark|breit)
      | wieviele?|(in|bis\s+zu)\s+welche[mr]\s+(alter|höhe|frist|zeit\w*|jahr|klasse)
      | ab\s+wann | bis\s+wann | wann
      | (?<!,\s)was\s+(\w+\s+){0,8}?(kosten|kostet|bezahlen|zahlen|zahlt|verdien(en|t))
      | welche[rsnm]?\s+(\w+\s+)?(\w*(alter|höhe|frist|betrag|summe|anteil|quote|satz|grenze|zahl|strafe
          |gebühr|preis|aufschlag|zuschlag|tempo|limit|zeitraum|zeitfenster|dauer|prozent\w*|obergrenze|mindest\w+|höchst\w+))
      | how\s+(much|many|long|old|fast|often|soon|early|large|high|quickly|late|far)
      | when | by\s+when | (what|which)\s+(is\s+the\s+)?(\w+\s+){0,3}?
          (fee|fine|penalty|penalties|deposit|rate|share|percentage|amount
          |age|limit|threshold|speed|period|deadline|ceiling|number|price|cost|charge|salary|margin|quorum|size|year|grade)
      | (below|above|after|within)\s+(which|what|how) | at\s+which\s+(earlier\s+)?(point|age|time)
      | what\s+(do|does|did|would|will|must|should|may|can)\s+.{0,60}\b(earn|cost|pay|charge)
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

_OPEN = re.compile(
    r"""\b(
        was\s+(\w+\s+){0,6}?(sag(t|en)|steh(t|en)|schreib(t|en)|mein(t|en)|denk(t|en)|h(ä|a)lt(en)?|forder(t|n)
          |will|wollen|plan(t|en)|versprech(t|en)|verspricht|schl(ä|a)g(t|en)|sieht|sehen|tut|tun|unternehmen
          |unternimmt|ändern)
      | (wie|wo)\s+(steh(t|en)|h(ä|a)lt(en)?|sieht|sehen|denk(t|en))
      | welche[nrs]?\s+(\w+\s+)?(position(en)?|haltung(en)?|meinung(en)?|pl(ä|a)ne|forderung(en)?|maßnahmen
          |vorschl(ä|a)ge|ziele|politik)
      | what\s+(do|does|did|would|will)\s+.{0,60}\b(say|want|think|plan|propose|promise|demand|write|do)
      | what\s+(is|are|was|were)\s+.{0,40}\b(positions?|stances?|polic(y|ies)|views?|plans?|proposals?)
      | where\s+(do|does|did)\s+.{0,60}\bstand
      | how\s+(do|does|did)\s+.{0,60}\b(see|view|think|feel)
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

_MONEY_WANTED = re.compile(
    r"""\b(cost|costs|fee|fees|pay|paid|price|salary|earn|fine|penalty|penalties|deposit|charge|charges|amount
      |kostet|kosten|gebühr\w*|zahlen|bezahlen|preis|gehalt|verdient|strafe|geldbuße|bußgeld|betrag|teuer
      |mindestlohn|vergütung)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_MONEY = re.compile(
    r"""[€$£₹%]|\b(euros?|dollars?|rupees?|rs|inr|lakhs?|crores?|t(?:h)?alers?|cents?|per\s*cent|percent|prozent
      |fees?|charges?|price|cost|deposits?|salary|fines?|penalt\w+|paid|pay|payable
      |gebühr\w*|kosten|kostet|preis\w*|entgelt\w*|betr[aä]g\w*|zahl(?:en|t|ung\w*)|geldbuße\w*|lohn|gehalt\w*)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_AGE_WANTED = re.compile(r"\b(wie\s+alt|\w*alters?|how\s+old|ages?)\b", re.IGNORECASE)
_AGE = re.compile(
    r"\b(lebensjahr\w*|jahre?\s+alt|\w*alters?|\w*jährige?[nrs]?|ab\s+\d+|years\s+of\s+age|years\s+old|aged?|ages)\b",
    re.IGNORECASE,
)
_TIME_WANTED = re.compile(
    r"""\b(when|how\s+(long|soon|late|quickly|often)|how\s+many\s+(days|weeks|months|years)|deadline|period|until
      |wann|wie\s+(lange|schnell|oft|viele\s+(tage|wochen|monate|jahre))|\w*frist\w*|zeitraum|zeitfenster|dauer)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_TIME = re.compile(
    r"""\b((?:19|20)\d\d|hours?|days?|weeks?|months?|years?|quarter|stunden?|tage?n?|wochen?|monat\w*|jahr\w*
      |täglich|jährlich|monatlich|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember
      |january|february|march|may|june|july|october|december)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def answers_amount(question: str, sentence: str) -> float:
    """How well a sentence fits what a question wants to have counted: 0 where it states no amount or
    none is wanted, 1 where it states one of the kind asked for (age, money, time), else one half."""
    if not wants_number(question) or not holds_number(sentence):
        return 0.0
    for wanted, stated in ((_AGE_WANTED, _AGE), (_MONEY_WANTED, _MONEY), (_TIME_WANTED, _TIME)):
        if wanted.search(question):
            return 1.0 if stated.search(sentence) else 0.5
    return 0.75


def asks_openly(question: str) -> bool:
    """Whether the question asks for whatever is said about a topic, not for one thing."""
    return _OPEN.search(question) is not None and not wants_number(question)


def wants_number(question: str) -> bool:
    """Whether the question asks for a number, an amount or a time."""
    return _NUMBER_WANTED.search(question) is not None


def holds_number(sentence: str) -> bool:
    """Whether a sentence states a number, an amount or a time; list marks and references are none."""
    return _NUMBER_WORDS.search(_NO_AMOUNT.sub(" ", sentence)) is not None
