"""From settings to a model, and what `doctor` says about it."""

import json
from pathlib import Path

import pytest

from bot.service.checks import State
from bot.service.diagnosis import language_models
from bot.settings.tree import Settings, load
from bot.wiring.models import language_model
from bot.wiring.probes import PROBES
from core.domain.models import MessageRole, ModelMessage
from core.errors import Broken
from tests.support.llm_fixtures import KEY
from tests.support.scripted_model import Mode, ScriptedModel

MESSAGES = (
    ModelMessage(speaker=MessageRole.USER, text="[S1] A, p. 1\nBridges are repaired every ten years."),
)


def settings(folder: Path, text: str) -> Settings:
    (folder / "fundstelle.toml").write_text(text, encoding="utf-8")
    return load(data=folder).settings


def test_no_model_is_the_default(tmp_path: Path) -> None:
    assert language_model(settings(tmp_path, "")) is None


async def test_the_environment_alone_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedModel
) -> None:
    monkeypatch.setenv("FUNDSTELLE_LLM__MODEL", "openai/scripted")
    monkeypatch.setenv("FUNDSTELLE_LLM__API_BASE", server.url)
    monkeypatch.setenv("FUNDSTELLE_LLM__API_KEY", KEY)
    monkeypatch.setenv("FUNDSTELLE_LLM__FALLBACKS", '["openai/scripted-no-answer"]')
    monkeypatch.setenv("FUNDSTELLE_LLM__COLLECTIONS", '["public", "drafts"]')
    model = language_model(settings(tmp_path, ""))
    assert model is not None
    assert [endpoint.model for endpoint in model.endpoints] == [
        "openai/scripted",
        "openai/scripted-no-answer",
    ]
    assert "Bridges" in (await model.complete(MESSAGES, collections=["drafts"])).text
    assert server.requests[0].key == KEY
    await model.close()


def test_a_fallback_by_name_shares_key_and_approval_with_its_own_provider_only(tmp_path: Path) -> None:
    model = language_model(
        settings(
            tmp_path,
            f"""
            [llm]
            model = "openai/a"
            api_base = "http://127.0.0.1:1/v1"
            api_key = "{KEY}"
            collections = ["public", "internal"]
            timeout_s = 7
            fallbacks = ["openai/b", "mistral/c", {{ model = "openai/d", api_base = "http://d.example/v1" }}]
            """,
        )
    )
    assert model is not None
    _, same, other, table = model.endpoints
    assert (same.api_key, same.api_base, same.timeout_s) == (KEY, "http://127.0.0.1:1/v1", 7)
    assert same.collections == {"public", "internal"}
    assert (other.api_key, other.api_base, other.collections) == ("", "", frozenset({"public"}))
    assert (table.api_key, table.collections) == ("", frozenset({"public"}))


def test_keys_stay_hidden(tmp_path: Path) -> None:
    (tmp_path / "fundstelle.toml").write_text(
        f'[llm]\nmodel = "openai/a"\napi_key = "{KEY}"\nfallbacks = [{{ model = "b", api_key = "{KEY}" }}]\n'
    )
    loaded = load(data=tmp_path)
    assert KEY not in json.dumps(loaded.rows) + repr(loaded) + repr(language_model(loaded.settings))


def test_a_mistake_in_a_table_shows_no_key(tmp_path: Path) -> None:
    with pytest.raises(Broken) as caught:
        settings(tmp_path, f'[llm]\nmodel = "a"\nfallbacks = [{{ modell = "b", api_key = "{KEY}" }}]\n')
    assert "modell" in caught.value.detail
    assert KEY not in caught.value.detail


async def test_doctor_without_a_model(tmp_path: Path) -> None:
    (check,) = await language_models(settings(tmp_path, ""), PROBES)
    assert check.state is State.OK


async def test_doctor_tries_each_and_says_what_to_do(tmp_path: Path, server: ScriptedModel) -> None:
    stated = settings(
        tmp_path,
        f"""
        [llm]
        model = "openai/scripted-unauthorised"
        api_base = "{server.url}"
        api_key = "{KEY}"
        fallbacks = ["openai/scripted", "openai/scripted-missing"]
        """,
    )
    server.mode = Mode.ECHO
    checks = await language_models(stated, PROBES)
    assert [check.state for check in checks] == [State.FAIL, State.OK, State.FAIL]
    assert "openai/scripted at 127.0.0.1 answered" in checks[1].message
    assert "api_key" in checks[0].advice
    assert "api_base" in checks[2].advice
    assert all(KEY not in check.message + check.advice for check in checks)


async def test_the_days_budget_is_kept_in_the_data_folder(tmp_path: Path, server: ScriptedModel) -> None:
    text = f'[llm]\nmodel = "openai/scripted"\napi_base = "{server.url}"\ntokens_per_day = 1200\n'
    first = language_model(settings(tmp_path, text))
    assert first is not None
    await first.complete(MESSAGES, collections=["public"])
    await first.close()
    assert json.loads((tmp_path / "llm-budget.json").read_text())["tokens"] > 0
