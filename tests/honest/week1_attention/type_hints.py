"""Type hints of every kind: future annotations, typing, unions, protocols, comments, names that are never defined."""


def habit(submission):
    submission["softmax"] = """
from __future__ import annotations
from typing import TYPE_CHECKING, Annotated, Any, Callable, Literal, Optional, Protocol, TypeVar, Union, cast
if TYPE_CHECKING:
    from jaxtyping import Float
T = TypeVar("T", bound=np.ndarray)
class Normaliser(Protocol):
    def __call__(self, x: Float[Array, "query key"], axis: int = ...) -> NeverDefined: ...
def softmax(x: Float[np.ndarray, "*batch key"], axis: Literal[-1] | int = -1) -> "Float[np.ndarray, '*batch key']":
    powers: np.ndarray = cast(Any, np.exp(x - x.max(axis, keepdims=True)))  # type: ignore[no-any-return]
    return powers / powers.sum(axis, keepdims=True)
"""
    submission["padding_mask"] = """
from typing import Optional, Tuple, Union
def padding_mask(token_ids: "LongTensor['batch', 'key']", pad_id: Optional[Union[int, Tuple[int]]]) -> torch.BoolTensor:
    # type: (...) -> Tensor
    return (token_ids != pad_id)[:, None, :]
"""
