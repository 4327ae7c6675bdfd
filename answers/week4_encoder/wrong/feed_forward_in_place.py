"""feed_forward: writes its result into the tensor that was handed in.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_gradient
Tell: The tensor that was handed in is overwritten with the result, for example by copy_ or x[...] = ...: return the
    result of linear2 itself.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return x.copy_(self.linear2(torch.relu(self.linear1(x))))
