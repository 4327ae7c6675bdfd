"""feed_forward: two linear layers and nothing between them.

Question: feed_forward
Mistakes: concept
Deserves: 40 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: Without the ReLU two linear layers are one linear layer: put torch.relu around the first.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(x))
