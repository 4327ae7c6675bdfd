"""feed_forward: unpacks the shape into batch, position and d_model.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_values
Tell: x can have any number of dimensions, but this code does not work for all numbers: it need not unpack the shape.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        batch, length, d_model = x.shape
        hidden = torch.relu(self.linear1(x.reshape(batch * length, d_model)))
        return self.linear2(hidden).reshape(batch, length, d_model)
