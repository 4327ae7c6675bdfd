"""causal_mask: lets each position see the next one.

Question: causal_mask
Mistakes: slip
Deserves: 55 %
Fails: causal_mask_values, causal_mask_hidden_lengths
Tell: Each position sees one position of the future: keep the lower triangle with diagonal 0.
"""


def causal_mask(length):
    return torch.tril(torch.ones(length, length), diagonal=1).bool()
