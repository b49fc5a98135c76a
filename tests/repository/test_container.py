"""Container files: valid to the compose specification, and true to the settings."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose
from pydantic import BaseModel

from bot.settings.platforms import HttpSettings
from bot.settings.tree import PREFIX, Settings
from tests.support.image_steps import stages
from tests.support.repository import ROOT, tracked


@pytest.fixture(scope="module")
def source() -> str:
    return (ROOT / "docker-compose.yml").read_text(encoding="utf-8")


def _interpolated(source: str) -> str:
    """Variables replaced by their defaults, or by a word where they have none."""
    return re.sub(r"\$\{\w+(?::-(?P<default>[^}]*)|:\?[^}]*)?\}", lambda m: m["default"] or "word", source)


def _without_digests(source: str) -> str:
    """The library refuses a tag beside a digest, which Docker takes."""
    return re.sub(r"@sha256:\w+", "", _interpolated(source))


@pytest.fixture(scope="module")
def services(source: str) -> dict[str, Any]:
    compose = PyCompose.from_yaml(_without_digests(source))
    compose.validate()
    found: dict[str, Any] = compose.to_dict()["services"]
    return found


def _names(section: type[BaseModel], prefix: str = PREFIX) -> Iterator[str]:
    for name, field in section.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _names(inner, f"{prefix}{name.upper()}__")
        else:
            yield f"{prefix}{name.upper()}"


def merged(one: Any, other: Any) -> Any:
    """One file's values with those of another one over them, as the engine merges two."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return one | {key: merged(one[key], value) if key in one else value for key, value in other.items()}


def test_a_cluster_is_the_same_with_three_nodes(source: str) -> None:
    over = yaml.safe_load((ROOT / "docker-compose.cluster.yml").read_text(encoding="utf-8"))
    whole = yaml.dump(merged(yaml.safe_load(source), over))
    compose = PyCompose.from_yaml(_without_digests(whole))
    compose.validate()
    found = compose.to_dict()["services"]
    assert set(found) == {"bot", "qdrant", "qdrant-2", "qdrant-3", "postgres", "clamav"}
    assert len({found[name]["image"] for name in ("qdrant", "qdrant-2", "qdrant-3")}) == 1
    assert set(found["bot"]["depends_on"]) == {"postgres", "qdrant", "qdrant-2", "qdrant-3"}
    assert "FUNDSTELLE_QDRANT__PRESET: cluster" in _without_digests(whole)
    for name in ("qdrant", "qdrant-2", "qdrant-3"):
        assert f"http://{name}:6335" in str(found[name]["command"])
        assert found[name]["environment"]["QDRANT__CLUSTER__ENABLED"] == "true"


def test_a_broken_compose_file_is_noticed(source: str) -> None:
    with pytest.raises(ValueError, match="imagee"):
        PyCompose.from_yaml(_without_digests(source).replace("image: postgres", "imagee: postgres"))


def test_services_are_the_bot_its_stores_and_a_scanner_for_who_wants_one(services: dict[str, Any]) -> None:
    assert set(services) == {"bot", "qdrant", "postgres", "clamav"}
    assert [name for name in services if services[name].get("profiles")] == ["clamav"]
    assert set(services["bot"]["depends_on"]) == {"qdrant", "postgres"}
    assert all("healthcheck" in services[name] for name in services)


@pytest.mark.parametrize(
    "file",
    [
        "docker-compose.yml",
        "docker-compose.cluster.yml",
        "Dockerfile",
        "README.md",
        "docs/operators/install.md",
    ],
)
def test_environment_variables_are_settings(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    named = set(re.findall(rf"\b{PREFIX}[A-Z][A-Z0-9_]*[A-Z0-9]", text))
    assert named, "nothing to check"
    assert {name.removesuffix("_FILE") for name in named} <= set(_names(Settings))


def test_secrets_come_from_the_env_file(source: str) -> None:
    secret = [line for line in source.splitlines() if re.search(r"PASSWORD|API_KEY|DATABASE_URL", line)]
    assert secret
    assert all("${" in line for line in secret)
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{(\w+)", source)) == set(re.findall(r"^(\w+)=", example, flags=re.M))
    assert ROOT / ".env" not in tracked()


def test_the_image_is_pinned_and_runs_without_rights() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    found = stages(text)
    outside = {stage.of for stage in found} - {stage.name for stage in found}
    assert all(re.fullmatch(r"debian:\w+-slim@sha256:[0-9a-f]{64}", base) for base in outside)
    assert [stage.steps[-1] for stage in found[-2:]] == [("USER", "fundstelle")] * 2
    assert "HEALTHCHECK" in text


def test_the_containers_serve_and_are_healthy_when_questions_are_answered(services: dict[str, Any]) -> None:
    address = f"http://127.0.0.1:{HttpSettings().port}/readyz"
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert services["bot"]["command"] == ["serve"]
    assert re.search(r'^CMD \["serve"\]$', text, flags=re.M)
    assert address in str(services["bot"]["healthcheck"]["test"])
    assert address in text[text.index("HEALTHCHECK") :]


def test_every_service_has_its_limits(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert re.fullmatch(r"\d+gb?", str(service["mem_limit"])), name
        assert int(service["pids_limit"]) > 0, name


def test_the_bot_is_reached_from_this_machine_alone(services: dict[str, Any]) -> None:
    port = HttpSettings().port
    assert [str(each) for each in services["bot"]["ports"]] == [f"127.0.0.1:{port}:{port}"]
    assert services["bot"]["environment"]["FUNDSTELLE_HTTP__HOST"] == "0.0.0.0"
    assert [name for name in services if services[name].get("ports")] == ["bot"]


def test_images_of_the_stores_are_pinned(source: str) -> None:
    images = re.findall(r"^ +image: (?!fundstelle:)(.+)$", _interpolated(source), flags=re.M)
    assert len(images) == 3
    assert all(re.fullmatch(r"[\w/-]+:v?\d+[\w.-]*@sha256:[0-9a-f]{64}", image) for image in images)
