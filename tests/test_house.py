"""Which module imports which: arrows only downwards, and no circle. The picture of it is docs/house.md."""

import ast
import graphlib
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "coursekit"
PICTURE = ROOT / "docs" / "house.md"


def module_of(path, package=PACKAGE):
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(package=PACKAGE):
    """The package's modules; not the files of the small course that it carries."""
    return [path for path in sorted(package.rglob("*.py")) if (path.parent / "__init__.py").exists()]


def read_imports(package=PACKAGE):
    """{module: the package's modules that it imports}, wherever in its code: also late, and for its types alone."""
    paths = {module_of(path, package): path for path in sources(package)}
    found = {}
    for module, path in paths.items():
        found[module] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: say whole names"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                while name and name not in paths:
                    name = name.rpartition(".")[0]
                if name and name != package.name:
                    found[module].add(name)
    return found


def room_of(module):
    """The room of the house that a module belongs to: the name behind `coursekit.`."""
    return module.split(".")[1] if "." in module else module


def read_rooms(imports):
    rooms = defaultdict(set)
    for module, names in imports.items():
        rooms[room_of(module)] |= {room_of(name) for name in names} - {room_of(module)}
    rooms.pop("coursekit")
    return dict(rooms)


def draw(rooms):
    """The picture: floor by floor, each room with those below that it calls, except through another one."""
    order = graphlib.TopologicalSorter(rooms)
    order.prepare()
    below, floors = {}, []
    while order.is_active():
        floor = sorted(order.get_ready())
        lines = []
        for room in floor:
            through = set().union(*(below[other] for other in rooms[room])) if rooms[room] else set()
            below[room] = rooms[room] | through
            lines.append(f"{room:<14}{', '.join(sorted(rooms[room] - through))}".rstrip())
        floors.append("\n".join(lines))
        order.done(*floor)
    return "\n\n".join(reversed(floors)) + "\n"


def test_no_circle_of_imports():
    graphlib.TopologicalSorter(read_imports()).prepare()


@pytest.mark.parametrize("place", ["at the top", "late", "for types"])
def test_a_circle_would_be_found(tmp_path, place):
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("from house import two\n")
    back = {
        "at the top": "import house.one\n",
        "late": "def act():\n    from house.one import name\n",
        "for types": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.one import Name\n",
    }
    (package / "two.py").write_text(back[place])
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter(read_imports(package)).prepare()


def test_the_engine_imports_nothing_above_it():
    for module, names in read_imports().items():
        if room_of(module) == "engine":
            assert {room_of(name) for name in names} <= {"engine"}, module


def test_torch_has_a_room_of_its_own():
    """A course without it grades without it."""
    for path in (PACKAGE / "engine").rglob("*.py"):
        if path.parent.name != "tensors":
            imported = [
                name
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Import | ast.ImportFrom)
                for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
            ]
            assert not any(name and name.split(".")[0] == "torch" for name in imported), path


def test_a_module_is_imported_under_its_own_name():
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("coursekit"):
                assert [alias.name for alias in node.names if alias.asname] == [], path


def test_one_meaning_per_class_name():
    where = defaultdict(list)
    for path in sources():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(module_of(path))
    assert {name: modules for name, modules in where.items() if len(modules) > 1} == {}


def test_the_picture_is_of_this_house():
    """To draw it anew: `python tests/test_house.py`."""
    rooms = read_rooms(read_imports())
    shown = re.search(r"```text\n(.*?)```", PICTURE.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert shown == draw(rooms)


if __name__ == "__main__":
    drawn = draw(read_rooms(read_imports()))
    text = PICTURE.read_text(encoding="utf-8")
    PICTURE.write_text(
        re.sub(r"```text\n.*?```", lambda _: f"```text\n{drawn}```", text, flags=re.DOTALL), encoding="utf-8"
    )
