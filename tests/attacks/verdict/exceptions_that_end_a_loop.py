"""Raises exceptions that could end a test without a failure: StopIteration, GeneratorExit, KeyboardInterrupt."""

ANSWER = """
class TestTimeout(BaseException):
    pass
class Passed(AssertionError):
    def __str__(self):
        raise StopIteration
    def __bool__(self):
        return False
kinds = [StopIteration, StopAsyncIteration, GeneratorExit, TestTimeout, Passed, KeyboardInterrupt, SystemExit, Warning,
         type("StopIteration", (Exception,), {}), type("PASSED", (Exception,), {}), BaseExceptionGroup]
# Each cell defines all this again: what is left of the turn goes on.
turn = globals().get("turn") or kinds * 5

def give_up(*args, **kwargs):
    kind = turn.pop()
    reached(len(turn) <= 4 * len(kinds))
    raise kind("passed", [Exception()]) if kind is BaseExceptionGroup else kind("passed")

class Endless:
    def __iter__(self):
        return self
    def __next__(self):
        give_up()
    def __getattr__(self, name):
        give_up()
    def __len__(self):
        give_up()

softmax = scaled_dot_product_attention = give_up
causal_mask = padding_mask = lambda *args: Endless()
dot_product_variance = softmax_entropy = give_up
"""
