"""feed_forward: dropout on the hidden activations.

Question: feed_forward
Mistakes: slip
Deserves: 65 %
Fails: feed_forward_hidden_values
Tell: This network should have no dropout: the block applies it to the result.
"""


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(torch.relu(self.linear1(x))))
