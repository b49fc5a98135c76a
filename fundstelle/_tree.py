"""In a working tree `fundstelle.core` is `core`, which is beside this package: one module, two names."""

from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = ("bot", "core", "adapters", "migrations", "examples")


class Beside(MetaPathFinder, Loader):
    """Finds `fundstelle.NAME` as `NAME`."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """A spec for a module beside this package; None for anything else."""
        package, _, name = fullname.partition(".")
        if package != "fundstelle" or name.partition(".")[0] not in PACKAGES:
            return None
        return ModuleSpec(fullname, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module under its own name."""
        module = import_module(spec.name.partition(".")[2])
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module has already run under its own name."""
        spec = module.__spec__
        if spec is not None and spec.name in self._specs:
            module.__spec__ = self._specs.pop(spec.name)
