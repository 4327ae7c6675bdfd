"""feed_forward: a leaky ReLU, which lets a little of what is negative through.

Question: feed_forward
Mistakes: slip
Deserves: 65 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: Negative numbers become exactly 0 in ReLU; here a hundredth of them is kept, as in leaky_relu.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(F.leaky_relu(self.linear1(x)))
