"""await at the top level of a cell, tasks that run on, asyncio.run in a notebook (which fails)."""


def habit(submission):
    submission["softmax"] = (
        "import asyncio\nawait asyncio.sleep(0)\n"
        + submission["softmax"]
        + "\nawait asyncio.gather(asyncio.sleep(0.01))"
    )
    submission.add(
        "async def forever():\n    while True: await asyncio.sleep(0.01)\ntask = asyncio.create_task(forever())",
        after="softmax",
    )
    submission.add("async def main(): return 1\nasyncio.run(main())", after="softmax")
