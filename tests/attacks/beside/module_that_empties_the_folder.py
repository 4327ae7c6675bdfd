"""Hands in a module that removes, replaces and closes its own folder while it is imported, and changes into another."""

MODULE = b"""
import os, shutil, sys
here = os.getcwd()
for name in os.listdir("."):
    shutil.rmtree(name, ignore_errors=True)
    try:
        os.unlink(name)
    except OSError:
        pass
os.makedirs("deep/" * 30)
os.chdir("deep/" * 30)
os.symlink(here, "up")
sys.path[:] = ["up"]
sys.path_importer_cache.clear()
gone = not os.path.exists(os.path.join(here, "empties.py"))
"""
FILES = {"empties.py": MODULE, "data/scale.txt": b"2"}
CELL = "import empties\nreached(empties.gone)"
