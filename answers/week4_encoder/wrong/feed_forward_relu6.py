"""feed_forward: cuts the hidden numbers off at 6.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_gradient
Tell: ReLU is max(0, u): it has no upper limit.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(x).clamp(0, 6))
