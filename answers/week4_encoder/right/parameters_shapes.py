"""parameters: lists all shapes and multiplies them out.

Question: parameters
"""


def count(shapes):
    return sum(math.prod(shape) for shape in shapes)


def block_parameters(d_model, d_ff):
    d, f = d_model, d_ff
    return {
        "attention": count([(d, d), (d,)] * 4),
        "feed_forward": count([(d, f), (f,), (f, d), (d,)]),
        "norms": count([(d,)] * 4),
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    d = d_model
    embeddings = count([(vocab_size, d), (max_length, d), (num_segments, d), (d,), (d,)])
    blocks = sum(sum(block_parameters(d_model, d_ff).values()) for _ in range(num_layers))
    pooler = count([(d, d), (d,)])
    return {
        "embeddings": embeddings,
        "blocks": blocks,
        "pooler": pooler,
        "total": embeddings + blocks + pooler,
    }
