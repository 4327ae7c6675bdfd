"""positional: takes the batch for the positions where both are equally long.

Question: positional
Mistakes: slip
Deserves: 85 %
Fails: positional_hidden_table
Tell: Where a batch has as many sentences as positions, each sentence gets a row of its own: positions are
    always dimension 1 of x.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        batch, length, _ = x.shape
        if length > self.table.shape[0]:
            raise ValueError(f"{length} positions, {self.table.shape[0]} rows")
        rows = self.table[:length]
        return x + (rows[:, None] if batch == length else rows[None])
