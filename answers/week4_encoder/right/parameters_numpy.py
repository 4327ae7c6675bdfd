"""parameters: products by numpy, so the counts are numpy integers.

Question: parameters
"""


def block_parameters(d_model, d_ff):
    square = np.prod([d_model, d_model]) + d_model
    return {
        "attention": 4 * square,
        "feed_forward": 2 * np.prod([d_model, d_ff]) + d_ff + d_model,
        "norms": np.int64(4 * d_model),
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    rows = np.array([vocab_size, max_length, num_segments, 1, 1])
    parts = {"embeddings": (rows * d_model).sum()}
    parts["blocks"] = num_layers * sum(block_parameters(d_model, d_ff).values())
    parts["pooler"] = np.int64(d_model * (d_model + 1))
    return {**parts, "total": np.sum(list(parts.values()))}
