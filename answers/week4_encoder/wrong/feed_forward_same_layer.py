"""feed_forward: one layer is used twice where d_ff equals d_model.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_parts
Tell: There should be two linear layers, each with weights of its own, also where d_ff equals d_model.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = self.linear1 if d_ff == d_model else nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x)))
