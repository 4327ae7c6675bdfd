"""parameters: counts matrices only.

Question: parameters
Mistakes: concept
Deserves: 40 %
Fails: parameters_block, parameters_feed_forward, parameters_hidden_bert
Tell: Every linear layer has a bias too: as many numbers as come out of it.
"""


def block_parameters(d_model, d_ff):
    return {
        "attention": 4 * d_model**2,
        "feed_forward": 2 * d_model * d_ff,
        "norms": 4 * d_model,
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model + 2 * d_model
    blocks = num_layers * sum(block_parameters(d_model, d_ff).values())
    pooler = d_model**2
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
