"""What takes long to read is kept from one start to the next, and is read as it was made."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import simplemma
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from core import kept
from core.kept import keep_in
from core.language import identification, lemmas
from core.language.identification import detect

TEXTS = ("Was steht zum Mindestlohn im Programm?", "the minimum wage", "le salaire minimum", "??", "")
WORDS = ("Mindestlohn", "größten", "linke", "Häuser", "l’eau", "went", "parties", "Wxyz")


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_FOLDERS", [])


def counted() -> Iterator[dict[str, object]]:
    number = 0
    while True:
        number += 1
        yield {"made": number, "read": [b"\xff", "ü", (1.5, None)]}


def test_without_a_folder_it_is_made_each_time() -> None:
    made = counted()
    assert kept.kept("one", "1", made.__next__)["made"] == 1
    assert kept.kept("one", "1", made.__next__)["made"] == 2


def test_it_is_made_once_for_each_stamp(tmp_path: Path) -> None:
    keep_in(tmp_path)
    made = counted()
    first = kept.kept("one", "1", made.__next__)
    assert kept.kept("one", "1", made.__next__) == first
    assert kept.kept("one", "2", made.__next__)["made"] == 2
    assert kept.kept("other", "2", made.__next__)["made"] == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.kept", "other.kept"]


@pytest.mark.parametrize("content", [b"", b"\0", b"damaged", None])
def test_a_damaged_file_is_made_again(tmp_path: Path, content: bytes | None) -> None:
    keep_in(tmp_path)
    made = counted()
    kept.kept("one", "1", made.__next__)
    file = tmp_path / "one.kept"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if content is None else content)
    assert kept.kept("one", "1", made.__next__)["made"] == 2
    assert kept.kept("one", "1", made.__next__)["made"] == 2


def test_without_room_it_is_made_each_time(tmp_path: Path) -> None:
    keep_in(tmp_path / "missing")
    made = counted()
    assert [kept.kept("one", "1", made.__next__)["made"] for _ in range(2)] == [1, 2]


def test_words_are_those_of_the_dictionaries_whether_kept_or_not(tmp_path: Path) -> None:
    keep_in(tmp_path)
    for _ in range(2):
        lemmas._dictionary.cache_clear()
        lemmas._lookup.cache_clear()
        for language in ("de", "en", "fr"):
            for word in WORDS:
                assert lemmas.lemma(word, language) == simplemma.lemmatize(word, language, low_memory=True)
                assert lemmas.is_known(word, language) == simplemma.is_known(word, language, low_memory=True)
    assert {path.name for path in tmp_path.iterdir()} == {f"words-{tag}.kept" for tag in ("de", "en", "fr")}


def test_languages_are_those_that_the_model_tells_whether_kept_or_not(tmp_path: Path) -> None:
    plain = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    keep_in(tmp_path)
    for _ in range(2):
        identification._of_every_language.cache_clear()
        identification._identifier.cache_clear()
        for text in TEXTS:
            assert detect(text, among=()) == plain.classify(text)
    assert [path.name for path in tmp_path.iterdir()] == ["languages.kept"]
