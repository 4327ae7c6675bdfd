"""positional: adds into the caller's tensor.

Question: positional
Mistakes: slip
Deserves: 80 %
Fails: positional_hidden_gradient
Tell: The caller's x was overwritten, as +=, add_() and assignments to x[...] do: return a new tensor, x +
    table.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        x += self.table[:n]
        return x
