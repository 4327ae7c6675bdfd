"""learned: registers the table as a buffer.

Question: learned
Mistakes: concept
Deserves: 45 %
Fails: learned_trained
Tell: The table is not a parameter, as if registered as a buffer: it should be trained, so make it an nn.Parameter.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", 0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
