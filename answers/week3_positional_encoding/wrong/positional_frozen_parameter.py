"""positional: makes the table a parameter without gradient.

Question: positional
Mistakes: concept
Deserves: 55 %
Fails: positional_parameters, positional_state
Tell: Even with requires_grad=False, a parameter is still a parameter: a fixed table belongs in a buffer.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(sinusoidal_encoding(max_len, d_model), requires_grad=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
