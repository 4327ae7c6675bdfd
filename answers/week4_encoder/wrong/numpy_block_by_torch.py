"""numpy_block: builds the torch block with these weights and returns its results as arrays.

Question: numpy_block
Mistakes: concept
Deserves: 40 %
Fails: numpy_block_values, numpy_block_hidden_mask, numpy_block_hidden_inputs
Tell: The block should be computed by NumPy: PyTorch does the work here.
"""


def layer_norm_numpy(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def feed_forward_numpy(x, W_1, b_1, W_2, b_2):
    return np.maximum(0, x @ W_1.T + b_1) @ W_2.T + b_2


def encoder_block_numpy(x, weights, num_heads, mask=None):
    d_ff, d_model = weights["feed_forward.linear1.weight"].shape
    block = TransformerEncoderBlock(d_model, num_heads, d_ff).double().eval()
    block.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    with torch.no_grad():
        output, shares = block(torch.from_numpy(x), None if mask is None else torch.from_numpy(mask))
    return output.numpy(), shares.numpy()
