"""feed_forward: writes a limit into x.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_gradient
Tell: The caller's x is changed: leave out methods whose names end in `_`, `x += ...`, x[...] = ... and `out=x`.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        with torch.no_grad():
            x.clamp_(-100, 100)
        return self.linear2(torch.relu(self.linear1(x)))
