"""parameters: has BERT-Base's twelve layers written in.

Question: parameters
Mistakes: slip
Deserves: 80 %
Fails: parameters_hidden_bert
Tell: The number of layers is an argument: 12 is BERT-Base only.
"""


def block_parameters(d_model, d_ff):
    return {
        "attention": 4 * (d_model**2 + d_model),
        "feed_forward": 2 * d_model * d_ff + d_ff + d_model,
        "norms": 4 * d_model,
    }


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    embeddings = (vocab_size + max_length + num_segments) * d_model + 2 * d_model
    blocks = 12 * sum(block_parameters(d_model, d_ff).values())
    pooler = d_model**2 + d_model
    total = embeddings + blocks + pooler
    return {"embeddings": embeddings, "blocks": blocks, "pooler": pooler, "total": total}
