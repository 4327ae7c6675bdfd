"""feed_forward: the ReLU stands before the first layer.

Question: feed_forward
Mistakes: concept
Deserves: 45 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: The ReLU belongs between the two layers, not in front of the first.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(torch.relu(x)))
