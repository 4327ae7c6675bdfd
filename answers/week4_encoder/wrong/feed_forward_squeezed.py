"""feed_forward: squeezes its result.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_values
Tell: The result should have the shape of x: squeeze() and reshape can lose or join dimensions. Leave them out, or end
    with reshape(x.shape).
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x))).squeeze()
