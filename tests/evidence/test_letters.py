"""What the letters of pages rule out, alignment does not find either."""

from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.domain.pages import WrittenPage
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.quoted import Quoted
from core.evidence.repair import PageLetters, may_be_near, may_be_verbatim
from tests.support.paper import paper

TEXT = (
    "wir wollen die Mieten in den Ballungsräumen für fünf Jahre nicht einfrieren und jährlich 400.000"
    " Wohnungen bauen, davon 25 % gefördert. Ein Zuschlag¹ von 3 m² gilt bis 2030 für alle; be- ginnt"
)
WORDS = TEXT.split()

texts = st.lists(st.sampled_from(WORDS), min_size=5, max_size=120).map(" ".join)
others = st.lists(st.sampled_from([*WORDS, "[...]", "Bergbahn", "unversehrt"]), max_size=6)


@given(st.lists(texts, min_size=1, max_size=4), st.data())
def test_what_alignment_finds_is_never_ruled_out(pages: list[str], data: st.DataObject) -> None:
    read = paper(*pages)
    words = " ".join(pages).split()
    start = data.draw(st.integers(0, len(words) - 1))
    taken = words[start : start + data.draw(st.integers(1, 40))]
    at = data.draw(st.integers(0, len(taken)))
    gone = data.draw(st.integers(0, 6))
    quote = " ".join([*taken[:at], *data.draw(others), *taken[at + gone :]])
    found = in_its_sentences(quote, DocumentIndex(read))
    letters = [PageLetters.of(WrittenPage.of(page)) for page in read]
    verbatim = may_be_verbatim(Quoted(quote), letters)
    if found.verdict is Verdict.VERBATIM:
        assert verbatim
    elif found.verdict not in (Verdict.ABSENT, Verdict.TOO_SHORT):
        assert verbatim or may_be_near(Quoted(quote), letters)


def test_another_text_is_ruled_out() -> None:
    read = paper("Die Fähre legt um sieben Uhr ab, im Winter um acht.")
    pages = [PageLetters.of(WrittenPage.of(page)) for page in read]
    other = Quoted("Der Leuchtturm wird bis zum Herbst neu gestrichen und beheizt.")
    assert not may_be_verbatim(other, pages)
    assert not may_be_near(other, pages)
    changed = Quoted("Die Fähre legt im Sommer um sieben Uhr ab, im Winter um acht.")
    assert may_be_near(changed, pages)
    assert not may_be_verbatim(Quoted("Die Fähre legt um sieben Uhr ab, im Sommer um neun."), pages)


def test_letters_are_those_of_every_view() -> None:
    for page in paper("Ein Zuschlag¹ von 3 m² gilt.", "Kopfzeile\n\nbe-\nginnt hier"):
        letters = PageLetters.of(WrittenPage.of(page))
        texts = {view.text for view in DocumentIndex([page]).views()}
        assert texts <= set(letters.readings)
