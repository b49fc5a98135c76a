"""How long the product's modules and functions are: `python -m benchmarks.sizes`."""

import ast
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "core", "adapters")
SHOWN = 5


def functions(path: Path) -> dict[str, int]:
    """Lines of each function in a module, decorators apart, by its name and place."""
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {
        f"{path.relative_to(ROOT)}:{each.lineno} {each.name}": (each.end_lineno or each.lineno)
        - each.lineno
        + 1
        for each in found
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def main() -> None:
    """Print the figures."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    modules = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in paths}
    lengths = {name: lines for path in paths for name, lines in functions(path).items()}
    print(f"{sum(modules.values())} lines in {len(modules)} modules of {', '.join(PACKAGES)}")
    for what, found in (("modules", modules), ("functions", lengths)):
        p90 = quantiles(found.values(), n=10)[-1]
        print(f"{what}: median {median(found.values()):.0f}, p90 {p90:.0f}, largest {max(found.values())}")
        for name in sorted(found, key=lambda each: -found[each])[:SHOWN]:
            print(f"  {found[name]:>4} {name}")


if __name__ == "__main__":
    main()
