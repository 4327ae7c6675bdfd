"""Plants a module, a .pth file and compiled code in site-packages, and edits the grader and the interpreter."""

BAIT_CELL = r"""
import compileall, importlib.util, os, shutil, sys, marshal

packages = bait["paths"]["packages"]
name = bait["trace"]
tried(
    lambda: open(f"{packages}/{name}.pth", "w").write("import os"),
    lambda: open(f"{packages}/sitecustomize.py", "a"),
    lambda: os.symlink("/tmp", f"{packages}/{name}"),
    lambda: open(f"{bait['paths']['coursekit']}/engine/coordinator/grade.py", "a"),
    lambda: open(np.__file__, "r+b"),
    lambda: open(importlib.util.cache_from_source(np.__file__), "r+b"),
    lambda: os.replace("x", importlib.util.cache_from_source(np.__file__)),
    lambda: os.unlink(np.__file__),
    lambda: os.rename(np.__file__, np.__file__ + name),
    lambda: open(sys.executable, "r+b"),
    lambda: os.truncate(np.__file__, 0),
    lambda: os.open(np.__file__, os.O_TRUNC),
    lambda: os.mkdir(f"{packages}/{name}"),
    lambda: os.link(np.__file__, "mine.py") or open("mine.py", "a").write(""),
    lambda: os.chmod(np.__file__, 0),
    lambda: os.utime(np.__file__, (0, 0)),
    lambda: shutil.rmtree(f"{packages}/pip"),
    lambda: os.system(f"{sys.executable} -m pip install --no-index --target {packages} {name}"),
)
"""
