"""feed_forward: GELU in place of ReLU.

Question: feed_forward
Mistakes: slip
Deserves: 65 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: The curve between the layers is GELU, as in BERT; the docstring asks for ReLU.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(F.gelu(self.linear1(x)))
