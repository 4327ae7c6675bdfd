"""self_attention: a small class that holds the matrices and is called.

Question: self_attention
"""


class Head(nn.Module):
    def __init__(self, W_Q, W_K, W_V):
        super().__init__()
        self.matrices = {"Q": W_Q, "K": W_K, "V": W_V}

    def forward(self, X, mask):
        parts = {name: torch.matmul(X, matrix) for name, matrix in self.matrices.items()}
        return scaled_dot_product_attention(**parts, mask=mask)


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    return Head(W_Q, W_K, W_V)(X, mask)
