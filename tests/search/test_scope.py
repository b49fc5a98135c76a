from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import GLOBAL, Edition
from core.domain.registry import Jurisdiction, Party, Registry
from core.domain.scope import Missing, Scope
from core.domain.search import QuestionKind
from core.question.kinds import kind_of
from core.registry.detection import Detector
from core.search.listing import stands_for
from core.search.scope import Resolution, ScopeQuery, resolve
from tests.support.search_world import EDITIONS, REGISTRY, TODAY, edition, programme

DOCUMENTS = [item.document for item in EDITIONS]
KNOWN = (
    Jurisdiction(code="ua", name="Ukraine"),
    Jurisdiction(code="de-by", name="Bayern"),
    Jurisdiction(code="in-ka", name="Karnataka"),
)
DETECTOR = Detector(REGISTRY, DOCUMENTS, KNOWN)


def resolution(
    question: str,
    *,
    jurisdiction: str | None = None,
    chat: str | None = None,
    parties: tuple[str, ...] = (),
    usual: tuple[str, ...] = (),
    as_of: date | None = None,
    kind: QuestionKind | None = None,
) -> Resolution:
    options = Scope(
        collections=("public",),
        jurisdictions=(jurisdiction,) if jurisdiction else (),
        parties=parties,
        usual_parties=usual,
        as_of=as_of,
    )
    request = ScopeQuery(
        options=options,
        detection=DETECTOR.detect(question),
        kind=kind or kind_of(question),
        chat_jurisdiction=chat,
        today=TODAY,
    )
    return resolve(request, EDITIONS, REGISTRY)


def files(found: Resolution) -> set[str]:
    return {item.document.file for item in found.editions}


BASIC_LAW = ("document", "Grundgesetz (Stand 2002)")


@pytest.mark.parametrize(
    ("question", "jurisdiction", "expected", "missing"),
    [
        ("Was will die SPD?", None, {"SPD-2025-de"}, []),
        ("Was will die SPD?", "de", {"SPD-2025-de"}, []),
        ("Was will die SPD?", "de-nw-muenster", {"SPD-2025-de", "SPD-2014-de-nw-muenster"}, []),
        ("Was will Münsters SPD?", None, {"SPD-2025-de", "SPD-2014-de-nw-muenster"}, []),
        ("Was will die Union?", None, {"CDU+CSU-2025-de"}, []),
        ("Was fordern CDU und CSU?", None, {"CDU+CSU-2025-de"}, []),
        ("Was wollte die SPD zur Bundestagswahl 2013?", None, {"SPD-2013-de"}, []),
        ("Was wollte die SPD 2013?", "de", {"SPD-2013-de"}, []),
        ("Was will die SPD bis 2013 abschaffen?", None, {"SPD-2025-de"}, []),
        ("Was sagt Volt zu 2013 gepflanzten Wäldern?", None, {"Volt-2025-de"}, []),
        ("Was will die Linke?", "de-nw", {"Die Linke-2025-de", "Die Linke-2014-de-nw"}, []),
        ("Was will die SPD in 2040 erreicht haben?", None, {"SPD-2025-de"}, []),
        ("Was wollen die Piraten?", None, {"PIRATEN-2013-de"}, []),
        ("Was wollen die Piraten im Wahlprogramm 2025?", None, set(), [("edition", "2025")]),
        ("Was fordern die Freien Wähler 2025?", "de", set(), [("party", "Freie Wähler")]),
        ("Was plant die Koalition in Baden-Württemberg?", None, {"coalition"}, []),
        ("Was steht im Koalitionsvertrag der Grünen?", None, {"coalition"}, []),
        ("Was planen die Grünen?", "de-bw", {"GRÜNE-2025-de", "coalition"}, []),
        ("Was will die CDU in Bayern?", None, {"CDU+CSU-2025-de"}, [("jurisdiction", "de-by")]),
        ("How does the SPD see peace talks about Ukraine?", "de", {"SPD-2025-de"}, []),
        ("Was will Volt in der EU ändern?", None, {"Volt-2025-de"}, []),
        ("What is the fee in Gujarat?", None, {"gj rules", "act", "worldwide"}, []),
        ("What is the fee in Gujarat?", "in-dd", {"gj rules", "act", "worldwide"}, []),
        ("What is the fee?", "in-dd", {"dd rules", "act", "worldwide"}, []),
        ("What is the fee in Karnataka?", None, {"act", "worldwide"}, [("jurisdiction", "in-ka")]),
        ("What is the fee in California?", None, {"worldwide"}, [("jurisdiction", "us-ca")]),
        ("What does the GDPR say?", None, {"privacy"}, []),
        ("Was sagt das Grundgesetz?", "de", {"basic law"}, []),
        ("Was sagt das Grundgesetz?", "in-gj", {"gj rules", "act", "worldwide"}, [BASIC_LAW]),
        ("Was will die SPD laut Wahlprogramm?", "in-gj", set(), [("party", "SPD")]),
        ("Welche Mittel vom Bund gibt es?", "de-bw", None, []),
    ],
)
def test_what_is_searched(
    question: str, jurisdiction: str | None, expected: set[str] | None, missing: list[tuple[str, str]]
) -> None:
    found = resolution(question, jurisdiction=jurisdiction)
    if expected is None:
        assert "coalition" in files(found)
    else:
        assert files(found) == expected
    assert [(item.kind, item.name) for item in found.missing] == missing


def test_option_beats_chat_and_name_beats_option() -> None:
    assert resolution("Which fee?", jurisdiction="in-gj", chat="in-dd").scope.jurisdictions == ("in-gj",)
    assert resolution("Which fee?", chat="in-dd").scope.jurisdictions == ("in-dd",)
    assert resolution("Which fee in Gujarat?", jurisdiction="in-dd").scope.jurisdictions == ("in-gj",)


def test_unscoped_questions_reach_everything_current() -> None:
    found = files(resolution("Wie hoch ist die Gebühr?"))
    assert {"placeless", "worldwide", "gj rules", "SPD-2025-de", "coalition"} <= found
    assert not {"SPD-2013-de", "Die Linke-2013-de"} & found


def test_documents_without_a_place_are_not_found_in_scoped_questions() -> None:
    assert "placeless" not in files(resolution("Wie hoch ist die Gebühr?", jurisdiction="de"))


def test_as_of_takes_the_edition_of_that_day() -> None:
    assert files(resolution("Was will die SPD?", as_of=date(2014, 1, 1))) == {"SPD-2013-de"}
    assert files(resolution("Was will die SPD?", as_of=date(2012, 1, 1))) == set()


def test_repealed_documents_do_not_answer() -> None:
    repealed = edition("old act", valid_from=date(2001, 1, 1), valid_to=date(2010, 12, 31))
    request = ScopeQuery(
        options=Scope(collections=("public",)), detection=DETECTOR.detect("Which fee?"), today=TODAY
    )
    assert resolve(request, [repealed], REGISTRY).editions == ()


def test_two_parties_get_a_group_each() -> None:
    found = resolution("Was sagen SPD und Grüne zum Tempolimit?")
    assert [group.scope.parties for group in found.groups] == [("SPD",), ("GRÜNE",)]


def test_a_party_without_documents_is_reported_beside_the_other() -> None:
    found = resolution("Was sagen SPD und Freie Wähler?")
    assert files(found) == {"SPD-2025-de"}
    assert found.missing == (Missing(kind="party", name="Freie Wähler"),)


def test_the_object_of_a_sentence_does_not_narrow() -> None:
    assert files(resolution("Will die SPD ein AfD-Verbot?")) == {"SPD-2025-de"}
    assert files(resolution("Was hat die SPD gegen die AfD?")) == {"SPD-2025-de"}
    assert len(resolution("Vergleiche die SPD mit der AfD").groups) == 2


def test_several_places_are_searched_each_for_itself() -> None:
    found = resolution("Compare the fees in Gujarat, Daman and Diu and Karnataka")
    assert [[item.document.file for item in group.editions] for group in found.groups] == [
        ["gj rules"],
        ["dd rules"],
    ]
    assert found.missing == (Missing(kind="jurisdiction", name="in-ka"),)


def test_two_years_are_compared() -> None:
    found = resolution("Wie unterscheiden sich die SPD 2013 und die SPD 2025?")
    assert [group.scope.editions for group in found.groups] == [(2013,), (2025,)]


def test_all_parties_side_by_side() -> None:
    found = resolution("Was sagen die Parteien zum Tempolimit?", jurisdiction="de")
    assert ("SPD",) in [group.scope.parties for group in found.groups]
    assert len(found.groups) == 8


def test_every_party_is_one_side_with_what_it_says_at_its_highest_level() -> None:
    found = resolution("Was sagen die Parteien zum Tempolimit?")
    parties = [party for group in found.groups for party in group.scope.parties]
    assert len(parties) == len(set(parties))
    assert ("CDU", "CSU") in [group.scope.parties for group in found.groups]
    assert not {"coalition", "SPD-2014-de-nw-muenster"} & {
        edition.document.file for group in found.groups for edition in group.editions
    }


def test_given_parties_filter_and_names_only_narrow_them() -> None:
    assert files(resolution("Was sagt die AfD?", parties=("SPD",))) == {"SPD-2025-de"}
    assert files(resolution("Was sagt die AfD?", parties=("SPD", "AfD"))) == {"AfD-2025-de"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Was ist mit dem Tempolimit?", {"SPD-2025-de"}),
        ("Wie steht ihr zur Zusammenarbeit mit der AfD?", {"SPD-2025-de"}),
        ("Was sagt die AfD zum Tempolimit?", {"AfD-2025-de"}),
    ],
)
def test_a_chats_party_is_meant_where_no_other_speaks(question: str, expected: set[str]) -> None:
    found = resolution(question, usual=("SPD",))
    assert files(found) == expected
    assert found.scope.usual_parties == ()


@pytest.mark.parametrize(
    "question", ["Welche Partei will ein Tempolimit?", "Was sagen die Parteien zum Tempolimit?"]
)
def test_who_asks_for_all_parties_gets_more_than_the_chats(question: str) -> None:
    assert len(files(resolution(question, usual=("SPD",), jurisdiction="de"))) > 1


def test_documents_given_are_searched_whatever_the_question_names() -> None:
    wanted = next(item for item in EDITIONS if item.document.file == "SPD-2013-de")
    options = Scope(collections=("public",), documents=(wanted.document.id,))
    request = ScopeQuery(options=options, detection=DETECTOR.detect("Was sagt die AfD?"), today=TODAY)
    assert resolve(request, [wanted], REGISTRY).editions == (wanted,)


PLACES = ("aa", "aa-bb", "aa-bb-cc", "aa-dd", "ee", "ee-ff")
PLACE_NAMES = dict(
    zip(PLACES, ("Avalonien", "Brinmark", "Cassfurt", "Dornau", "Elfenland", "Farnheim"), strict=True)
)
PARTY_NAMES = ("Waldbund", "Seepartei", "ABC")
INVENTED = Registry(
    jurisdictions=tuple(Jurisdiction(code=code, name=name) for code, name in PLACE_NAMES.items()),
    parties=tuple(Party(name=name) for name in PARTY_NAMES),
)
SENTENCES = (
    "Was gilt in {place}?", "Does {place} allow it?", "{place}s Gebühren", "Was will {party}?",
    "Was will {party} in {place}?", "Was hat {party} gegen {place}?", "Was will {party} zur Wahl {year}?",
    "Compare {place} and {other}", "Welche Partei will das in {place}?", "Die Koalition in {place}",
    "Wie hoch ist die Gebühr?", "{party} und {place}, {year}",
)  # fmt: skip

editions_of_places = st.builds(
    lambda party, year, place: programme(party, year, place),
    st.sampled_from(PARTY_NAMES),
    st.sampled_from([2013, 2017, 2025]),
    st.sampled_from([*PLACES, GLOBAL]),
)


@given(
    editions=st.lists(editions_of_places, max_size=8, unique_by=lambda item: item.document.id),
    sentence=st.sampled_from(SENTENCES),
    place=st.sampled_from(PLACES),
    other=st.sampled_from(PLACES),
    party=st.sampled_from(PARTY_NAMES),
    year=st.sampled_from([2013, 2017, 2025]),
    option=st.sampled_from([None, *PLACES]),
)
def test_never_a_place_that_was_not_asked_for(
    editions: list[Edition], sentence: str, place: str, other: str, party: str, year: int, option: str | None
) -> None:
    question = sentence.format(place=PLACE_NAMES[place], other=PLACE_NAMES[other], party=party, year=year)
    options = Scope(collections=("public",), jurisdictions=(option,) if option else ())
    detection = Detector(INVENTED, [item.document for item in editions]).detect(question)
    found = resolve(
        ScopeQuery(options=options, detection=detection, today=TODAY, kind=kind_of(question)),
        editions,
        INVENTED,
    )
    used = {item.document.fields.jurisdiction for item in found.editions} - {GLOBAL}
    asked = found.scope.jurisdictions
    assert not asked or used <= {code for given in asked for code in (given, *above(given))}
    assert set(asked) <= {place, other, option}
    if option and not found.detected.jurisdictions:
        assert asked == (option,)
    if found.scope.parties:
        assert all(set(item.document.fields.parties) & set(found.scope.parties) for item in found.editions)


def above(code: str) -> list[str]:
    parts = code.split("-")
    return ["-".join(parts[:n]) for n in range(1, len(parts))]


@pytest.mark.parametrize(
    ("question", "jurisdiction", "sides"),
    [
        ("Do the rules of Gujarat conflict with those of Daman and Diu?", None, [{"gj rules"}, {"dd rules"}]),
        ("Does Gujarat contradict the Building Act 2016?", None, [{"gj rules"}, {"act"}]),
        ("Do the Gujarat Building Rules contradict the Building Act 2016?", None, [{"gj rules"}, {"act"}]),
        ("Does a rule contradict the Building Act 2016?", "in-gj", [{"gj rules"}, {"act"}]),
        (
            "Does Gujarat contradict the General Data Protection Regulation?",
            None,
            [{"gj rules"}, {"privacy"}],
        ),
        ("Does a rule contradict another in Gujarat?", None, [{"gj rules", "act", "worldwide"}]),
    ],
)
def test_each_side_of_a_conflict_is_searched_for_itself(
    question: str, jurisdiction: str | None, sides: list[set[str]]
) -> None:
    found = resolution(question, jurisdiction=jurisdiction)
    assert [{item.document.file for item in group.editions} for group in found.groups] == sides
    for group, side in zip(found.groups, sides, strict=True):
        if len(sides) > 1:
            standing = {
                item.document.file for item in EDITIONS if stands_for(group.scope, item, found.speaking)
            }
            assert standing & files(found) == side


def test_each_edition_of_a_party_is_searched_and_quoted_for_itself() -> None:
    found = resolution("Was sagt die SPD 2013 und 2025 zur Rente?")
    assert len(found.groups) == 2
    for group in found.groups:
        assert group.editions
        assert all(stands_for(group.scope, each, found.speaking) for each in group.editions)


def test_a_place_named_beside_a_law_above_it_keeps_its_own_documents() -> None:
    assert files(resolution("What is the fee under the Building Act 2016?")) == {"act"}
    both = resolution("What is the fee in Gujarat under the Building Act 2016?")
    assert files(both) == {"act", "gj rules", "worldwide"}
    assert files(resolution("What is the fee under the Building Act 2016?", jurisdiction="in-gj")) == {"act"}


def test_a_law_that_a_party_is_asked_about_is_its_topic_and_not_where_to_look() -> None:
    found = resolution("Was sagt die SPD zum Grundgesetz?")
    assert found.detected.documents
    assert files(found) == {"SPD-2025-de"}
