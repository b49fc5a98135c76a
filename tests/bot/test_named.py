"""Names in our sentences: with article and case in German and French, bare in lists."""

import pytest

from adapters.files.places import known_places
from bot.presentation.i18n import Names, Texts, catalogue, languages
from bot.presentation.presenter import Presenter
from core.domain.answers import Notice
from core.domain.registry import Jurisdiction, Party, Registry
from core.domain.scope import Missing, Scope

REGISTRY = Registry(
    jurisdictions=(Jurisdiction(code="xs", name="Schweiz"), Jurisdiction(code="xh", name="Hochau")),
    parties=(
        Party(name="LILANE", aliases=("Lilanen", "les Lilas")),
        Party(name="UVW", aliases=("Uferländischer Verband der Weber",)),
        Party(name="Uferpartei"),
    ),
)
PRESENTER = Presenter(REGISTRY, known=known_places())
NAMES = Names(REGISTRY)


def test_a_missing_party_has_its_article() -> None:
    missing = [Missing(kind="party", name="LILANE"), Missing(kind="party", name="UVW")]
    assert PRESENTER.missing(missing, Texts("de")).splitlines() == [
        "Keine Quelle in der Bibliothek für die LILANEN.",
        "Keine Quelle in der Bibliothek für den UVW.",
    ]
    assert PRESENTER.missing(missing[:1], Texts("fr")) == "Aucune source dans la bibliothèque pour les Lilas."
    assert PRESENTER.missing(missing[:1], Texts("en")) == "No source in the library for LILANE."


def test_a_party_without_a_source_in_a_place_may_have_one_elsewhere() -> None:
    missing = [Missing(kind="party", name="UVW"), Missing(kind="edition", name="1999")]
    assert PRESENTER.missing(missing, Texts("de"), ["de-by"]).splitlines() == [
        "Keine Quelle in der Bibliothek für den UVW in Bayern.",
        "Keine Quelle in der Bibliothek für die Ausgabe 1999.",
    ]
    assert (
        PRESENTER.missing(missing[:1], Texts("en"), ["de-by"])
        == "No source in the library for UVW in Bavaria."
    )


def test_places_that_everybody_knows_have_their_name() -> None:
    said = PRESENTER.missing([Missing(kind="jurisdiction", name="de-by")], Texts("de"))
    assert said == "Keine Quelle in der Bibliothek für Bayern selbst."


def test_several_names_are_joined_as_the_language_does() -> None:
    notice = Notice(key="notice.group_silent", values={"name": "Uferpartei, UVW, LILANE"})
    assert PRESENTER.notice(notice, Texts("de")) == (
        "Dazu wurde für die Uferpartei, den UVW und die LILANEN nichts gefunden."
    )


def test_parties_with_one_programme_have_the_article_of_the_first() -> None:
    notice = Notice(key="notice.group_silent", values={"name": "UVW/LILANE, Uferpartei"})
    assert PRESENTER.notice(notice, Texts("de")) == (
        "Dazu wurde für den UVW/LILANE und die Uferpartei nichts gefunden."
    )


def test_names_in_lists_stay_bare() -> None:
    notice = Notice(key="notice.compared_elsewhere", values={"name": "UVW", "place": "xs"})
    assert PRESENTER.notice(notice, Texts("de")).endswith(": UVW")
    assert "für die Schweiz" in PRESENTER.notice(notice, Texts("de"))
    older = Notice(key="notice.compared_without_older", values={"name": "UVW (2013)"})
    assert ": UVW (2013)." in PRESENTER.notice(older, Texts("de"))


def test_verbs_agree_with_their_subject() -> None:
    texts = Texts("de")
    one, many = NAMES.parties("UVW"), NAMES.parties("LILANE")
    assert texts("hello.example_of", who=one, topic="Deiche") == "Was sagt der UVW zu „Deiche“?"
    assert texts("hello.example_of", who=many, topic="Deiche") == "Was sagen die LILANEN zu „Deiche“?"
    both = NAMES.parties("UVW", "LILANE")
    assert texts("hello.example_of", who=both, topic="x") == "Was sagen der UVW und die LILANEN zu „x“?"
    french = Texts("fr")("hello.example_of", who=many, topic="digues")
    assert (
        french == "Que disent les Lilas sur «\N{NO-BREAK SPACE}digues\N{NO-BREAK SPACE}»\N{NO-BREAK SPACE}?"
    )


def test_all_that_narrowed_a_search_is_said() -> None:
    scope = Scope(collections=("public",), parties=("LILANE",), jurisdictions=("xs",), editions=(2025,))
    assert PRESENTER.scope(scope, Texts("de")) == "bei den LILANEN, in der Schweiz, in der Ausgabe von 2025"
    for language in languages():
        wide = PRESENTER.scope(Scope(collections=("public",)), Texts(language))
        assert wide == catalogue(language)["scope.everywhere"]


def test_what_a_name_holds_is_not_live() -> None:
    names = Names(Registry(parties=(Party(name="evil.example.org", aliases=("die evil.example.org",)),)))
    said = Texts("de")("missing.party", name=names.parties("evil.example.org"))
    assert "evil.example" not in said


def searched(language: str, *codes: str, registry: Registry = REGISTRY) -> str:
    presenter = Presenter(registry, known=known_places())
    return presenter.scope(Scope(collections=("public",), jurisdictions=codes), Texts(language))


@pytest.mark.parametrize("name", ["India", "Indien", "Inde"])
def test_a_place_is_said_in_the_language_of_the_message(name: str) -> None:
    """Whichever of its usual names the registry has."""
    registry = Registry(
        jurisdictions=(Jurisdiction(code="in", name=name), Jurisdiction(code="eu", name="EU"))
    )
    assert searched("de", "in", registry=registry) == "in Indien"
    assert searched("en", "in", registry=registry) == "India"
    assert searched("fr", "in", registry=registry) == "pour l'Inde"
    assert searched("de", "eu", registry=registry) == "in der Europäischen Union"
    presenter = Presenter(registry, known=known_places())
    assert presenter.place("in", Texts("de")) == "Indien"


def test_a_name_of_the_operators_own_is_kept() -> None:
    registry = Registry(jurisdictions=(Jurisdiction(code="de-by", name="Freistaat Bayern"),))
    assert "Freistaat Bayern" in searched("en", "de-by", registry=registry)
    assert searched("en", "xh") == "Hochau"


def test_states_are_said_as_people_say_them() -> None:
    assert searched("en", "de-by", "de-nw", "in-gj") == "Bavaria, North Rhine-Westphalia and Gujarat"
    assert searched("fr", "de-by", "de-he", "us") == "pour la Bavière, la Hesse et les États-Unis"
    assert searched("de", "de-by", "de-sl", "us") == "in Bayern, dem Saarland und den Vereinigten Staaten"


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Alleepapier", "La source d'Alleepapier fonctionne"),
        ("Évolution du littoral", "La source d'Évolution du littoral fonctionne"),
        ("<Öl>", "La source de <Öl> fonctionne"),
        ("Programme", "La source de Programme fonctionne"),
    ],
)
def test_the_title_of_a_document_elides_what_stands_before_it(title: str, said: str) -> None:
    assert Texts("fr")("source.recovered", title=title).startswith(said)
