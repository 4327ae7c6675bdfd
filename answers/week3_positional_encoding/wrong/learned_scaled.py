"""learned: keeps numbers of standard deviation 1 and adds a fiftieth of them.

Question: learned
Mistakes: slip
Deserves: 65 %
Fails: learned_trained, learned_hidden_state
Tell: What is trained and saved is fifty times the table: make the table itself the parameter.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too many positions")
        return x + 0.02 * self.table[: x.shape[1]]
