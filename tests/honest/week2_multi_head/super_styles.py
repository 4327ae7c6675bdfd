"""Constructors in other styles: the old super, nn.Module's own __init__, a base class and a mixin."""


def habit(submission):
    submission.replace("multi_head", "super().__init__()", "super(MultiHeadAttention, self).__init__()")
    submission.replace("multi_head", "MultiHeadAttention(nn.Module)", "MultiHeadAttention(Named, Base)")
    bases = """
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
    submission["multi_head"] = bases + submission["multi_head"]
