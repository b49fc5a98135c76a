"""What is no question to a library: greetings, thanks, talk about the bot, errands, advice how to vote.

Rules only, German and English, and narrow ones: whatever could be a question about a document is searched
for. A question about elections, parties or the law on voting is one; only a request to be told whom to
vote for is not.
"""

import re
from enum import StrEnum

from core.registry.names import fold, tokens


class Chatter(StrEnum):
    """What is said; the reply's key is `info.` and this."""

    GREETING = "greeting"
    THANKS = "thanks"
    BYE = "bye"
    HELP = "help"  # also questions about the bot, and what has no words at all
    ERRAND = "errand"  # weather, jokes, code, translations, sums
    VOTING_ADVICE = "voting_advice"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GREETING = _words(
    "hallo hi hey hello moin servus gruess gott guten morgen tag abend good morning afternoon evening day"
    " there dir ihnen euch zusammen liebe lieber gruss gruesse welcome"
)
_THANKS = _words("danke dankeschoen dank thanks thank thx merci cheers")
_BYE = _words("tschuess bye goodbye ciao wiedersehen")
_FILLERS = _words(
    "vielen besten herzlichen schoen you auf ok okay super great prima toll hilfe help please bitte sehr very"
    " much ja nein yes no cool bot test so na nice again nochmal mal"
)
_THANKFUL = _words(
    "a lot lots many fuer die das deine ihre eure schnelle gute antwort auskunft info infos for your the this"
    " quick answer reply information war that was helpful hilfreich und and alles everything"
)
_SMALL_TALK = _GREETING | _THANKS | _BYE | _FILLERS
_MOST_SMALL_TALK = 6
_MOST_THANKS = 9

_HELLO = re.compile(
    r"(?:hallo|hi|hey|hello|moin|servus|guten (?:morgen|tag|abend)|good (?:morning|afternoon|evening|day)"
    r"|gruess gott|bitte|please|und|and|ok|okay)\b[\s,!.:-]*"
)
_ABOUT_US = re.compile(
    r"(?:(?:wer|was) (?:bist|seid) (?:du|ihr)|wie geht(?:'s| es)|was kannst du|wie funktionierst du"
    r"|wie heisst du|wie alt bist du|wer hat dich (?:gemacht|programmiert|gebaut|entwickelt)"
    r"|who are you|what are you|how are you|what can you do|how do you work|what(?:'s| is) your name"
    r"|how old are you|who (?:made|built|programmed|created) you"
    r"|are you (?:an? )?(?:bot|human|robot|ai|chatgpt)"
    r"|bist du (?:eine? )?(?:bot|mensch|roboter|ki|chatgpt)|i love you|ich liebe dich)"
    r"(?: (?:denn|eigentlich|today|doing|heute|so|really|exactly|genau|for me|fuer mich|alles|dir|ihnen|euch"
    r"|or (?:an? )?(?:human|bot|ai)|oder (?:eine? )?(?:mensch|bot|ki)))*\W*$"
)

_LANGUAGES = r"(?:python|java|javascript|typescript|c\+\+|sql|html|css|php|ruby|rust|bash|excel)"
_TONGUES = (
    r"(?:english|german|french|spanish|italian|russian|hindi|turkish|englisch|deutsch|franzoesisch|spanisch"
    r"|italienisch|russisch|tuerkisch)"
)
_THEN = r"(?: (?:like|today|tomorrow|now|outside|heute|morgen|jetzt|draussen|bei euch|in \w+))*\W*$"
_ERRAND = re.compile(
    rf"(?:wie (?:ist|wird)|was macht) (?:das|denn das) wetter{_THEN}"
    rf"|(?:what(?:'s| is)|how(?:'s| is)) the weather{_THEN}"
    r"|regnet es (?:heute|morgen)|will it rain (?:today|tomorrow)"
    r"|(?:erzaehle?|sage?|mach) (?:mir |uns )?(?:bitte )?(?:einen|noch einen) witz"
    r"|(?:tell|give) (?:me|us) (?:a|another) (?:joke|story|riddle)"
    r"|(?:schreibe?|dichte|verfasse) (?:mir |uns )?(?:bitte )?(?:ein(?:e|en)? )?(?:kurze[ns]? |kleine[ns]? )?"
    r"(?:gedicht|lied|geschichte|witz|maerchen)\b"
    r"|(?:write|compose|sing) (?:me |us )?(?:a |an )?(?:short )?(?:poem|song|story|haiku|limerick|joke)\b"
    rf"|(?:write|code) (?:me )?(?:a |an |some )?(?:{_LANGUAGES}\b|code\b(?! of))"
    rf"|(?:schreibe?|programmiere?) (?:mir )?(?:ein(?:e|en)? |etwas )?{_LANGUAGES}\b"
    r"|translate (?:this|the following|it|me|[\"'“„»‘])"
    r"|uebersetze? (?:mir|dies\w*|das hier|folgende\w*|[\"'“„»‘])"
    rf"|how do (?:you|i) say .{{1,40}} in {_TONGUES}\b|was heisst .{{1,40}} auf {_TONGUES}\b"
    r"|(?:what is|was ist|wie ?viel ist|calculate|berechne|rechne) \d[\d\s.,]*(?:[+*x×][\d\s.,]*)+\W*$"
    rf"|what time is it{_THEN}|wie spaet ist es{_THEN}"
    r"|(?:what|which) day is (?:it )?today|welcher tag ist heute"
    r"|(?:play|spiel\w*) (?:me |mir |wir )?(?:a game|music|musik|ein spiel)\b"
)

_CHOOSER = r"(?:i|we|one|you|somebody|someone)"
_ASKED = r"(?:who|whom|(?:which|what) (?:party|candidate))"
_WEN = r"(?:wen|was|wem|wofuer|fuer wen|welche partei|welchen kandidaten|welche kandidatin)"
_ADVICE = (
    # whom should I vote for, which party would you vote for
    rf"\b{_ASKED}(?: the hell)? (?:should|shall|must|ought|would|do) {_CHOOSER} (?:to |really |now |best )?"
    r"(?:vote|support|choose|elect|prefer|recommend|favou?r)\b",
    rf"\bfor (?:whom|which party) (?:should|shall|would) {_CHOOSER} vote\b",
    rf"\b(?:tell|advise|show|help)\b.{{0,25}}\b(?:{_ASKED}|how) (?:to|i should) vote\b",
    rf"\b(?:decide|choose|know) {_ASKED} (?:to|i should) vote\b",
    rf"^\W*{_ASKED} to vote for\b",
    r"\bhow should (?:i|we) vote(?: (?:on sunday|in the (?:next |coming |upcoming )?elections?))?\W*$",
    r"\bshould (?:i|we) (?:rather |really |better )?vote for\b",
    r"\bis it (?:right|wise|better|good|ok) to vote for\b",
    # which party is best, the best party for me
    r"\b(?:which|what) party (?:is|would be|are) (?:the )?(?:good for|(?:best|better|worst|right one)"
    r"(?:\W*$|[,:]| (?:for|on|in|at|to vote|choice|overall|one|party)\b))",
    r"\b(?:who|what|which)(?: is|'s) (?:the )?(?:best|better) (?:party|candidate|choice)\b",
    r"\b(?:is|are) (?:the )?[\w ]{2,30} a (?:good|bad|better) party\b",
    r"\bwhich party (?:best represents|represents) (?:me|us|people like me|my interests)\b",
    r"\bwho should (?:get|have|receive) my vote\b|\bwho should win the election\b|^\W*vote for whom?\W*$",
    r"\b(?:convince|persuade) me to vote\b|^\W*(?:some )?voting (?:advice|recommendation)(?: please)?\W*$",
    r"\b(?:best|right) (?:party|candidate) (?:for (?:me|us|my|someone like me)|to vote for)\b",
    r"\b(?:which|what) (?:party|candidate) (?:fits|suits|matches|deserves) (?:me|us|my|our)\b",
    r"\bwho deserves (?:my|our) vote\b|\byour favou?rite (?:party|candidate|politician)\b",
    r"(?:^\W*|\byou |\bplease )recommend (?:me |us )?(?:a|one|the best|which) (?:party|candidate)\b",
    r"\bgive (?:me|us) .{0,15}\b(?:voting|election) (?:advice|recommendation)\b",
    # wen soll ich wählen, welche Partei würdest du wählen
    rf"\b{_WEN} (?:soll|sollte|sollen|sollten|wuerdest|wuerden|waehlst) (?:ich|man|wir|du|sie|ihr)\b"
    r"[^.?!]{0,40}\b(?:waehlen|stimmen|abstimmen|ankreuzen|stimme geben|unterstuetzen)\b",
    r"\b(?:wen|was|welche partei) (?:waehlst|empfiehlst|bevorzugst|unterstuetzt|magst) du\b",
    r"\bwelche partei (?:empfehlen|bevorzugen) sie (?:mir\b|uns\b|\W*$)",
    r"\bwie soll(?:te)? (?:ich|man) (?:denn |nur |jetzt |am sonntag |bei der (?:naechsten )?\w*wahl )*"
    r"(?:waehlen|abstimmen)\W*$",
    r"\bsoll(?:te)? ich (?:lieber |eher |besser |wirklich )?(?:die|den|fuer die|fuer den) [^.?!]{1,40}"
    r"\b(?:waehlen|stimmen)\W*$",
    r"\bwelche partei (?:ist|waere)(?: denn| eigentlich)? (?:die |am )?"
    r"(?:beste[n]?|besser|richtige|schlechteste)(?:\W*$|[,:]| (?:fuer|bei|in|wahl|partei)\b)",
    r"\bwelche partei (?:ist|waere|passt)(?: etwas| am besten| gut)? (?:fuer|zu) (?:mich|mir|uns)\W*$",
    r"\b(?:beste|richtige|passende) partei (?:fuer|zu) (?:mich|mir|uns)\b",
    r"\b(?:wer|was|welches) ist die beste partei\b|\bist die [\w ]{2,30} eine (?:gute|schlechte) partei\b",
    r"\bwelche partei vertritt (?:mich|uns|meine interessen) am besten\b",
    r"\bwen waehle ich (?:\w+ )?am besten\b",
    r"\b(?:weiss nicht|keine ahnung|unsicher)\b[^.?!]{0,25}\b(?:wen|was|welche partei) ich waehlen soll",
    r"\bwem (?:kann|soll|sollte) ich meine stimme geben\b|\bwer soll(?:te)? die (?:\w*)wahl gewinnen\b",
    r"^\W*(?:bitte )?(?:eine )?wahlempfehlung(?: bitte)?\W*$|\bueberzeug\w* mich\b[^.?!]{0,40}\bwaehlen\b",
    r"\bwer hat (?:meine|unsere) stimme verdient\b|\bdeine lieblingspartei\b",
    r"\bempf(?:iehl|ehle|ehlen sie|ehlt) (?:mir|uns) (?:bitte )?(?:eine|die beste|welche) partei\b",
    r"\b(?:gib|gibst|hast|habt|geben|mach|brauche|moechte|kannst|koennt)\b[^.?!]{0,30}\bwahlempfehlung\b",
    r"\b(?:hilf|helft|helfen sie) (?:mir|uns)\b[^.?!]{0,30}\b(?:wahlentscheidung|(?:wen|was) ich waehlen)\b",
    r"\bsag(?:e|en sie)? (?:mir|uns)\b[^.?!]{0,15}\b(?:wen|was|welche partei) ich waehlen soll",
)
_ADVISING = re.compile("|".join(_ADVICE))


def chatter(text: str) -> Chatter | None:
    """What `text` is if it is no question to the library; None sends it to the search."""
    folded = fold(text).replace("’", "'").strip()
    words = [word.folded for word in tokens(folded)]
    if not words:
        return Chatter.HELP
    if _ADVISING.search(folded):
        return Chatter.VOTING_ADVICE
    if (small := _small_talk(words)) is not None:
        return small
    while (hello := _HELLO.match(folded)) and hello.end() < len(folded):
        folded = folded[hello.end() :]
    if _ABOUT_US.match(folded):
        return Chatter.HELP
    return Chatter.ERRAND if _ERRAND.match(folded) else None


def _small_talk(words: list[str]) -> Chatter | None:
    """Greetings and thanks with nothing else in them."""
    thanks = not _THANKS.isdisjoint(words)
    if thanks and len(words) <= _MOST_THANKS and set(words) <= _SMALL_TALK | _THANKFUL:
        return Chatter.THANKS
    if len(words) > _MOST_SMALL_TALK or not set(words) <= _SMALL_TALK:
        return None
    if not _BYE.isdisjoint(words):
        return Chatter.BYE
    return Chatter.GREETING if words[0] in _GREETING else Chatter.HELP
