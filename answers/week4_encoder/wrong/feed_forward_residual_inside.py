"""feed_forward: adds x already here.

Question: feed_forward
Mistakes: slip
Deserves: 65 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: The residual connection belongs to the block: return what linear2 gives, without x.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return x + self.linear2(torch.relu(self.linear1(x)))
