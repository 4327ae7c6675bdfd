"""Initialises weights by hand with a helper function and apply; type hints on the methods; an added method."""


def habit(submission):
    helper = """
from __future__ import annotations
def start_weights(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)
"""
    code = submission["multi_head"].replace(
        "return\n", "self.apply(start_weights); self.reset(); return\n", 1
    )
    submission["multi_head"] = f"""{helper}{code}
    def reset(self) -> MultiHeadAttention:
        for layer in self.children(): layer.reset_parameters()
        return self
"""
