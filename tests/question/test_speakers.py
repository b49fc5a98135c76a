"""Who is asked for what they say, and who speaks in the sentences of minutes."""

import pytest

from core.question.speakers import asks_for_decision, party_asked, person_asked, speakers_of


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Was sagte Bürgermeister Tressel zum Parken?", "Bürgermeister Tressel"),
        ("Was hat die Bürgermeisterin Kolb zum Parken gesagt?", "Bürgermeisterin Kolb"),
        ("Wie begründet Kämmerer Wacker seine Bedenken?", "Kämmerer Wacker"),
        ("Welche Position hat Ministerin Adler zum Wald?", "Ministerin Adler"),
        ("Laut Frau Lindholz: was fehlt dem Freibad?", "Frau Lindholz"),
        ("What did Cllr Penn say about library hours?", "Cllr Penn"),
        ("What is Councillor Osei's position on allotments?", "Councillor Osei"),
        ("Qu'a dit M. le maire Boisseau sur la cantine ?", "M. le maire Boisseau"),
        ("Que demande Mme Ferrand pour la piste ?", "Mme Ferrand"),
    ],
)
def test_a_person_is_asked(question: str, shown: str) -> None:
    found = person_asked(question)
    assert found is not None
    assert found.shown == shown


@pytest.mark.parametrize(
    "question",
    [
        "Was steht Frau Müller zu, wenn sie kündigt?",
        "Frau Müller will kündigen. Welche Frist gilt?",
        "Was sagt der Stadtrat Ottingen zum Parken?",
        "Was sagt das Gesetz zu Minister Wagner?",
        "Was sagt die Uferpartei zu Frau Müller?",
        "What does the Mayor say about parking?",
        "Mr Jones asked for a refund. What does the act say about refunds?",
        "Qui est le maire de la commune ?",
    ],
)
def test_nobody_is_asked_for_their_words(question: str) -> None:
    assert person_asked(question) is None


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Bürgermeister Tressel erklärt, das Parken solle begrenzt werden.", "Tressel"),
        ("Frau Lindholz (Bürgerliste) beantragt eine Sanierung.", "Lindholz"),
        ("Das sei zu teuer, entgegnet Stadträtin Ohm.", "Ohm"),
        ("The Mayor, Cllr Drayton, said the volunteers deserved thanks.", "Drayton"),
        ("M. Delaunay, adjoint aux écoles, explique que le prix augmente.", "Delaunay"),
        ("À la question de Mme Ferrand, M. Delaunay répond que le prix augmente.", "Delaunay"),
        ("Councillor A. Penn asked whether the rents would rise.", "A. Penn"),
        ("Cllr Penn's motion that the rents be frozen was lost, the chair said.", None),
        ("Der Antrag von Stadträtin Ohm wird abgelehnt.", None),
        ("Bürgermeister Tressel hat das Verfahren vereinfacht.", None),
        ("Der Gemeinderat beschließt, das Bad zu sanieren.", None),
        ("RESOLVED: That the library stays open.", None),
    ],
)
def test_who_says_a_sentence(sentence: str, name: str | None) -> None:
    assert [each.name for each in speakers_of(sentence)] == ([name] if name else [])


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Stadträtin Ohm und Stadtrat Pelz: Das Parken muss kostenlos bleiben.", "Ohm Pelz"),
        ("Stadträtin Ohm (Bürgerliste) und Stadtrat Pelz (Freie): Das Parken ist frei.", "Ohm Pelz"),
        ("Frau Ohm und Herr Pelz erklären gemeinsam, das Parken müsse frei bleiben.", "Ohm Pelz"),
        ("Die Stadträte Ohm und Pelz beantragen, das Bad zu sanieren.", "Ohm Pelz"),
        ("Stadträtin Ohm, Stadtrat Pelz und Herr Kolb lehnen die Gebühr ab.", "Ohm Pelz Kolb"),
        ("Stadtrat Ohm/Stadtrat Pelz: Die Gebühr ist zu hoch.", "Ohm Pelz"),
        ("Das sei zu teuer, sagen Stadträtin Ohm und Stadtrat Pelz.", "Ohm Pelz"),
        ("Cllrs Penn and Osei: The library stays open.", "Penn Osei"),
        ("Cllr Penn and Cllr Osei said the rents would rise.", "Penn Osei"),
        ("Mr Penn, together with Mrs Osei, asked whether the rents would rise.", "Penn Osei"),
        ("MM. Boisseau et Delaunay estiment que le prix augmente.", "Boisseau Delaunay"),
        ("Mme Ferrand et M. Delaunay : la cantine reste ouverte.", "Ferrand Delaunay"),
        ("Stadträtin Ohm und Stadtrat Pelz verlassen die Sitzung.", ""),
        ("Stadträtin Ohm, Bürgerliste, erklärt, das Parken bleibe frei.", "Ohm"),
    ],
)
def test_several_say_a_sentence_together(sentence: str, names: str) -> None:
    assert [each.name for each in speakers_of(sentence)] == names.split()


def test_offices_tell_people_of_one_name_apart() -> None:
    asked = person_asked("Was sagte Bürgermeister Ohm zum Parken?")
    said = ("Stadträtin Ohm sagt", "Frau Ohm sagt", "Herr Ohm sagt", "Bürgermeister Ohm sagt")
    others = [speakers_of(f"{each}, das Parken bleibe frei.") for each in said]
    assert asked is not None
    assert [any(map(asked.may_be, each)) for each in others] == [False, False, True, True]


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Was hat der Gemeinderat zum Parken beschlossen?", True),
        ("What did the council decide about library hours?", True),
        ("Quelle est la position du conseil municipal sur la cantine ?", True),
        ("Was kostet das Parken?", False),
        ("How much does the library cost the council?", False),
    ],
)
def test_a_decision_is_asked_for(question: str, asks: bool) -> None:
    assert asks_for_decision(question) is asks


def test_a_party_may_be_asked_by_a_name_of_several_words() -> None:
    named = party_asked("Was sagt die Union der Dörfer zur Fahrradstraße?")
    assert named is not None
    assert named.name == "Union der Dörfer"
    assert party_asked("Was sagt das Gesetz zu Hunden?") is None
