"""feed_forward: joins the leading dimensions.

Question: feed_forward
Mistakes: slip
Deserves: 75 %
Fails: feed_forward_hidden_values
Tell: The result should have the shape of x, but its leading dimensions are joined or lost: leave out reshape,
    flatten and squeeze(), or end with reshape(x.shape).
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = torch.relu(
            torch.einsum("bd,fd->bf", x.reshape(-1, x.shape[-1]), self.linear1.weight) + self.linear1.bias
        )
        y = self.linear2(hidden)
        return y.reshape(x.shape[0], -1, x.shape[-1]) if x.dim() > 2 else y
