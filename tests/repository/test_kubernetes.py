"""The manifests for Kubernetes: valid by its schemas, and true to the image, the settings and each other."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.service.capacity import CONSTANTS
from bot.service.serving_lease import ServingRole
from bot.settings.tree import load
from tests.support.repository import ROOT

kubernetes_validate = pytest.importorskip(
    "kubernetes_validate", reason="kubernetes-validate is not installed: make install-dev"
)

FOLDER = ROOT / "deploy" / "kubernetes"
OLDEST, NEWEST = "1.29", kubernetes_validate.latest_version()
UNITS = {"Mi": 2**20, "Gi": 2**30}


def documents(file: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(file.read_text(encoding="utf-8")))


MANIFESTS = [
    pytest.param(each, id=f"{file.name}-{each['kind']}")
    for file in sorted(FOLDER.glob("*.yaml"))
    if file.name != "kustomization.yaml"
    for each in documents(file)
]
ALL: list[dict[str, Any]] = [each.values[0] for each in MANIFESTS]  # type: ignore[misc]
PODS = {
    each["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]["template"]
    for each in ALL
    if each["kind"] in ("Deployment", "Job")
}


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize("manifest", MANIFESTS)
def test_each_is_valid(manifest: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_an_unknown_field_would_be_noticed() -> None:
    broken = yaml.safe_load(yaml.dump(next(each for each in ALL if each["kind"] == "Deployment")))
    broken["spec"]["template"]["spec"]["containers"][0]["imagee"] = "x"
    with pytest.raises(kubernetes_validate.ValidationError, match="imagee"):
        kubernetes_validate.validate(broken, NEWEST, strict=True)


def test_all_are_applied_together_but_the_migration() -> None:
    (listed,) = documents(FOLDER / "kustomization.yaml")
    files = {file.name for file in FOLDER.glob("*.yaml")}
    assert set(listed["resources"]) == files - {"kustomization.yaml", "migrate.yaml"}


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_none_has_a_namespace_or_a_secret(manifest: dict[str, Any]) -> None:
    assert manifest["kind"] != "Secret"
    assert "namespace" not in manifest["metadata"]
    variables = re.findall(r"name: (FUNDSTELLE_\w+)", yaml.dump(manifest))
    assert set(variables) <= {"FUNDSTELLE_DATA"}


@pytest.mark.parametrize("name", PODS)
def test_each_runs_as_the_image_does_and_without_rights(name: str) -> None:
    pod = PODS[name]["spec"]
    (container,) = pod["containers"]
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    user = re.search(r"--uid (\d+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    assert user is not None
    assert container["image"] == compose["services"]["bot"]["image"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == int(user[1])
    assert pod["automountServiceAccountToken"] is False
    own = container["securityContext"]
    assert own["readOnlyRootFilesystem"] is True
    assert own["allowPrivilegeEscalation"] is False
    assert own["capabilities"] == {"drop": ["ALL"]}
    assert {each["mountPath"] for each in container["volumeMounts"]} == {"/data", "/tmp", "/etc/fundstelle"}
    grace = compose["services"]["bot"]["stop_grace_period"]
    assert pod["terminationGracePeriodSeconds"] >= int(grace.removesuffix("s"))


@pytest.mark.parametrize("name", PODS)
def test_each_gets_the_memory_that_was_measured(name: str) -> None:
    (container,) = PODS[name]["spec"]["containers"]
    wanted, most = (size(container["resources"][each]["memory"]) for each in ("requests", "limits"))
    assert wanted <= most
    if name in ("answers", "library"):
        assert wanted >= CONSTANTS["process_memory"].value


def size(stated: str) -> int:
    return int(stated[:-2]) * UNITS[stated[-2:]]


def test_the_roles_are_all_there_and_each_is_one() -> None:
    roles = {
        name: pod["spec"]["containers"][0]["args"][2]
        for name, pod in PODS.items()
        if pod["spec"]["containers"][0]["args"][0] == "serve"
    }
    assert roles == {name: name for name in roles}
    assert set(map(ServingRole, roles.values())) == set(ServingRole) - {ServingRole.ALL}


def test_the_settings_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (written,) = [each for each in ALL if each["kind"] == "ConfigMap"]
    (config,) = written["data"]
    (tmp_path / config).write_text(written["data"][config], encoding="utf-8")
    monkeypatch.setenv("FUNDSTELLE_DATABASE_URL", "postgresql://fundstelle@postgres/fundstelle")
    settings = load(data=tmp_path, config=tmp_path / config).settings
    assert settings.qdrant.url
    assert settings.files.url
    for pod in PODS.values():
        assert pod["spec"]["containers"][0]["args"][-2:] == ["--config", f"/etc/fundstelle/{config}"]


def test_what_selects_pods_selects_those_that_are_there() -> None:
    served = {name for name, pod in PODS.items() if pod["spec"]["containers"][0]["args"][0] == "serve"}
    budgets = {component(each["spec"]["selector"]["matchLabels"]) for each in of_kind("PodDisruptionBudget")}
    services = {component(each["spec"]["selector"]) for each in of_kind("Service")}
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in of_kind("HorizontalPodAutoscaler")}
    assert budgets == served
    assert services == {"front", "answers"}
    assert scaled == {"fundstelle-answers"}
    (policy,) = of_kind("NetworkPolicy")
    chosen = policy["spec"]["podSelector"]["matchLabels"].items()
    assert all(chosen <= pod["metadata"]["labels"].items() for pod in PODS.values())
    ports = {port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]}
    assert ports == {53, 80, 443, 5432, 6333}


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [each for each in ALL if each["kind"] == kind]


def component(labels: dict[str, str]) -> str:
    return labels["app.kubernetes.io/component"]
