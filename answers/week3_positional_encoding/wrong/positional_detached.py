"""positional: cuts the gradient of x.

Question: positional
Mistakes: slip
Deserves: 80 %
Fails: positional_hidden_gradient
Tell: No gradient comes back to x: leave out detach(), .data and no_grad().
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x.detach() + self.table[:n]
