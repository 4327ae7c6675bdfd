"""feed_forward: a loop over the positions.

Question: feed_forward
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        rows = [self.linear2(torch.relu(self.linear1(row))) for row in x.reshape(-1, x.shape[-1])]
        return torch.stack(rows).view_as(x)
