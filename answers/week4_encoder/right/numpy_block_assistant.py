"""numpy_block: typed, with the weights unpacked first.

Question: numpy_block
"""


def layer_norm_numpy(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Normalize over the last axis."""
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(np.square(x - mean), axis=-1, keepdims=True)
    normalized = (x - mean) / np.sqrt(variance + eps)
    return gamma * normalized + beta


def feed_forward_numpy(
    x: np.ndarray, W_1: np.ndarray, b_1: np.ndarray, W_2: np.ndarray, b_2: np.ndarray
) -> np.ndarray:
    """Two-layer MLP with ReLU."""
    hidden = np.matmul(x, W_1.transpose()) + b_1
    activated = np.maximum(hidden, 0.0)
    return np.matmul(activated, W_2.transpose()) + b_2


def encoder_block_numpy(
    x: np.ndarray, weights: dict[str, np.ndarray], num_heads: int, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Post-norm Transformer encoder block."""
    network = [weights[f"feed_forward.{name}"] for name in ("linear1.weight", "linear1.bias")]
    network += [weights[f"feed_forward.{name}"] for name in ("linear2.weight", "linear2.bias")]

    # 1. Self-attention with residual connection
    attention_output, attention_weights = attention_numpy(x, weights, num_heads, mask)
    x = x + attention_output
    x = layer_norm_numpy(x, weights["norm1.gamma"], weights["norm1.beta"])

    # 2. Feed-forward with residual connection
    x = x + feed_forward_numpy(x, *network)
    x = layer_norm_numpy(x, weights["norm2.gamma"], weights["norm2.beta"])
    return x, attention_weights
