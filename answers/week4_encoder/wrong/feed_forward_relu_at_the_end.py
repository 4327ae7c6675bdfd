"""feed_forward: a second ReLU at the end.

Question: feed_forward
Mistakes: slip
Deserves: 65 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: The result may be negative: no ReLU after linear2.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return torch.relu(self.linear2(torch.relu(self.linear1(x))))
