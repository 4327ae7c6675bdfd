"""positional: squeezes the result.

Question: positional
Mistakes: slip
Deserves: 75 %
Fails: positional_hidden_table
Tell: A dimension of size 1 is lost, usually by squeeze(): the result should have the shape of x.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return (x + self.table[:n]).squeeze(0)
