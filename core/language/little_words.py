"""Small German and English words, folded, that tell the role of a name or year beside them."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words(
    "die der das dem den des the a an ein eine einer einem einen its their beim zum zur im am vom"
)
"""Skipped when looking for the preposition in front of a name."""

PARTY_TOPIC = _words("mit gegen ueber gegenueber with against about towards zur zum vom")
"""In front of a party that is spoken about."""

PLACE_TOPIC = _words(
    "zu zur zum mit gegen ueber gegenueber nach aus von vom an about with against to toward towards "
    "from on between zwischen ohne without joining leaving"
)
"""In front of a place that is spoken about."""

SOURCE = _words("in im laut within under gemaess per")
"""In front of a place to look in."""

MERGED = _words("zum zur vom beim im am")
"""Preposition and article in one."""

POINT = _words(
    "bis ab seit vor until till by since before after jahr jahre year years ende anfang mitte agenda "
    "horizon januar februar maerz april mai juni juli august september oktober november dezember "
    "january february march may june july october december fruehjahr sommer herbst winter spring summer "
    "autumn stand"
)
"""In front of a year that is a point in time."""

OF_YEAR = _words("aus from im in of s von")
"""Between a party and the year of its programme."""

NEUTRAL = _words("von aus im in the of fuer for zu zur zum at der des")
"""Between a year and the election that it belongs to."""

FRAME = _words(
    "und and aber but oder or was what wie how ist is sind are war mit about bei beim von vom in im of "
    "for fuer die der das den dem des the a an ein eine einen einer es it sie they er he sieht see "
    "sehen aus dort there gilt apply applies sagt say says sagen will wollen want wants meint meinen "
    "think thinks fordert fordern demand demands plant plan plans steht stehen stand do does auch also "
    "so dazu davon hierzu denn jetzt now and then dann haelt position genau case with on to zu zum zur "
    "nach laut according by under gemaess partei party bundesland state land programm programme "
    "manifesto"
)
"""Around a name in a follow-up ("und wie sieht das die FDP?") without asking anything by themselves."""
