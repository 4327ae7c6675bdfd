"""parameters: forgets the attention's output matrix.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_block
Tell: One of the attention's four linear layers is not counted, usually W_O.
"""


def block_parameters(d_model, d_ff):
    return {
        "attention": 3 * (d_model**2 + d_model),
        "feed_forward": 2 * d_model * d_ff + d_ff + d_model,
        "norms": 4 * d_model,
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model + 2 * d_model
    blocks = num_layers * sum(block_parameters(d_model, d_ff).values())
    pooler = d_model**2 + d_model
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
