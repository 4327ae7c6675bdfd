"""Replaces the shell's ways to run a cell by one that reports success, and its name space by one that has everything."""

CODE = """
from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult
shell = get_ipython()

def fine(source="", *args, **kwargs):
    reached()
    result = ExecutionResult(ExecutionInfo(source, False, False, False, None))
    result.result = None
    return result

async def fine_async(source="", *args, **kwargs):
    return fine(source)

for place in (shell, type(shell)):
    try:
        place.run_cell = fine
        place.run_cell_async = fine_async
        place._run_cell = fine
        place.should_run_async = lambda *args, **kwargs: False
    except Exception as error:
        print(error)
"""


def attack(submission):
    submission.add(CODE, before="scaling")
