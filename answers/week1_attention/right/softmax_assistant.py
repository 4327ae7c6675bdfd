"""softmax: the way a chat assistant writes it: type hints, steps, much commenting.

Question: softmax
"""


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Compute the numerically stable softmax of an array.

    Args:
        x: Input array of any shape.
        axis: The axis along which the softmax is computed.

    Returns:
        An array of the same shape as `x` whose entries sum to 1 along `axis`.
    """
    # Step 1: convert the input to a floating point array
    x = np.asarray(x, dtype=np.float64)

    # Step 2: find the maximum value along the given axis for numerical stability
    x_max = np.amax(x, axis=axis, keepdims=True)

    # Step 3: subtract the maximum, so that the largest exponent is exactly 0
    shifted_logits = x - x_max

    # Step 4: exponentiate
    exp_logits = np.exp(shifted_logits)

    # Step 5: normalise so that the values form a probability distribution
    sum_exp = np.sum(exp_logits, axis=axis, keepdims=True)
    probabilities = exp_logits / sum_exp

    # Step 6: return the result
    return probabilities
