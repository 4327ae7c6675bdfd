"""`coursekit.__all__`: what other programs may use is there, described, and loads no more than it needs."""

import ast
import re
import subprocess
import sys

from small_course import ROOT

import coursekit

PAGE = (ROOT / "docs" / "package.md").read_text(encoding="utf-8")


def test_type_checkers_see_the_public_names_where_they_are():
    tree = ast.parse((ROOT / "coursekit" / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0]
    seen = {
        alias.asname: node.module.removeprefix("coursekit.")
        for node in imports
        for alias in node.names
        if alias.asname
    }
    assert seen == coursekit._WHERE


def test_each_public_name_is_there_and_on_the_page():
    for name in coursekit.__all__:
        assert getattr(coursekit, name).__doc__, name
        assert re.search(rf"`{name}[`(]|import .*\b{name}\b", PAGE), (
            f"docs/package.md does not describe {name}"
        )


def test_the_page_uses_public_names_alone():
    imported = re.findall(r"^from (coursekit\S*) import", PAGE, re.MULTILINE)
    assert imported and set(imported) == {"coursekit"}


def test_a_result_is_read_without_a_gradebook():
    code = "import sys, coursekit; coursekit.Result; print('nbgrader' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
