"""Quotes cut so that they mislead, and quotes with harmless omissions: by class, in German, English and
French, for measuring the verdicts on them.

The patterns and phrases here are the generator's own and know nothing of the guards' in `core/evidence`. Some
classes cut sentences as they stand in documents, others plant a real sentence in a longer one. Phrases are
dealt out in turn, so that those of one half of the documents are never those of the other.
"""

import random
import re
from collections.abc import Callable, Sequence

Made = tuple[str, str]
"""The text of a page, and the quote of it."""
Maker = Callable[[random.Random, str, str, int], Made | None]
"""(chance, sentence, language, half: 0 or 1) -> the resulting case, None if that is impossible."""

_LETTERS = 24
_MARKS = ["...", "[...]", "…", "[…]", "(...)"]

_SMALL = {
    "de": r"(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|unser|unsere|unseren|alle|viele)",
    "en": r"(?:the|a|an|our|all|any|every|each)",
    "fr": r"(?:le|la|les|un|une|des|notre|nos)",
}
_WISHES = {
    "de": [
        "Die Kommission empfiehlt, dass",
        "Der Verband wünscht sich, dass",
        "Andere planen, dass",
        "Die Gewerkschaft schlägt vor:",
        "Nach den Plänen der Nachbarn gilt:",
        "Die Bundesregierung beabsichtigt, dass",
        "Der Beirat regt an, dass",
        "Im Entwurf der Koalition steht:",
        "Ginge es nach den Konzernen, hieße es:",
        "Ein Gutachten rät dazu, dass",
        "Die Opposition strebt an, dass",
        "Im Antrag der Fraktion heißt es:",
        "Der Rat hat vorgesehen, dass",
        "Mancher träumt davon, dass",
        "Die Nachbarländer bitten darum, dass",
        "Das Institut legt uns nahe, dass",
    ],
    "en": [
        "The commission recommends that",
        "The association wishes that",
        "Others plan that",
        "The union proposes:",
        "Under the plans of our neighbours,",
        "The government intends that",
        "The council would like to see that",
        "The draft of the coalition reads:",
        "If the companies had their way,",
        "An expert report advises that",
        "The opposition is seeking to ensure that",
        "The motion of the group reads:",
        "The panel has envisaged that",
        "Some dream that",
        "The neighbouring states ask that",
        "The institute urges that",
    ],
    "fr": [
        "La commission recommande que",
        "Le syndicat souhaite que",
        "D'autres prévoient que",
        "L'association propose :",
        "Selon les projets des voisins,",
        "Le gouvernement envisage que",
        "Le conseil voudrait que",
        "Le texte de la coalition dit :",
    ],
}
_WISHED = {
    "de": [
        ", so der Plan der Nachbarn",
        ", wünscht sich der Verband",
        " – so will es die Kommission",
        ", wenn es nach den Konzernen geht",
        ", empfiehlt der Beirat",
        ", lautet ein Vorschlag der Union",
    ],
    "en": [
        ", under a plan of our neighbours",
        ", the association hopes",
        " - that is what the commission wants",
        ", if the companies have their way",
        ", the panel recommends",
        ", reads a proposal of the union",
    ],
    "fr": [
        ", selon le projet des voisins",
        ", souhaite le syndicat",
        " – c'est le vœu de la commission",
        ", recommande le conseil",
    ],
}
_PAST = {
    "de": [
        "Bis zum Jahr 2009 galt:",
        "Früher hieß es:",
        "In der vorletzten Wahlperiode lautete der Beschluss:",
        "Vor der Reform stand im Gesetz:",
        "Unter der alten Regierung galt:",
        "In den neunziger Jahren war es so:",
        "Zu Zeiten unserer Großeltern galt noch:",
        "Im letzten Jahrhundert war die Regel:",
    ],
    "en": [
        "Until 2009 the rule was:",
        "In the past it was said:",
        "In the last but one term the decision read:",
        "Before the reform the law read:",
        "Under the old government it held that",
        "Back in the nineties",
        "In our grandparents' time",
        "During the last century",
    ],
    "fr": [
        "Jusqu'en 2009, la règle était :",
        "Autrefois,",
        "Avant la réforme, la loi disait :",
        "Sous l'ancien gouvernement,",
    ],
}
_PASSED = {
    "de": [
        ", so war es bis zum Jahr 2009",
        ", damals jedenfalls",
        ", bis die Reform kam",
        " – in der vorletzten Wahlperiode",
    ],
    "en": [
        ", as it was until 2009",
        ", back then at any rate",
        ", until the reform came",
        " - in the last but one term",
    ],
    "fr": [
        ", comme c'était le cas jusqu'en 2009",
        ", à l'époque du moins",
        ", jusqu'à la réforme",
        " – sous l'ancien gouvernement",
    ],
}
_HYPOTHESES = {
    "de": [
        "Angenommen,",
        "Gesetzt den Fall,",
        "Stellen wir uns vor:",
        "In einem denkbaren Szenario gilt:",
        "Nehmen wir einmal an:",
        "Unterstellt,",
        "Im ungünstigsten Verlauf:",
        "Rein theoretisch:",
    ],
    "en": [
        "Suppose",
        "Let us imagine:",
        "In a conceivable scenario,",
        "Let us assume for a moment:",
        "Hypothetically,",
        "In the worst case,",
        "Imagine that",
        "Purely in theory,",
    ],
    "fr": ["Supposons que", "Imaginons :", "Dans un scénario concevable,", "En théorie,"],
}
_EXCEPTIONS = {
    "de": [
        ", mit Ausnahme der Inseln",
        " – bis auf die kleinen Orte",
        ", sieht man von den Häfen ab",
        ", wobei die Städte davon befreit sind",
        ", ausgenommen die Landkreise",
        ", es sei denn, der Rat beschließt anderes",
        ", von besonderen Fällen abgesehen",
        ", die Grenzgebiete bleiben davon unberührt",
    ],
    "en": [
        ", with the exception of the islands",
        " - save for small towns",
        ", leaving aside the harbours",
        ", the cities being exempt from it",
        ", apart from the counties",
        ", unless the council decides otherwise",
        ", special cases aside",
        ", border regions remaining unaffected",
    ],
    "fr": [
        ", à l'exception des îles",
        " – sauf dans les petites communes",
        ", ports mis à part",
        ", les villes en étant exemptées",
    ],
}
_GROUPS = {
    "de": [
        " für Haushalte mit kleinem Einkommen",
        ", jedenfalls bei Betrieben mit mehr als zehn Beschäftigten",
        " zugunsten von Familien mit drei Kindern",
        ", was für Beamte gilt",
        " bei Neubauten",
        ", bezogen auf ländliche Gemeinden",
        " gegenüber Wiederholungstätern",
        ", sofern Ältere betroffen sind",
    ],
    "en": [
        " for households with a small income",
        ", at any rate in firms with more than ten employees",
        " in favour of families with three children",
        ", which holds for civil servants",
        " in new buildings",
        ", with regard to rural communities",
        " as against repeat offenders",
        ", where older people are concerned",
    ],
    "fr": [
        " pour les ménages modestes",
        ", du moins dans les entreprises de plus de dix salariés",
        " en faveur des familles nombreuses",
        " dans les bâtiments neufs",
    ],
}
_CONNECTIVES = {
    "de": [
        "Deshalb",
        "Daher",
        "Außerdem",
        "Zudem",
        "Darum",
        "Auch",
        "Darüber hinaus",
        "Ferner",
        "Dazu",
        "Zugleich",
        "Dabei",
        "Hierzu",
        "Ebenso",
        "Nicht zuletzt",
        "Aus diesem Grund",
        "Dennoch",
        "Und",
        "Aber",
        "Denn",
        "Doch",
        "Deswegen",
        "Gleichzeitig",
        "Schließlich",
        "Somit",
        "Allerdings",
        "Weiterhin",
        "Jedoch",
        "Insgesamt",
        "Vor diesem Hintergrund",
        "Im Gegenzug",
    ],
    "en": [
        "Therefore,",
        "In addition,",
        "Moreover,",
        "However,",
        "Furthermore,",
        "Also,",
        "And",
        "But",
        "Accordingly,",
        "Nevertheless,",
        "Consequently,",
        "Similarly,",
        "Thus,",
        "Hence,",
        "In particular,",
        "As a result,",
        "For example,",
        "Likewise,",
        "Finally,",
        "For this reason,",
        "In this context,",
        "Indeed,",
        "In other words,",
        "In this regard,",
    ],
    "fr": [
        "Par conséquent,",
        "En outre,",
        "De plus,",
        "Toutefois,",
        "Ainsi,",
        "Cependant,",
        "Par ailleurs,",
        "Enfin,",
        "C'est pourquoi",
    ],
}
_REASONS = {
    "de": [
        ", um die Menschen vor Ort zu entlasten",
        ", weil das allen zugutekommt",
        ", damit niemand benachteiligt wird",
        ", denn das ist eine Frage der Gerechtigkeit",
        ", da sich die Lage so verbessern lässt",
        ", um Vertrauen zu schaffen",
        ", weil wir den Zusammenhalt stärken wollen",
        ", damit das Leben einfacher wird",
    ],
    "en": [
        " in order to relieve people locally",
        ", because everybody benefits from it",
        ", so that the burden is shared fairly",
        " because it is a question of justice",
        ", in order to build trust",
        " so that life becomes easier",
        ", because we want to strengthen our communities",
        ", so as to make life easier",
    ],
    "fr": [
        ", afin de soulager les habitants",
        ", parce que tout le monde y gagne",
        ", afin que la charge soit partagée",
        ", car c'est une question de justice",
    ],
}
_SECOND = {
    "de": [
        ", und wir stärken die Vereine am Ort",
        " und wir stehen zu unserem Wort",
        ", und die Gemeinden erhalten eine Stimme im Rat",
        ", und der Hafen bekommt eine Brücke",
        "; wir bauen die Straßen aus",
        ", aber wir hören auf die Menschen",
        ", und die Bahn fährt wieder ans Ufer",
        " und der Bund trägt die Kosten der Brücken",
    ],
    "en": [
        ", and we will strengthen the local clubs",
        " and we keep our word",
        ", and the towns will have a voice in the council",
        ", and the harbour will get a bridge",
        "; we will extend the roads",
        ", but we listen to people",
        ", and the railway will return to the shore",
        " and the federation will pay for bridges",
    ],
    "fr": [
        ", et nous renforçons les associations",
        " et nous tenons parole",
        ", et les communes auront une voix au conseil",
        " ; nous construisons des routes",
    ],
}
_EXAMPLES = {
    "de": [
        ", etwa Theater und Museen",
        ", zum Beispiel Vereine und Schulen",
        ", insbesondere Büchereien",
        ", darunter Häfen und Werften",
        ", beispielsweise Turnhallen",
        " – zum Beispiel Werkstätten",
    ],
    "en": [
        ", such as theatres and museums",
        ", for example clubs and schools",
        ", including libraries",
        ", in particular harbours",
        ", for instance gyms",
        " - for example workshops",
    ],
    "fr": [
        ", par exemple des théâtres",
        ", notamment des bibliothèques",
        ", tels que des ports",
        ", en particulier des ateliers",
    ],
}
_APPOSED = {
    "de": [
        ", ein Erfolg der ganzen Region",
        " – ein wichtiger Schritt",
        ", eine große Aufgabe",
        ", ein Zeichen der Vernunft",
        ", ein Gewinn",
        ", eine alte Tradition unseres Landes",
    ],
    "en": [
        ", a success of the whole region",
        " - an important step",
        ", a great task",
        ", a sign of reason",
        ", a real gain",
        ", an old tradition of our country",
    ],
    "fr": [
        ", un succès de toute la région",
        " – une étape importante",
        ", une grande tâche",
        ", un signe de raison",
    ],
}
_BRACKETED = {
    "de": [
        "(im Folgenden: Vorhaben)",
        "(siehe Seite 12)",
        "(„Leitlinie“)",
        "(vgl. § 7)",
        "(kurz: Programm)",
        "(Kapitel 3)",
    ],
    "en": [
        "(hereinafter the scheme)",
        "(see page 12)",
        "(“the Scheme”)",
        "(cf. section 7)",
        "(in short: the programme)",
        "(chapter 3)",
    ],
    "fr": [
        "(ci-après le projet)",
        "(voir page 12)",
        "(« le projet »)",
        "(cf. article 7)",
        "(en bref : le programme)",
        "(chapitre 3)",
    ],
}
_LIMITING = {
    "de": [
        "(Erwachsene)",
        "(an Werktagen)",
        "(Altverträge)",
        "(Innenstadt)",
        "(ländlicher Raum)",
        "(Sommer)",
    ],
    "en": ["(adults)", "(weekdays)", "(old contracts)", "(city centre)", "(rural areas)", "(in summer)"],
    "fr": [
        "(adultes)",
        "(en semaine)",
        "(anciens contrats)",
        "(centre-ville)",
        "(zones rurales)",
        "(en été)",
    ],
}
_ALLOWED = {
    "de": [
        "Die Polizei darf {} ohne Anordnung durchsuchen",
        "Der Träger kann {} an Dritte weitergeben",
        "Die Ämter dürfen {} zeitweise sperren",
        "Das Ministerium kann {} vorläufig aussetzen",
    ],
    "en": [
        "The police may search {} without a warrant",
        "The operator can pass {} on to third parties",
        "Officials may close {} for a time",
        "The ministry can suspend {} for now",
    ],
    "fr": [
        "La police peut fouiller {} sans mandat",
        "L'exploitant peut céder {} à des tiers",
        "Les services peuvent fermer {} un temps",
        "Le ministère peut suspendre {} pour le moment",
    ],
}
_PURPOSES = {
    "de": [
        ", um eine Gefahr abzuwehren",
        ", damit die Wahl stattfinden kann",
        ", um einem Gericht zu helfen",
        ", damit niemand verletzt wird",
    ],
    "en": [
        " in order to avert a danger",
        " so that the election can be held",
        ", so as to help a court",
        ", so that nobody is hurt",
    ],
    "fr": [
        " afin d'écarter un danger",
        " pour que l'élection ait lieu",
        " afin d'aider un tribunal",
        ", afin que personne ne soit blessé",
    ],
}
_BEGINS_CLAUSE = re.compile(r"[,;] (?:und|and|et|aber|but|mais) ", re.IGNORECASE)
_TIME = re.compile(
    r"^(?:(?:In|Im|Seit|Bis|Nach|Vor|Am|Ab|Zum|During|Since|Until|Before|After|By|On|From|Within|For)\b"
    r"[^,;:.]{0,60}?\b(?:Jahr|Jahre|Jahren|Jahres|Monat\w*|Wochen|Tage\w*|Jahrhundert\w*|"
    r"Jahrzehnt\w*|Legislatur\w*|Wahlperiode|Krise|Zeit|"
    r"years?|months?|weeks?|days?|century|decades?|term|period|time|date|\d{4})|(?:Früher|"
    r"Bisher|Bislang|Damals|Heute|Derzeit|Gestern|Formerly|Previously|Currently|Today|"
    r"\d{4}))\b,? (?=\w)"
)
_TIME_BEHIND = re.compile(
    r"(?:,? (?:bis|ab|seit|im Jahr|in den Jahren|vor|nach|während|until|since|by|from|"
    r"within|before|after|during|for a period of) "
    r"[^,;:.]{0,40}?(?:\d{4}|Jahr\w*|Monat\w*|Wochen?|Tage?n?|years?|months?|weeks?|days?))[^,;:]{0,40}\.$"
)
_RELATIVE = re.compile(
    r", (?:die|der|das|deren|denen|dessen|welche[rsn]?) [^,;.]+[.]$|(?<=[a-z]) (?:who|"
    r"which|that|whose|whom) [^,;.]+\.$"
)
_FOR_WHOM = re.compile(
    r" (?:für|bei|gegenüber|zugunsten|mit|ohne|for|with|without|against|among|to) [^,;:]{4,80}\.$"
)
_PERMISSION = re.compile(
    r"\b(?:d[aü]rf\w*|k[aoö]nn\w*|erlaub\w*|zulässig|berechtigt|may|might|can|could|allowed|permitted|entitled|"
    r"authori[sz]ed|peu\w+|pourr\w+|autorisé\w*)\b"
)
_VERB_OBJECT = {
    "de": re.compile(
        r"^(?P<one>(?:Wir|Die [A-ZÄÖÜ]\w+|Sie|Es) \w+(?:en|"
        r"t)) (?P<object>[^,;:]{6,}?),? und (?P<two>[a-zäöüß]+(?:en|"
        r"t)) (?P<other>[^,;:]{12,})\.$"
    ),
    "en": re.compile(
        r"^(?P<one>(?:We|The \w+|It|They)(?: \w+)? (?:will|shall|may|must|should|"
        r"can) \w+) (?P<object>[^,;:]{6,}?),? and (?P<two>[a-z]{4,}) (?P<other>(?:the|a|an|any|"
        r"such|our|all|its)\b[^,;:]{8,})\.$"
    ),
}


def classes() -> dict[str, Maker]:
    """Quotes that mislead."""
    return {
        "another's wish, before": _planted(_WISHES, None),
        "another's wish, behind": _planted(None, _WISHED),
        "past time, planted": _planted(_PAST, _PASSED),
        "past time, real": _time,
        "exception": _planted(None, _EXCEPTIONS),
        "hypothesis": _planted(_HYPOTHESES, None),
        "group, planted": _planted(None, _GROUPS),
        "group, real": _restriction,
        "limiting bracket": _bracket(_LIMITING),
        "purpose of what is allowed": _purpose_of_permission,
        "subject and predicate": _subject_and_predicate,
        "verb and object": _verb_and_object,
        "amount": _amount,
        "object cut off": _half_enumeration,
        "anywhere": _anywhere,
    }


def harmless() -> dict[str, Maker]:
    """Quotes with harmless omissions."""
    return {
        "connective": _connective,
        "reason, planted": _reason_planted,
        "reason, real": _reason,
        "second clause, planted": _planted(None, _SECOND),
        "examples": _planted(None, _EXAMPLES),
        "apposition": _planted(None, _APPOSED),
        "bracket": _bracket(_BRACKETED),
        "bracket, real": _real_bracket,
    }


def over_an_end(chance: random.Random, one: str, other: str) -> Made | None:
    """Two sentences as one, with an ellipsis over the end between them."""
    first, second = one.split(), other.split()
    if min(len(first), len(second)) < 6:
        return None
    kept = first[: chance.randint(3, len(first) - 1)], second[chance.randint(1, len(second) - 3) :]
    if chance.random() < 0.3:
        kept = first, second[1:]
    return _checked(f"{one} {other}", f" {chance.choice(_MARKS)} ".join(map(" ".join, kept)))


def _dealt(chance: random.Random, phrases: Sequence[str], half: int) -> str:
    return chance.choice(phrases[half::2])


def _checked(text: str, quote: str) -> Made | None:
    said = quote.strip(" ,;:–-")
    return (text, said) if sum(map(str.isalnum, said)) >= _LETTERS else None


def _planted(fronts: dict[str, list[str]] | None, tails: dict[str, list[str]] | None) -> Maker:
    """A whole sentence behind one of `fronts` or before one of `tails`, quoted alone."""

    def make(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
        said = sentence.rstrip(".!")
        if said.endswith("?") or not said[:1].isalpha() or _ends_open(said):
            return None
        if fronts and (not tails or chance.random() < 0.5):
            front = _dealt(chance, fronts[language], half)
            return _checked(f"{front} {said}.", said)
        return _checked(f"{said}{_dealt(chance, tails[language], half)}.", said) if tails else None

    return make


def _ends_open(said: str) -> bool:
    return bool(re.search(r"[:;,–-]$|\($", said))


def _time(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    found = _TIME.match(sentence)
    if found and chance.random() < 0.7:
        return _checked(sentence, sentence[found.end() :])
    behind = _TIME_BEHIND.search(sentence)
    return _checked(sentence, sentence[: behind.start()]) if behind and behind.start() > 30 else None


def _restriction(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    found = (_RELATIVE if chance.random() < 0.5 else _FOR_WHOM).search(sentence)
    return _checked(sentence, sentence[: found.start()]) if found and found.start() > 25 else None


def _subject_and_predicate(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    joints = list(re.finditer(r", (?:und |and |et |während |while |aber |but )?", sentence))
    words = sentence.split()
    if not joints or len(words) < 10:
        return None
    joint = chance.choice(joints)
    behind = sentence[joint.end() :].split()
    if len(behind) < 6 or joint.start() < 15:
        return None
    first = words[: chance.randint(2, 3)]
    return _checked(
        sentence, f"{' '.join(first)} {chance.choice(_MARKS)} {' '.join(behind[chance.randint(1, 2) :])}"
    )


def _verb_and_object(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    found = _VERB_OBJECT[language].match(sentence) if language in _VERB_OBJECT else None
    if found is None:
        return None
    return _checked(sentence, f"{found['one']} {chance.choice(_MARKS)} {found['other']}")


def _amount(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    found = [
        *re.finditer(
            r"\b(?:bis zu|rund|mindestens|höchstens|mehr als|weniger als|maximal|up to|at least|"
            r"at most|about|less than|more than|not less than) (?=\d)",
            sentence,
        )
    ]
    if not found:
        return None
    at = chance.choice(found)
    behind = sentence[at.end() :]
    return _checked(
        sentence,
        f"{sentence[: at.start()]}{chance.choice(_MARKS)} {behind}"
        if at.start() > 20 and chance.random() < 0.6
        else behind,
    )


def _half_enumeration(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    """Up to "and" in the middle of what is enumerated: who else, what else is gone."""
    found = re.search(rf" (?:und|sowie|and|or|oder|et|ou) (?:{_SMALL[language]} )?[\w-]+\.$", sentence)
    return _checked(sentence, sentence[: found.start()]) if found and found.start() > 25 else None


def _anywhere(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    """A few words in the middle gone, or all from some word on."""
    words = sentence.split()
    if len(words) < 9:
        return None
    at = chance.randint(3, len(words) - 4)
    kind = chance.randint(0, 2)
    if kind == 0:
        return _checked(sentence, " ".join(words[:at]))
    if kind == 1:
        return _checked(sentence, " ".join(words[at:]))
    end = min(at + chance.randint(1, 6), len(words) - 2)
    return _checked(sentence, f"{' '.join(words[:at])} {chance.choice(_MARKS)} {' '.join(words[end:])}")


def _connective(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    for front in sorted(_CONNECTIVES[language][half::2], key=len, reverse=True):
        if sentence.startswith(f"{front} "):
            return _checked(sentence, sentence[len(front) + 1 :])
    return None


def _reason_planted(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    """What is allowed for a reason may be allowed for it alone."""
    if _PERMISSION.search(sentence):
        return None
    return _planted(None, _REASONS)(chance, sentence, language, half)


def _reason(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    found = re.search(r", (?:weil|damit|um) [^,;:]+\.$| (?:because|in order to|so that) [^,;:]+\.$", sentence)
    if (
        not found
        or found.start() < 25
        or ("um" in found[0][:5] and " zu" not in found[0] and "zu" not in found[0].split()[-1])
    ):
        return None
    if re.search(r"\b(?:nicht|nur|kein\w*|not|only|no)\b", sentence[: found.start()]):
        return None
    if _PERMISSION.search(sentence):
        return None
    return _checked(sentence, sentence[: found.start()])


def _bracket(brackets: dict[str, list[str]]) -> Maker:
    """A sentence with a bracket behind one of its names, quoted without it."""

    def make(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
        words = sentence.split()
        places = [
            i for i in range(2, len(words) - 2) if words[i - 1][:1].isupper() and words[i - 1].isalpha()
        ]
        if not places:
            return None
        at = chance.choice(places)
        text = " ".join([*words[:at], _dealt(chance, brackets[language], half), *words[at:]])
        return _checked(text, f"{' '.join(words[:at])} {chance.choice(_MARKS)} {' '.join(words[at:])}")

    return make


def _purpose_of_permission(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    """Something that others may do, quoted without its purpose: one real object in a frame."""
    found = re.search(rf" ({_SMALL[language]} [\w-]+)(?=[ ,.;])", sentence)
    if found is None:
        return None
    front = _dealt(chance, _ALLOWED[language], half).format(found[1])
    return _checked(f"{front}{_dealt(chance, _PURPOSES[language], half)}.", front)


def _real_bracket(chance: random.Random, sentence: str, language: str, half: int) -> Made | None:
    found = re.search(r" \([A-ZÄÖÜ][A-Za-zÄÖÜäöüß-]+\) ", sentence)
    if not found or found.start() < 10 or len(sentence) - found.end() < 12:
        return None
    return _checked(
        sentence, f"{sentence[: found.start()]} {chance.choice(_MARKS)} {sentence[found.end() :]}"
    )
