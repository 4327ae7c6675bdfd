"""learned: adds into the tensor that it was given while no gradients are wanted.

Question: learned
Mistakes: slip
Deserves: 85 %
Fails: learned_hidden_gradient
Tell: The caller's x was overwritten, always or under no_grad: return a new tensor in both cases.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model) * 0.02)

    def forward(self, x):
        if x.shape[1] > self.table.shape[0]:
            raise ValueError("table too short")
        rows = self.table[: x.shape[1]]
        if torch.is_grad_enabled():
            return x + rows
        return x.add_(rows)
