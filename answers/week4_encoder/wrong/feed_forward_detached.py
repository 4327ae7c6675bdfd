"""feed_forward: cuts the gradient between the layers.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_gradient
Tell: No gradient reaches linear1: something after it cuts the gradient off, for example detach(), .data or no_grad().
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = torch.relu(self.linear1(x)).detach()
        return self.linear2(hidden)
