"""Constructors in other styles: the old super, nn.Module's own __init__, a base class and a mixin."""


def habit(submission):
    code = submission.source("multi_head")
    code = code.replace("super().__init__()", "super(MultiHeadAttention, self).__init__()")
    code = code.replace("class MultiHeadAttention(nn.Module)", "class MultiHeadAttention(Named, Base)")
    submission.answer(
        "multi_head",
        """
from abc import ABC
class Base(torch.nn.modules.module.Module, ABC):
    def __init__(self, *args, **kwargs):
        torch.nn.Module.__init__(self)
class Named:
    def __init__(self):
        super().__init__()
        self.title = type(self).__name__
    def extra_repr(self): return f"heads={self.num_heads}"
"""
        + code,
    )
