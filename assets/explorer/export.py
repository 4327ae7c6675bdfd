"""For notebooks: a file of one's own attention weights, which the explorer compares with a reference.

The function stands on its own, so that a notebook may hold a copy of it.
"""


def export_attention(tokens, weights, reference=None, path="attention.json"):
    """Write attention weights into a file for the explorer's "Mine against the reference".

    Args:
        tokens: the words of one sentence, a list of n strings. For a comparison with the explorer's own encoder they
            are words that it knows, with "___" for the gap.
        weights: your weights, one entry per layer, each (heads, query, key) or, for a batch of one sentence,
            (1, heads, query, key); n queries and n keys. Tensors, arrays and lists all do.
        reference: weights of the same shape to compare with; without them it is the explorer's own encoder.
        path: where to write it.

    Returns:
        The path.

    Raises:
        ValueError: a layer does not have the shape (heads, n, n).
    """
    import json

    def plain(layers, name):
        found = []
        for number, layer in enumerate(layers, start=1):
            heads = layer.tolist() if hasattr(layer, "tolist") else layer
            if len(heads) == 1 and isinstance(heads[0][0][0], list):
                heads = heads[0]  # a batch of one sentence
            if any(
                len(rows) != len(tokens) or any(len(row) != len(tokens) for row in rows) for rows in heads
            ):
                raise ValueError(
                    f"{name}, layer {number}: expected (heads, {len(tokens)}, {len(tokens)}), one query and one key "
                    f"for each of the {len(tokens)} tokens. Leave out padding, or name it among the tokens."
                )
            found.append([[[round(float(weight), 7) for weight in row] for row in rows] for rows in heads])
        return found

    content = {
        "format": "attention-weights-1",
        "tokens": [str(token) for token in tokens],
        "weights": plain(weights, "weights"),
        "reference": None if reference is None else plain(reference, "reference"),
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
    return path
