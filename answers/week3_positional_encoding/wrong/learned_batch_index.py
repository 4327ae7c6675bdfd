"""learned: gives each sentence of the batch one row.

Question: learned
Mistakes: concept
Deserves: 25 %
Fails: learned_adds, learned_trained, learned_start, learned_hidden_too_long, learned_hidden_state,
    learned_hidden_gradient
Tell: Each sentence gets one row for all its positions: choose rows by position, x.shape[1], not by sentence,
    x.shape[0].
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[0]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n, None]
