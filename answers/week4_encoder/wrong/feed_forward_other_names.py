"""feed_forward: the layers have other names than the contract's.

Question: feed_forward
Mistakes: slip
Deserves: 80 %
Fails: feed_forward_parts
Tell: The layers must be called linear1 and linear2; what is computed is right.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))

    def forward(self, x):
        return self.net(x)
