"""Commands beside the service have what the service has: user, data folder, settings and secrets."""

import re
import subprocess
from pathlib import Path

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = (DEPLOY / "fundstelle.service").read_text()
COMMAND = (DEPLOY / "fundstelle-of-service").read_text()


def stated(key: str) -> str:
    found = re.search(rf"^{key}=(.+)$", UNIT, re.MULTILINE)
    assert found is not None
    return found[1]


def test_it_is_a_shell_script() -> None:
    subprocess.run(["sh", "-n", DEPLOY / "fundstelle-of-service"], check=True)


def test_it_states_what_the_unit_states() -> None:
    assert f"--uid={stated('User')}" in COMMAND
    assert f"--gid={stated('Group')}" in COMMAND
    assert f"EnvironmentFile={stated('EnvironmentFile')}" in COMMAND
    assert f"--setenv={stated('Environment')}" in COMMAND
    program, _, arguments = stated("ExecStart").partition(" serve ")
    assert f'{program} "$@" {arguments}' in COMMAND


def test_the_handbook_installs_it_where_its_commands_are_found() -> None:
    handbook = (DEPLOY.parent / "docs" / "operators" / "run.md").read_text()
    assert "deploy/fundstelle-of-service /usr/local/bin/fundstelle" in handbook
