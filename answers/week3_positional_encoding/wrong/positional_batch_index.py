"""positional: takes the length from the batch dimension.

Question: positional
Mistakes: concept
Deserves: 35 %
Fails: positional_adds, positional_too_long, positional_hidden_table
Tell: The rows were taken by the sentence's number in the batch: positions are dimension 1 of x.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[0]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n].unsqueeze(1)
