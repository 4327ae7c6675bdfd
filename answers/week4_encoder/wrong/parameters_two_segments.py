"""parameters: always counts two segments.

Question: parameters
Mistakes: slip
Deserves: 75 %
Fails: parameters_bert
Tell: Two segments are counted: the table of segments should have num_segments rows.
"""


def block_parameters(d_model, d_ff):
    return dict(
        attention=4 * d_model * (d_model + 1),
        feed_forward=2 * d_model * d_ff + d_ff + d_model,
        norms=4 * d_model,
    )


def bert_parameters(vocab_size, max_length, num_segments, num_layers, d_model, d_ff):
    counts = {"embeddings": d_model * (vocab_size + max_length + 2) + 2 * d_model}
    counts["blocks"] = num_layers * sum(block_parameters(d_model, d_ff).values())
    counts["pooler"] = d_model * (d_model + 1)
    counts["total"] = sum(counts.values())
    return counts
