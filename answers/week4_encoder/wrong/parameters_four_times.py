"""parameters: takes the inner size to be four times d_model.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_feed_forward
Tell: The argument d_ff has no effect in the feed-forward part: it need not be four times d_model.
"""


def block_parameters(d_model, d_ff):
    return {
        "attention": 4 * (d_model**2 + d_model),
        "feed_forward": 8 * d_model**2 + 5 * d_model,
        "norms": 4 * d_model,
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model + 2 * d_model
    blocks = num_layers * sum(block_parameters(d_model, d_ff).values())
    pooler = d_model**2 + d_model
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
