"""Decorators: an own one that takes the time, functools.wraps, cache and lru_cache, a class as decorator."""


def habit(submission):
    submission.add(
        """
import functools, time
def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            print(function.__name__, time.perf_counter() - start)
    return inner
class Counted:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function, self.calls = function, 0
    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)
"""
    )
    submission["softmax"] = "@timed\n" + submission["softmax"]
    submission["attention"] = "@Counted\n@timed\n" + submission["attention"]
    submission["causal_mask"] = "@functools.cache\n" + submission["causal_mask"]
    submission["padding_mask"] = "@functools.lru_cache(maxsize=8)\n" + submission["padding_mask"]
