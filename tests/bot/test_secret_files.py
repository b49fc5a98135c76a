"""Secrets from files, as containers and service managers hand them over."""

from pathlib import Path

import pytest

from bot.settings.tree import load
from core.errors import Broken

TOKEN = "FUNDSTELLE_TELEGRAM__TOKEN"


def _given(monkeypatch: pytest.MonkeyPatch, file: Path, content: bytes = b"12:secret\n") -> None:
    file.write_bytes(content)
    monkeypatch.setenv(f"{TOKEN}_FILE", str(file))


@pytest.mark.parametrize("content", [b"12:secret", b"12:secret\n", b"12:secret\r\n"])
def test_a_file_holds_the_secret(content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _given(monkeypatch, tmp_path / "token", content)
    loaded = load(data=tmp_path)
    assert loaded.settings.telegram.token.get_secret_value() == "12:secret"
    rows = {name: (value, origin) for name, value, origin, _ in loaded.rows}
    assert rows["telegram.token"] == ("**********", "secret file")
    assert "telegram.token_file" not in loaded.origins


def test_secrets_at_the_top_of_the_tree_as_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "url").write_text("sqlite:////tmp/there.db")
    monkeypatch.setenv("FUNDSTELLE_DATABASE_URL_FILE", str(tmp_path / "url"))
    assert load(data=tmp_path).settings.database_url.get_secret_value() == "sqlite:////tmp/there.db"


def test_it_wins_over_the_settings_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "fundstelle.toml").write_text('[telegram]\ntoken = "99:old"\n')
    _given(monkeypatch, tmp_path / "token")
    assert load(data=tmp_path).settings.telegram.token.get_secret_value() == "12:secret"


@pytest.mark.parametrize("name", ["secrets/token", "token"])
def test_the_settings_may_name_the_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / name).write_text("12:secret\n")
    (tmp_path / "fundstelle.toml").write_text(f'[telegram]\ntoken_file = "{name}"\n')
    loaded = load(data=tmp_path)
    assert loaded.settings.telegram.token.get_secret_value() == "12:secret"
    assert loaded.origins["telegram.token"] == "secret file"


@pytest.mark.parametrize(
    ("lines", "says"),
    [('token = "1:a"\ntoken_file = "t"', "both set"), ('token_file = "nowhere"', "cannot be read")],
)
def test_a_file_that_is_not_there_or_too_much_is_named(tmp_path: Path, lines: str, says: str) -> None:
    (tmp_path / "t").write_text("12:secret\n")
    (tmp_path / "fundstelle.toml").write_text(f"[telegram]\n{lines}\n")
    with pytest.raises(Broken, match="telegram") as caught:
        load(data=tmp_path)
    assert says in caught.value.detail


def test_the_environment_wins_over_a_file_that_the_settings_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "t").write_text("12:secret\n")
    (tmp_path / "fundstelle.toml").write_text('[telegram]\ntoken_file = "t"\n')
    monkeypatch.setenv(TOKEN, "99:other")
    loaded = load(data=tmp_path)
    assert loaded.settings.telegram.token.get_secret_value() == "99:other"
    assert loaded.origins["telegram.token"] == "environment"


def test_twice_is_once_too_often(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _given(monkeypatch, tmp_path / "token")
    monkeypatch.setenv(TOKEN, "34:other")
    with pytest.raises(Broken, match=f"{TOKEN} and {TOKEN}_FILE are both set"):
        load(data=tmp_path)


@pytest.mark.parametrize("content", [b"", b"\n", b"two\nlines\n", b"\xff\xfe", b"x" * 100_000])
def test_what_holds_no_secret_is_named(
    content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _given(monkeypatch, tmp_path / "token", content)
    with pytest.raises(Broken, match=f"{TOKEN}_FILE: .*token") as error:
        load(data=tmp_path)
    assert "two" not in str(error.value)


def test_a_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(f"{TOKEN}_FILE", str(tmp_path / "nowhere"))
    with pytest.raises(Broken, match="nowhere cannot be read: No such file"):
        load(data=tmp_path)


def test_only_secrets_come_from_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FUNDSTELLE_QDRANT__URL_FILE", str(tmp_path / "url"))
    with pytest.raises(Broken, match="unknown"):
        load(data=tmp_path)
