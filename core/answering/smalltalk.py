"""Greetings, thanks and calls for help: which short reply fits."""

import re

_THANKS = re.compile(r"\b(thanks?|thank\s+you|thx|danke\w*|merci|vielen\s+dank)\b", re.IGNORECASE)
_GREETING = re.compile(
    r"^\W*(hi|hello|hey|good\s+(morning|afternoon|evening|day)|hallo|moin|servus|gr(ü|ue)(ß|ss)\s+\w+"
    r"|guten\s+(morgen|tag|abend))\b",
    re.IGNORECASE,
)


def smalltalk(text: str) -> str:
    """`thanks`, `greeting` or `help`, the last where neither fits."""
    if _THANKS.search(text):
        return "thanks"
    return "greeting" if _GREETING.search(text) else "help"
