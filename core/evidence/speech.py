"""What stands between quotation marks and is quoted without them: somebody else's words."""

from collections.abc import Sequence

from core.evidence.tokens import Token

OPENING = tuple('„“”"»«‟')
_CLOSED = ".,;:!?)…"


def in_quotation_marks(tokens: Sequence[Token]) -> bool:
    """Whether the kept words stand between one pair of marks, and words outside it are left out."""
    kept = [i for i, token in enumerate(tokens) if token.kept]
    if not kept:
        return False
    first, last = kept[0], kept[-1]
    start = next((i for i in range(first, -1, -1) if _opens(tokens[i])), None)
    if start is None or any(_closes(token) for token in tokens[start:last]):
        return False
    end = next((i for i in range(last, len(tokens)) if _closes(tokens[i])), None)
    return end is not None and not all(token.kept for token in (*tokens[:start], *tokens[end + 1 :]))


def _opens(token: Token) -> bool:
    return token.text.lstrip("([").startswith(OPENING)


def _closes(token: Token) -> bool:
    return token.text.rstrip(_CLOSED).endswith(OPENING)
