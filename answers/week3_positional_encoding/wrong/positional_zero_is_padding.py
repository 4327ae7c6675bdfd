"""positional: adds nothing to a word vector of zeros.

Question: positional
Mistakes: slip
Deserves: 85 %
Fails: positional_hidden_table
Tell: A word vector of zeros gets no row of the table: every position gets its row, whatever its word is.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        if x.shape[1] > self.table.shape[0]:
            raise ValueError("too many positions for the table")
        filled = (x != 0).any(dim=-1, keepdim=True).to(x.dtype)  # (batch, position, 1)
        if filled.sum() == 0:
            filled = torch.ones_like(filled)
        return x + filled * self.table[: x.shape[1]]
