"""learned: has a trained vector that it does not use.

Question: learned
Mistakes: slip
Deserves: 85 %
Fails: learned_hidden_state
Tell: The state_dict should hold the table alone: remove whatever else is saved.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))
        self.offset = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
