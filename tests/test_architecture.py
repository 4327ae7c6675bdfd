"""Which package imports which: only downwards, without a circle, and in the engine by who is trusted.

`ALLOWED` and `ENGINE` are the rules; docs/architecture.md explains them.
"""

import ast
import graphlib
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "coursekit"
FOUNDATION = {"files", "progress"}  # helpers that know nothing of courses

# {package or module of coursekit: what it may import of the others}
ALLOWED = {
    "files": set(),
    "progress": set(),
    "private_names": set(),
    "engine": set(),
    "drive": {"engine"},
    "confined": {"engine"},
    "course": {"engine"},
    "gradebook": {"course", "confined", "engine"},
    "intake": {"gradebook", "course", "drive", "engine"},
    "grading": {"intake", "gradebook", "course", "engine"},
    "authoring": {"grading", "intake", "gradebook", "course", "drive", "engine"},
    "deliver": {"grading", "intake", "gradebook", "course", "confined", "engine"},
    "doctor": {"gradebook", "course", "engine"},
    "pipeline": {
        *("authoring", "deliver", "grading", "intake", "gradebook", "course", "confined", "drive"),
        *("doctor", "engine"),
    },
    "serve": {"deliver", "grading", "gradebook", "course", "engine"},
    "demo": {"pipeline", "authoring", "deliver", "grading", "intake", "gradebook", "course", "engine"},
    "cli": {
        *("authoring", "deliver", "grading", "intake", "gradebook", "course", "drive", "engine"),
        *("pipeline", "demo", "doctor", "serve"),
    },
}
# {folder of the engine, one per kind of process: what it may import of the others}
ENGINE = {
    "shared": set(),
    "reader": {"shared"},
    "kernel": {"shared"},
    "examiner": {"shared"},
    "supervisor": {"shared", "reader", "kernel", "examiner"},  # it forks them
    "coordinator": {"shared", "supervisor"},
}
# What the rest of coursekit may use of the engine: nothing that meets hostile bytes.
ENGINE_FROM_ABOVE = (
    "coursekit.engine.coordinator",
    "coursekit.engine.shared",
    "coursekit.engine.supervisor.sandbox",
)
# Found by their entry points alone: the tool works without them.
PLUG_INS = ("coursekit.authoring.lesson",)


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path, package=PACKAGE):
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(package=PACKAGE):
    """The package's modules; not the files of the small course that it carries."""
    return [path for path in sorted(package.rglob("*.py")) if "small_course" not in path.parts]


def read_imports(package=PACKAGE):
    """{module: the package's modules that it imports}, wherever in its code: also late, and for its types alone."""
    paths = {module_of(path, package): path for path in sources(package)}
    found = {}
    for module, path in paths.items():
        found[module] = set()
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: use absolute imports"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                while name and name not in paths:
                    name = name.rpartition(".")[0]
                if name and name != package.name:
                    found[module].add(name)
    return found


def is_within(module, package):
    return module == package or module.startswith(f"{package}.")


def violations(imports):
    """A line for each import that no rule allows."""
    found = []
    for module, names in imports.items():
        own = module.split(".")
        if len(own) == 1:
            continue
        for name in names:
            other = name.split(".")
            if own[1] != other[1]:
                allowed = other[1] in ALLOWED[own[1]] | FOUNDATION
                if other[1] == "engine" and not name.startswith(ENGINE_FROM_ABOVE):
                    allowed = False
            else:
                inside = own[1] == "engine" and len(own) > 2
                allowed = not inside or own[2] == other[2] or other[2] in ENGINE[own[2]]
            if any(is_within(name, plug_in) and not is_within(module, plug_in) for plug_in in PLUG_INS):
                allowed = False
            if not allowed:
                found.append(f"{module} imports {name}")
    return found


def test_every_package_has_a_rule():
    assert {module.split(".")[1] for module in read_imports() if "." in module} == ALLOWED.keys()
    assert {path.parent.name for path in (PACKAGE / "engine").glob("*/__init__.py")} == ENGINE.keys()


def test_imports_follow_the_rules():
    assert violations(read_imports()) == []


def forbidden():
    """Pairs of packages, the first of which must not import the second."""
    for own, allowed in ENGINE.items():
        yield from ((f"engine.{own}", f"engine.{other}") for other in ENGINE.keys() - allowed - {own})
    for own, allowed in ALLOWED.items():
        yield from ((own, other) for other in ALLOWED.keys() - allowed - {own, "engine"} - FOUNDATION)
    yield from (("deliver", f"engine.{other}") for other in ("reader", "kernel", "examiner"))
    yield from (
        ("engine.shared", "course"),
        ("authoring.checks", "authoring.lesson"),
        ("cli", "authoring.lesson"),
    )


def test_a_violation_of_each_rule_is_found():
    for own, other in forbidden():
        planted = {f"coursekit.{own}.planted": {f"coursekit.{other}.planted"}}
        assert violations(planted) == [f"coursekit.{own}.planted imports coursekit.{other}.planted"]


def test_no_circle_of_imports():
    graphlib.TopologicalSorter(read_imports()).prepare()


@pytest.mark.parametrize("back", ["import sample.one", "def act():\n    from sample.one import name"])
def test_a_circle_would_be_found(tmp_path, back):
    package = tmp_path / "sample"
    package.mkdir()
    for name, source in {"__init__": "", "one": "from sample import two\n", "two": back}.items():
        (package / f"{name}.py").write_text(source)
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter(read_imports(package)).prepare()


def test_only_torch_modules_import_torch():
    """A course without torch grades without it."""
    for path in (PACKAGE / "engine").rglob("*.py"):
        if not path.name.startswith("torch_"):
            imported = [
                name
                for node in ast.walk(parsed(path))
                if isinstance(node, ast.Import | ast.ImportFrom)
                for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
            ]
            assert not any(name and name.split(".")[0] == "torch" for name in imported), path


def test_a_module_is_imported_under_its_own_name():
    for path in sources():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("coursekit"):
                assert [alias.name for alias in node.names if alias.asname not in (None, alias.name)] == [], (
                    path
                )


def test_one_meaning_per_class_name():
    where = defaultdict(list)
    for path in sources():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(module_of(path))
    assert {name: modules for name, modules in where.items() if len(modules) > 1} == {}
