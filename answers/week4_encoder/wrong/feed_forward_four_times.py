"""feed_forward: the inner size is always four times d_model.

Question: feed_forward
Mistakes: slip
Deserves: 60 %
Fails: feed_forward_worked, feed_forward_parts
Tell: The argument d_ff has no effect: it need not be four times d_model.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, 4 * d_model)
        self.linear2 = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x)))
