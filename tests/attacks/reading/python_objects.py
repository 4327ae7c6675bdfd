"""Goes through every object, module, frame, cached line and thread that the fork server left behind."""

BAIT_CELL = r"""
import gc, inspect, linecache, re, sys

gc.unfreeze()
texts = [item for item in gc.get_objects() if isinstance(item, dict)]
found = {
    text
    for item in texts
    for text in list(item.values())
    if isinstance(text, (str, bytes))
    and re.search(
        r"bait-[a-z]+-[0-9a-f]{16}|HIDDEN TESTS", text if isinstance(text, str) else text.decode("latin-1")
    )
}
print("GOT", [text[:300] for text in found])
for name, module in list(sys.modules.items()):
    if name.startswith("coursekit"):
        tried(
            lambda: (name, [(key, value) for key, value in vars(module).items() if "master" in key.lower()])
        )
tried(
    lambda: inspect.getsource(sys.modules["coursekit.engine.examiner.examine"]),
    lambda: sorted(linecache.cache)[:50],
    lambda: [frame.f_locals.keys() for frame in sys._current_frames().values()],
    lambda: sys._getframe(30).f_locals,
    lambda: __import__("coursekit.engine.shared.master").engine.master.read_master(
        open(bait["paths"]["source"], "rb").read(), "", ""
    ),
)
"""
