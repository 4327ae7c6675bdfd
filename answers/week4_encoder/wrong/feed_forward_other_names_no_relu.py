"""feed_forward: the layers have other names, and the ReLU is missing.

Question: feed_forward
Mistakes: slip, concept
Deserves: 30 %
Fails: feed_forward_worked, feed_forward_parts, feed_forward_hidden_values
Tell: Two linear layers without a curve between them are one linear layer: put a ReLU there.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.fc1 = nn.Linear(d_model, d_ff)
        self.fc2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.fc2(self.fc1(x))
