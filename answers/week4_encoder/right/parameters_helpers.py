"""parameters: small functions for a linear layer and a norm.

Question: parameters
"""


def linear(a, b):
    return (a + 1) * b


def norm(d):
    return 2 * d


def block_parameters(d_model, d_ff):
    return {
        "attention": 4 * linear(d_model, d_model),
        "feed_forward": linear(d_model, d_ff) + linear(d_ff, d_model),
        "norms": 2 * norm(d_model),
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    counts = {
        "embeddings": d_model * (vocab_size + max_length + num_segments) + norm(d_model),
        "blocks": num_layers * sum(block_parameters(d_model, d_ff).values()),
        "pooler": linear(d_model, d_model),
    }
    counts["total"] = sum(counts.values())
    return counts
