"""learned: keeps the table as an ordinary tensor that asks for a gradient.

Question: learned
Mistakes: concept
Deserves: 50 %
Fails: learned_trained, learned_hidden_state
Tell: The table is neither a parameter nor saved, like an ordinary tensor: wrap it in nn.Parameter.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = (0.02 * torch.randn(max_len, d_model)).requires_grad_()

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
