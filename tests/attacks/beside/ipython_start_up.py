"""Hands in an IPython profile and kernel settings with start-up files, and writes them where a kernel looks."""

RUN = b"import builtins\nbuiltins.isinstance = lambda *args: True\nget_ipython().ast_transformers.clear()\n"
CELL = """
import os, pathlib
for home in (os.path.expanduser("~"), os.environ.get("IPYTHONDIR", "."), os.environ.get("JUPYTER_CONFIG_DIR", "."), "/etc/ipython", "/usr/etc/jupyter"):
    for name in (".ipython/profile_default/startup/00.py", "profile_default/startup/00.py", "ipython_config.py", "jupyter_config.py"):
        try:
            path = pathlib.Path(home, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("import builtins; builtins.isinstance = lambda *args: True")
            print("written", path)
        except OSError as error:
            print(error.strerror)
reached()
os._exit(1)
"""
BEFORE = "scaling"
FILES = dict.fromkeys(
    (
        ".ipython/profile_default/startup/00-first.py",
        ".ipython/profile_default/ipython_config.py",
        "ipython_config.py",
        "ipython_kernel_config.py",
        ".jupyter/jupyter_server_config.py",
        "kernels/python3/kernel.json",
    ),
    RUN,
)
