"""Dataclasses, named tuples and enums; one named tuple is what a function gives back."""


def habit(submission):
    submission["attention"] = """
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
class Blocked(Enum):
    SCORE = float("-inf")
Attention = namedtuple("Attention", "output weights")
@dataclass(frozen=True)
class Head:
    Q: torch.Tensor
    K: torch.Tensor
    def scores(self):
        return self.Q @ self.K.transpose(-2, -1) / math.sqrt(self.K.size(-1))
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Head(Q, K).scores()
    if mask is not None:
        scores = torch.where(mask, scores, Blocked.SCORE.value)
    weights = torch.softmax(scores, -1)
    return Attention(weights @ V, weights)
"""
