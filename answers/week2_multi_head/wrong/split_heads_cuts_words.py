"""split_heads: cuts the sentence into pieces, not the vectors.

Question: split_heads
Mistakes: concept
Deserves: 20 %
Fails: split_heads_columns, split_heads_sizes, split_heads_hidden_layout, split_heads_hidden_gradient
Tell: The words were divided among the heads: every head must get a part of every word's vector.
"""


def split_heads(x, num_heads):
    pieces = torch.tensor_split(x, num_heads, dim=1)
    longest = max(piece.shape[1] for piece in pieces)
    return torch.stack([F.pad(piece, (0, 0, 0, longest - piece.shape[1])) for piece in pieces], dim=1)
