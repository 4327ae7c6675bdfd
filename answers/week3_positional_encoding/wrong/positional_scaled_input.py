"""positional: multiplies x by the square root of d_model first.

Question: positional
Mistakes: slip
Deserves: 65 %
Fails: positional_adds, positional_hidden_table
Tell: x is multiplied by a factor here: that belongs to the word vectors, and this module only adds.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x * math.sqrt(x.shape[-1]) + self.table[:n]
