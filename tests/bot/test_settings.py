from pathlib import Path

import pytest

from bot.settings.tree import load
from core.errors import Broken


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    import os

    for name in list(os.environ):
        if name.startswith("FUNDSTELLE_") and not name.startswith("FUNDSTELLE_TEST_"):
            monkeypatch.delenv(name)


def write(folder: Path, text: str) -> Path:
    file = folder / "fundstelle.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_need_nothing(tmp_path):
    loaded = load(data=tmp_path)
    assert loaded.settings.data == tmp_path
    assert loaded.settings.answer.citations == 3
    assert loaded.origins["data"] == "--data"


def test_the_environment_wins_over_the_file(tmp_path, monkeypatch):
    write(tmp_path, "language = 'de'\n[answer]\ncitations = 5\nmax_question = 300\n")
    monkeypatch.setenv("FUNDSTELLE_ANSWER__CITATIONS", "2")
    loaded = load(data=tmp_path)
    assert loaded.settings.answer.citations == 2
    assert loaded.settings.answer.max_question == 300
    assert loaded.settings.language == "de"
    assert loaded.origins["answer.citations"] == "environment"
    assert loaded.origins["language"] == "fundstelle.toml"


def test_the_data_folder_comes_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("FUNDSTELLE_DATA", str(tmp_path))
    write(tmp_path, "language = 'en'")
    assert load().settings.data == tmp_path
    assert load().settings.language == "en"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("langauge = 'de'", "did you mean language?"),
        ("[answer]\ncitatons = 3", "did you mean answer.citations?"),
        ("citations = 3", "did you mean answer.citations?"),
        ('[[chat]]\nplatform = "matrix"\nid = "x"\ncolections = ["a"]', "did you mean collections?"),
        ('[[role]]\nplatform = "slack"\nuser = "u"\nrole = "admin"\nusr = "x"', "did you mean user?"),
        ('[[chats]]\nid = "x"', "did you mean chat?"),
        ('[[chat]]\nplatform = "slack"\nid = "C0456EFGH"', "on Slack write TEAM/CHANNEL"),
        ("[answer]\ncitations = 'many'", "answer.citations"),
        ("[answer]\ncitations = 0", "answer.citations"),
        ("language = ", "fundstelle.toml"),
    ],
)
def test_a_mistake_is_named(tmp_path, text, says):
    write(tmp_path, text)
    with pytest.raises(Broken, match=r"fundstelle\.toml") as caught:
        load(data=tmp_path)
    assert says in caught.value.detail


def test_an_empty_variable_says_nothing(tmp_path, monkeypatch):
    write(tmp_path, "[telegram]\ntoken = '1:a'\n")
    monkeypatch.setenv("FUNDSTELLE_TELEGRAM__TOKEN", "")
    loaded = load(data=tmp_path)
    assert loaded.settings.telegram.token.get_secret_value() == "1:a"
    assert loaded.origins["telegram.token"] == "fundstelle.toml"


def test_an_unknown_environment_variable_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("FUNDSTELLE_LANGAUGE", "de")
    with pytest.raises(Broken, match="did you mean FUNDSTELLE_LANGUAGE"):
        load(data=tmp_path)


def test_a_named_settings_file_must_exist(tmp_path):
    with pytest.raises(Broken, match="no settings file"):
        load(data=tmp_path, config=tmp_path / "other.toml")


def test_secrets_stay_hidden(tmp_path, monkeypatch):
    monkeypatch.setenv("FUNDSTELLE_QDRANT__API_KEY", "canary-1234")
    monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", "postgresql+asyncpg://user:canary-1234@db/x")
    loaded = load(data=tmp_path)
    assert "canary" not in repr(loaded.rows)
    assert "canary" not in repr(loaded)


def test_synonyms_are_tables(tmp_path):
    write(tmp_path, "[[synonyms]]\nterms = ['Miete', 'Mietzins']\njurisdiction = 'de'\n")
    [row] = load(data=tmp_path).settings.synonyms
    assert (row.terms, row.jurisdiction) == (("Miete", "Mietzins"), "de")
    write(tmp_path, "[[synonyms]]\nterms = ['Miete']\n")
    with pytest.raises(Broken, match="synonyms"):
        load(data=tmp_path)


def test_own_stores_are_those_of_the_data_folder(tmp_path, monkeypatch):
    (tmp_path / "fundstelle.toml").write_text('[qdrant]\nurl = "http://qdrant:6333"\nprefix = "us"\n')
    monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", "postgresql://production/library")
    monkeypatch.setenv("FUNDSTELLE_RETENTION__KEY_FILE", "/production/pseudonyms.key")
    monkeypatch.setenv("FUNDSTELLE_RETENTION__ANSWER_DAYS", "7")
    own = load(data=tmp_path).settings.with_own_stores()
    assert (own.database_url.get_secret_value(), own.qdrant.url) == ("", "")
    assert own.retention.key(own.data).parent.parent == tmp_path
    assert own.retention.answer_days == 7
