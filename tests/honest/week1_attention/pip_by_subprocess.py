"""Installs what is missing from Python: import in a try, pip in a subprocess, import again."""


def habit(submission):
    submission["attention"] = """
try:
    import opt_einsum
except ImportError:
    import subprocess, sys
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "opt_einsum"])
    try:
        import opt_einsum
    except ImportError:
        opt_einsum = None
""" + submission["attention"]
    submission.add("import os\nos.system('pip install rotary-embedding-torch > /dev/null')")
