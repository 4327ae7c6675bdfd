"""learned: casts the result to float32.

Question: learned
Mistakes: slip
Deserves: 80 %
Fails: learned_hidden_state
Tell: The result should have the dtype of x: leave out float() and dtype=torch.float32.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return (x + self.table[:n]).float()
