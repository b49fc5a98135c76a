"""What a command costs in a process of its own, in seconds of processor time with that of its children:
`python -m benchmarks.starts LIBRARY [--beside TREE]`.

`--beside` is the working tree of another version, whose runs alternate with this one's. The median of
`--runs` is printed, after a run that is not counted: it compiles, and keeps what the next ones find.
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
QUESTION = "Was steht zum Mindestlohn im Programm?"
START = "import sys; sys.path.insert(0, {tree!r}); from fundstelle import main; main()"


def spent(tree: Path, arguments: list[str]) -> float:
    """Seconds of processor time of one run."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", START.format(tree=str(tree)), *arguments]
    subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path, help="data folder of a library on which no bot runs")
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--beside", type=Path)
    asked = parser.parse_args()
    data = ["--data", str(asked.library.resolve())]
    trees = [ROOT, *([asked.beside.resolve()] if asked.beside else [])]
    for command in (["--version"], ["documents", *data], ["ask", *data, asked.question]):
        runs = [[spent(tree, command) for tree in trees] for _ in range(asked.runs + 1)][1:]
        for tree, seconds in zip(trees, zip(*runs, strict=True), strict=True):
            print(
                f"{command[0]:<10} {median(seconds):5.2f} s  {min(seconds):.2f} to {max(seconds):.2f}  {tree}"
            )


if __name__ == "__main__":
    main()
