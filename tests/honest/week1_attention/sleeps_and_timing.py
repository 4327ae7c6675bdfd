"""Sleeps, takes times, counts until something happens: `while True` with a break."""


def habit(submission):
    submission.add(
        "import time, timeit, datetime\nstart = time.time()\ntime.sleep(1)\nprint(datetime.datetime.now(), time.time() - start)\n"
        "count = 0\nwhile True:\n    count += 1\n    if count > 100_000: break\nprint(timeit.timeit('1 + 1', number=1000))"
    )
    submission.replace("causal_mask", "    return", "    time.sleep(0.05)\n    return")
