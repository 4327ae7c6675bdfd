"""parameters: typed and documented, with intermediate names for everything.

Question: parameters
"""


def block_parameters(d_model: int, d_ff: int) -> dict[str, int]:
    """Return the number of parameters of each part of an encoder block."""
    # Attention: W_Q, W_K, W_V, W_O
    weights_per_projection = d_model**2
    bias_per_projection = d_model
    attention_total = 4 * (weights_per_projection + bias_per_projection)

    # Feed-forward: expand and contract
    expand = d_model * d_ff + d_ff
    contract = d_ff * d_model + d_model

    # Two layer norms with gamma and beta
    norm_total = 2 * (d_model + d_model)
    return {"attention": attention_total, "feed_forward": expand + contract, "norms": norm_total}


def bert_parameters(
    vocab_size: int, max_length: int, num_segments: int, num_layers: int, d_model: int, d_ff: int
) -> dict[str, int]:
    """Return the number of parameters of a BERT encoder with pooler."""
    token_table = vocab_size * d_model
    position_table = max_length * d_model
    segment_table = num_segments * d_model
    embedding_norm = 2 * d_model
    result: dict[str, int] = {
        "embeddings": token_table + position_table + segment_table + embedding_norm,
        "blocks": num_layers * sum(block_parameters(d_model, d_ff).values()),
        "pooler": d_model * d_model + d_model,
    }
    result["total"] = result["embeddings"] + result["blocks"] + result["pooler"]
    return result
