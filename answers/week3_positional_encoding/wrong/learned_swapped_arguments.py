"""learned: takes d_model first, as in the class before.

Question: learned
Fails: learned_adds, learned_trained, learned_start, learned_hidden_too_long, learned_hidden_state,
    learned_hidden_gradient
Tell: The order is max_len, d_model in this class: the table is the wrong way round.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
