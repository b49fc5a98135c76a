"""Carries out a Dockerfile in bare Debian roots: no container engine, the same steps one after the other.

Each stage begins as a copy of the root or stage that it is made from; `RUN` is run in it by chroot(8), `COPY`
copies the files that `.dockerignore` lets through. Needs root's rights and debootstrap(8).
"""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Step = tuple[str, str]

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

OF_THE_MACHINE = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
"""This machine's access to the package indexes, which a container engine passes on in its own way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStage:
    """A stage of the file: its `name`, what it is made `of`, and its steps."""

    name: str
    of: str
    steps: tuple[Step, ...]


@dataclass(slots=True, kw_only=True)
class BuiltRoot:
    """A stage that was carried out: its folder, variables, user, working folder and command."""

    folder: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    user: str = "root"
    workdir: str = "/"
    command: list[str] = field(default_factory=list)

    def run(self, command: str) -> str:
        """The output of `command` run in here as the image's user. Raises AssertionError if it fails."""
        words = ["chroot", f"--userspec={self.user}:{self.user}", str(self.folder), "env", "-i", "HOME=/tmp"]
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        inside = shlex.join([*words, *variables, "sh", "-c", f"cd {shlex.quote(self.workdir)} && {command}"])
        mounted = f"mount --bind /proc {shlex.quote(str(self.folder / 'proc'))} && {inside}"
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", mounted],  # what is mounted goes with the process
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout


def stages(dockerfile: str) -> list[BuildStage]:
    """The stages of a Dockerfile, in order."""
    found: list[BuildStage] = []
    for word, rest in _instructions(dockerfile):
        if word == "FROM":
            of, _, name = rest.partition(" AS ")
            found.append(BuildStage(name=name.strip(), of=of.strip(), steps=()))
        else:
            last = found.pop()
            found.append(BuildStage(name=last.name, of=last.of, steps=(*last.steps, (word, rest))))
    return found


def build(dockerfile: str, context: Path, bare: Path, folder: Path) -> dict[str, BuiltRoot]:
    """Carry out every stage below `folder`, beginning with the `bare` root."""
    built: dict[str, BuiltRoot] = {}
    for stage in stages(dockerfile):
        parent = built.get(stage.of, BuiltRoot(folder=bare))
        root = BuiltRoot(
            folder=folder / stage.name,
            environment=dict(parent.environment),
            user=parent.user,
            workdir=parent.workdir,
            command=parent.command,
        )
        subprocess.run(
            ["cp", "--archive", "--reflink=auto", str(parent.folder), str(root.folder)], check=True
        )
        for word, rest in stage.steps:
            _carry_out(word, rest, root, built, context)
        built[stage.name] = root
    return built


def _instructions(dockerfile: str) -> Iterator[Step]:
    text = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.M))
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


def _carry_out(word: str, rest: str, root: BuiltRoot, built: dict[str, BuiltRoot], context: Path) -> None:
    if word == "RUN":
        _reach_the_indexes(root.folder)  # each time: installing certificates replaces the machine's
        root.run(rest)
    elif word == "COPY":
        _copy(shlex.split(rest), root, built, context)
    elif word == "ENV":
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            root.environment[name] = re.sub(r"\$(\w+)", lambda m: root.environment[m[1]], value)
    elif word == "WORKDIR":
        root.workdir = rest
        (root.folder / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
    elif word == "USER":
        root.user = rest
    elif word in ("ENTRYPOINT", "CMD"):
        root.command = [*root.command, *json.loads(rest)] if word == "CMD" else json.loads(rest)
    elif word not in ("LABEL", "VOLUME", "HEALTHCHECK"):
        raise AssertionError(f"{word} is not known here")


def _copy(words: Sequence[str], root: BuiltRoot, built: dict[str, BuiltRoot], context: Path) -> None:
    options = [word for word in words if word.startswith("--from=")]
    *sources, target = [word for word in words if not word.startswith("--")]
    there = root.folder / (root.workdir if not target.startswith("/") else target).lstrip("/")
    for source in sources:
        if options:
            origin = built[options[0].removeprefix("--from=")].folder / source.lstrip("/")
            subprocess.run(["cp", "--archive", str(origin), str(there)], check=True)
        elif source == ".":
            for name in _let_through(context):
                _put(context / name, there / name)
        else:
            _put(context / source, there / source)


def _let_through(context: Path) -> Iterator[str]:
    """Names at the top that `.dockerignore`, which refuses everything else, lets through."""
    for line in (context / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if line.startswith("!"):
            yield line[1:]


def _put(source: Path, target: Path) -> None:
    if source.is_dir():
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def _reach_the_indexes(root: Path) -> None:
    for name in OF_THE_MACHINE:
        if Path(name).exists():
            (root / name[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, root / name[1:])
