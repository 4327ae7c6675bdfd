"""parameters: adds the sum of the block as a fourth entry.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_block
Tell: block_parameters should have three entries: leave out what else is in it.
"""


def block_parameters(d_model, d_ff):
    counts = {
        "attention": 4 * (d_model**2 + d_model),
        "feed_forward": 2 * d_model * d_ff + d_ff + d_model,
        "norms": 4 * d_model,
    }
    return counts | {"total": sum(counts.values())}


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model + 2 * d_model
    blocks = num_layers * block_parameters(d_model, d_ff)["total"]
    pooler = d_model**2 + d_model
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
