"""learned: cuts the gradient of x.

Question: learned
Mistakes: slip
Deserves: 80 %
Fails: learned_hidden_gradient
Tell: No gradient comes back to x: leave out detach(), .data and no_grad(), and add the table to x itself.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x.detach() + self.table[:n]
