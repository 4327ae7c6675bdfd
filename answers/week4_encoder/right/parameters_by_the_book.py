"""parameters: each part in a line of its own.

Question: parameters
"""


def block_parameters(d_model, d_ff):
    attention = 4 * d_model * d_model + 4 * d_model
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    norms = 4 * d_model
    return {"attention": attention, "feed_forward": feed_forward, "norms": norms}


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = vocab_size * d_model + max_length * d_model + num_segments * d_model + 2 * d_model
    block = block_parameters(d_model, d_ff)
    blocks = num_layers * (block["attention"] + block["feed_forward"] + block["norms"])
    pooler = d_model * d_model + d_model
    return {
        "embeddings": embeddings,
        "blocks": blocks,
        "pooler": pooler,
        "total": embeddings + blocks + pooler,
    }
