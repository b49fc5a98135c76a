"""What somebody says to the bot that is no question: a comment on its answer, or on the world.

In groups such lines are left alone (`core.search.group_talk`). Where nobody else can be meant they are told
apart from questions by the same words, and by having no other: whatever names a thing or a party may be a
question about it."""

from core.language.identification import detect
from core.language.terms import content_words
from core.question.followups import going_on
from core.registry.detection import Detector
from core.search.group_talk import beside_remarks, is_remark


def asks_nothing(text: str, names: Detector) -> bool:
    """Whether `text` is nothing but a remark: "das hatten wir doch schon?"."""
    if going_on(text) is not None or not is_remark(text) or names.detect(text).mentions:
        return False
    return not content_words(beside_remarks(text), detect(text)[0])
