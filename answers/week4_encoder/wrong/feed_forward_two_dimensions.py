"""feed_forward: sums over the second dimension from the end when there are three.

Question: feed_forward
Mistakes: concept
Deserves: 40 %
Fails: feed_forward_worked, feed_forward_hidden_values
Tell: Positions must not be mixed: nn.Linear works on the last dimension, nothing else is to be summed.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = torch.relu(self.linear1(x))
        if hidden.dim() == 3:
            hidden = hidden.mean(dim=1, keepdim=True).expand_as(hidden)
        return self.linear2(hidden)
