"""learned: adds the table's data, without its gradient.

Question: learned
Mistakes: concept
Deserves: 55 %
Fails: learned_trained
Tell: The table is a parameter, but no gradient reaches it: leave out .data, detach() and requires_grad=False.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table.data[:n]
