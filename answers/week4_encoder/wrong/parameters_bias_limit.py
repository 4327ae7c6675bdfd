"""parameters: the first bias has at most 4 * d_model numbers.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_feed_forward
Tell: The bias of the first layer of the feed-forward network has d_ff numbers, whatever d_ff is.
"""


def block_parameters(d_model, d_ff):
    first = d_model * d_ff + min(d_ff, 4 * d_model)
    second = d_ff * d_model + d_model
    return {
        "attention": 4 * (d_model**2 + d_model),
        "feed_forward": first + second,
        "norms": 2 * (d_model + d_model),
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    tables = [vocab_size, max_length, num_segments]
    embeddings = sum(rows * d_model for rows in tables) + 2 * d_model
    blocks = sum(block_parameters(d_model, d_ff).values()) * num_layers
    pooler = d_model**2 + d_model
    return {
        "embeddings": embeddings,
        "blocks": blocks,
        "pooler": pooler,
        "total": embeddings + blocks + pooler,
    }
