"""learned: leaves the start of nn.Embedding as it is.

Question: learned
Mistakes: slip
Deserves: 85 %
Fails: learned_start
Tell: The table starts with a standard deviation of about 1, as nn.Embedding and torch.randn do: about 0.02 is asked
    for.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError("sequence longer than max_len")
        return x + self.embedding(torch.arange(x.size(1), device=x.device))
