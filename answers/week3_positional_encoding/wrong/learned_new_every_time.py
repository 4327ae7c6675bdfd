"""learned: draws new random numbers in every call.

Question: learned
Mistakes: concept
Deserves: 25 %
Fails: learned_adds, learned_trained, learned_hidden_state, learned_hidden_gradient
Tell: Each call draws new numbers: make the table once, in the constructor.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.max_len, self.d_model = max_len, d_model

    def forward(self, x):
        if x.shape[1] > self.max_len:
            raise ValueError("sequence longer than max_len")
        table = nn.Parameter(0.02 * torch.randn(self.max_len, self.d_model))
        return x + table[: x.shape[1]]
