"""Hands in a shared object, and writes one into the scratch folder for LD_PRELOAD, ctypes and execve."""

CELL = """
import ctypes, os, shutil, subprocess, sys
import _heapq
for folder in (".", os.environ.get("TMPDIR", "."), os.environ.get("HOME", ".")):
    try:
        target = os.path.join(folder, "_C.so")
        source = getattr(_heapq, "__file__", None) or ctypes.util.find_library("m")
        shutil.copy(source, target)
        os.chmod(target, 0o755)
        print(ctypes.CDLL(target))
        print(subprocess.run([sys.executable, "-c", "print(1)"], env={**os.environ, "LD_PRELOAD": target}, capture_output=True))
        os.environ["LD_PRELOAD"] = target
    except BaseException as error:
        print(type(error).__name__, error)
for name in ("/proc/self/mem", "/proc/self/maps", "/proc/self/exe"):
    try:
        with open(name, "r+b") as file:
            print(name, file.seek(0), file.read(16))
    except Exception as error:
        print(type(error).__name__)
reached()
"""
FILES = dict.fromkeys(
    ("torch/_C.so", "numpy.cpython-311-x86_64-linux-gnu.so", "_heapq.so", "libm.so.6"),
    b"\x7fELF\x02\x01\x01" + b"\0" * 57,
)
