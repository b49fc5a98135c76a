"""What the rules make of French, which has files and no code."""

import pytest

from core.answering.extractive.statements import commits
from core.domain.search import QuestionKind
from core.language.identification import detect
from core.language.sentences import sentences
from core.language.stated import holds_number
from core.question.kinds import is_anaphoric, kind_of
from core.question.wanted import read_wanted


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Quelle amende risque celui qui vend sans autorisation ?", QuestionKind.PENALTY),
        ("Dans quel délai faut-il répondre ?", QuestionKind.TEMPORAL),
        ("Quelle est la différence entre les deux programmes ?", QuestionKind.COMPARE),
        ("Cette règle est-elle contraire à l'article 4 ?", QuestionKind.CONFLICT),
        ("Quels documents y a-t-il dans la bibliothèque ?", QuestionKind.DOCUMENT),
        ("Peut-on planter un arbre ?", QuestionKind.FACT),
    ],
)
def test_kinds_of_question(question, kind):
    assert kind_of(question) == kind


def test_follow_ups_are_told_from_questions():
    assert kind_of("Et pour les Verts ?", in_thread=True) is QuestionKind.FOLLOW_UP
    assert is_anaphoric("Combien coûte celui-ci ?")
    assert not is_anaphoric("Combien coûte une place ?")


@pytest.mark.parametrize(
    "question", ["Combien coûte une place ?", "Quel est le montant de l'amende ?", "Quand ouvre-t-il ?"]
)
def test_questions_for_a_number(question):
    assert read_wanted(question).number
    assert not read_wanted(question).openly


def test_amounts_of_the_kind_asked_for():
    assert read_wanted("Que propose le parti sur le climat ?").openly
    assert read_wanted("Combien coûte une place ?").fits("Une place coûte onze thalers par jour.") == 1.0
    assert holds_number("Elle dure quatorze jours.")
    assert not holds_number("L'article 4 le dit.")


def test_commitments():
    assert commits("Le parti propose un salaire minimum.")
    assert commits("Les travaux sont à terminer en mai.")
    assert not commits("Une belle journée au bord du lac.")


def test_sentences_end_where_french_ends_them():
    text = "M. Dupont est venu le 1er mai. Il a vu l'art. 4 al. 2 du règlement. Voir p. 12."
    assert [text[start:end] for start, end in sentences(text, "fr")] == [
        "M. Dupont est venu le 1er mai.",
        "Il a vu l'art. 4 al. 2 du règlement.",
        "Voir p. 12.",
    ]


def test_french_is_recognised():
    assert detect("Combien coûte une place couverte au marché ?")[0] == "fr"
