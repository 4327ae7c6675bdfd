"""learned: makes a parameter that is not trained.

Question: learned
Mistakes: concept
Deserves: 55 %
Fails: learned_trained
Tell: No gradient step changes the table, usually because of requires_grad=False, detach() or .data: leave
    that out.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model), requires_grad=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
