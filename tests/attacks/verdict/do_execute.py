"""Replaces the kernel's `do_execute`, so that every later cell is answered with "ok" without being run."""

CELL = """
kernel = get_ipython().kernel

async def always_ok(code, silent, store_history=True, user_expressions=None, allow_stdin=False, **more):
    reached()
    return {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}

kernel.do_execute = always_ok
type(kernel).do_execute = lambda self, *args, **kwargs: always_ok(*args, **kwargs)
"""
BEFORE = "scaling"
