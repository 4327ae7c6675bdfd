"""feed_forward: scales its result by a learned number.

Question: feed_forward
Mistakes: slip
Deserves: 80 %
Fails: feed_forward_parts
Tell: There are more parameters than those of linear1 and linear2: leave the others out.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.scale * self.linear2(torch.relu(self.linear1(x)))
