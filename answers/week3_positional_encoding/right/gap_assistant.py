"""gap: the way a chat assistant writes it: type hints, no_grad, a matrix for the permutation.

Question: gap
"""

from collections.abc import Callable


def permutation_gap(
    attend: Callable[[torch.Tensor], torch.Tensor],
    x: torch.Tensor,
    permutation: torch.Tensor,
) -> float:
    """Measure how far ``attend`` is from being permutation equivariant."""
    with torch.no_grad():
        # Build the permutation matrix P so that (P @ x)[i] == x[permutation[i]]
        identity = torch.eye(x.shape[0], dtype=x.dtype, device=x.device)
        P = identity[permutation]

        # Path 1: apply the function first, then permute the output
        output_then_permute = P @ attend(x)

        # Path 2: permute the input first, then apply the function
        permute_then_output = attend(P @ x)

        difference = (output_then_permute - permute_then_output).abs()
    return difference.max().item()
