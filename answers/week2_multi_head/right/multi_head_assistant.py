"""multi_head: the way a chat assistant writes it: type hints, checks, a helper method, steps.

Question: multi_head
"""


class MultiHeadAttention(nn.Module):
    """Multi-head attention as described in "Attention Is All You Need".

    Args:
        d_model: The dimension of the model.
        num_heads: The number of attention heads.
    """

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()

        # Validate the configuration
        if num_heads <= 0 or d_model % num_heads:
            raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads}).")

        self.d_model = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.scale = self.head_dim**-0.5

        # Linear projections
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, seq, d_model) -> (batch, heads, seq, head_dim)"""
        batch_size, seq_len, _ = x.shape
        return x.reshape(batch_size, seq_len, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # Step 1: Project the inputs and split them into heads
        q = self._split(self.W_Q(query))
        k = self._split(self.W_K(key))
        v = self._split(self.W_V(value))

        # Step 2: Compute the scaled scores
        scores = torch.matmul(q, k.transpose(-2, -1)) * self.scale

        # Step 3: Apply the mask (if provided)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)

        # Step 4: Normalise the scores
        attention_weights = F.softmax(scores, dim=-1)

        # Step 5: Weighted sum, merge the heads, final projection
        context = torch.matmul(attention_weights, v)
        context = context.permute(0, 2, 1, 3).reshape(query.shape[0], query.shape[1], self.d_model)
        return self.W_O(context), attention_weights
