"""Words of a question with slips of the pen, put right by what a search for it has found."""

import re

from core.domain.search import SearchResult
from core.evidence.dictionary import is_word
from core.evidence.skeleton import skeleton
from core.registry.slips import LEAST, slips, vocabulary

_WORD = re.compile(rf"[^\W\d_]{{{LEAST},}}")


def mended(question: str, result: SearchResult) -> str:
    """`question` with those words written right that neither a dictionary knows nor the passages found have,
    and that can only be meant for one of these passages ("Mitpreisbremse")."""
    texts = [hit.passage.embedded_text for hit in result.hits]
    said, language = " ".join(texts).casefold(), result.plan.language
    unsaid = [word for word in _WORD.findall(question) if word.casefold() not in said]
    if not texts or all(is_word(skeleton(word), language) for word in unsaid):
        return question
    for start, end, meant in reversed([*slips(question, vocabulary(texts))]):
        question = question[:start] + meant + question[end:]
    return question
