"""Uses IPython's magics and hooks against later cells: events, modes, the prefilter."""

CELL = """
shell = get_ipython()
for line in ("%xmode Minimal", "%automagic on", "%autocall 2", "%colors NoColor", "%logstop", "%pdb on", "%doctest_mode"):
    try:
        shell.run_line_magic(*line[1:].split(" ", 1)) if " " in line else shell.run_line_magic(line[1:], "")
    except BaseException as error:
        print(type(error).__name__)
shell.events.register("pre_run_cell", lambda info: shell.user_ns.update(check_close=print))
shell.events.register("post_run_cell", lambda result: setattr(result, "error_in_exec", None))
def trigger(*args, **kwargs):
    reached()
shell.events.trigger = trigger
shell.prefilter_manager.prefilter_lines = lambda *args, **kwargs: "pass"
"""
BEFORE = "scaling"
