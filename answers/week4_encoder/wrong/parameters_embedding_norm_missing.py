"""parameters: no layer norm behind the embeddings.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_bert
Tell: The layer norm behind the embeddings is not counted: it has two times d_model numbers.
"""


def block_parameters(d_model, d_ff):
    return {
        "attention": 4 * (d_model**2 + d_model),
        "feed_forward": 2 * d_model * d_ff + d_ff + d_model,
        "norms": 4 * d_model,
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model
    blocks = num_layers * sum(block_parameters(d_model, d_ff).values())
    pooler = d_model**2 + d_model
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
