"""Sentences in the manner of programmes and statutes, written for tests of the encoders."""

GERMAN = (
    "Wir wollen den Bau von 400.000 Wohnungen im Jahr ermöglichen und die Mietpreisbremse verlängern.",
    "Der öffentliche Nahverkehr wird ausgebaut; Schülerinnen, Schüler und Auszubildende fahren kostenlos.",
    "Die Abgabe auf große Vermögen beträgt 1,5 Prozent und wird für Schulen und Krankenhäuser verwendet.",
    "Neue Gas\u00adheizungen dürfen ab dem 1. Januar nur noch eingebaut werden, wenn sie umrüstbar sind.",
    "Kommunen erhalten mehr Geld für Kitas, Sportstätten und Schwimmbäder, ohne neue Schulden zu machen.",
)
ENGLISH = (
    "The promoter shall deposit seventy per cent. of the amounts realised in a separate account (section 4).",
    "Any person aggrieved by an order of the authority may prefer an appeal within sixty days.",
    "“Personal data” means any information relating to an identified natural person – the ‘data subject’.",
    "The applicant shall pay a registration fee of five rupees per square metre, at most two lakh rupees.",
)
ODD = (
    "",
    " ",
    "\tZeile eins\nZeile  zwei\r\n\x0cneue Seite ",
    "ﬁnanzielle Oﬀensive: 10 ½ km² … Ｆｕｌｌ ①",
    "A\u030arhus und Ko\u0308ln, Œuvre, naïve, Ελλάδα, Україна, 住宅政策, सुरक्षा",
    "a\u200bb\u2028c\ufeffd \u2581 e",
    "https://example.org/x?y=1&z=2 <b>fett</b> {}[]() §§ 5, 6a 😀",
    "W" * 300,
)
TEXTS = GERMAN + ENGLISH + ODD
QUESTIONS = (
    ("Was planen sie gegen hohe Mieten?", 0),
    ("Wie sollen Bus und Bahn für Jugendliche billiger werden?", 1),
    ("Sollen Reiche mehr Steuern zahlen?", 2),
    ("Which heating systems will be forbidden?", 3),
    ("How long do I have to appeal?", 6),
    ("Wie hoch ist die Gebühr für die Registrierung?", 8),
)
