"""parameters: divides on the way, so the counts are floats.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_hidden_bert
Tell: A count is an int, and one of these is a float, which a division with / always gives: use // or none.
"""


def block_parameters(d_model, d_ff):
    return {
        "attention": (2 * d_model) ** 2 / 1 + 4 * d_model,
        "feed_forward": 2 * d_model * d_ff + d_ff + d_model,
        "norms": 4 * d_model,
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model + 2 * d_model
    blocks = num_layers * sum(block_parameters(d_model, d_ff).values())
    pooler = (d_model**2 + d_model) / 1
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
