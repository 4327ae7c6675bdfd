"""feed_forward: both layers without a bias.

Question: feed_forward
Mistakes: slip
Deserves: 65 %
Fails: feed_forward_worked, feed_forward_parts
Tell: Both layers need a bias: nn.Linear has one unless you say bias=False.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff, bias=False)
        self.linear2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x)))
