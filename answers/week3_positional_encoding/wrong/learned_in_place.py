"""learned: adds into the tensor that it was given.

Question: learned
Mistakes: slip
Deserves: 80 %
Fails: learned_hidden_gradient
Tell: The caller's x was overwritten by the learned rows, as +=, add_() and assignments to x[...] do: return a new
    tensor, x plus the rows.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        x += self.table[:n]
        return x
