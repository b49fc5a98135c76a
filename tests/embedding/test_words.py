"""What the encoder of words and contexts must do."""

import numpy as np

from tests.support.encoders import packaged_words

TEXTS = ("Unsere Gegner sagen:", "Die Brücke ist zu teuer.", "Wir bauen sie.")


async def test_every_stretch_has_a_vector_read_among_the_others() -> None:
    words = packaged_words()
    read = await words.stretches(TEXTS)
    assert read.shape == (3, 384)
    assert read.dtype == np.float32
    np.testing.assert_array_equal(read, await words.stretches(TEXTS))
    alone = await words.stretches(TEXTS[1:2])
    assert not np.allclose(read[1], alone[0], atol=1e-2)


async def test_stretches_without_words_have_vectors_too() -> None:
    read = await packaged_words().stretches(("", "Die Brücke.", ""))
    assert read.shape == (3, 384)
    assert np.isfinite(read).all()
    assert (await packaged_words().stretches(())).shape == (0, 384)


async def test_stretches_beyond_the_longest_text_have_the_vector_of_its_end() -> None:
    read = await packaged_words().stretches([f"Haus {number}" for number in range(400)])
    assert read.shape == (400, 384)
    np.testing.assert_array_equal(read[-1], read[-2])


async def test_words_and_stretches_are_read_alike() -> None:
    said = TEXTS[1].split()
    _, words = await packaged_words().words((), said)
    np.testing.assert_allclose(words, await packaged_words().stretches(said), atol=1e-5)
