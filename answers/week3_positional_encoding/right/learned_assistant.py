"""learned: the way a chat assistant writes it: type hints, an initializer of its own, expanded position ids.

Question: learned
"""


class LearnedPositionalEncoding(nn.Module):
    """Learned absolute positional embeddings, as in BERT."""

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.max_len = max_len
        self.d_model = d_model
        self.position_embeddings = nn.Embedding(max_len, d_model)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        with torch.no_grad():
            self.position_embeddings.weight.normal_(0.0, 0.02)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch_size, seq_len, _ = x.size()
        if seq_len > self.max_len:
            raise ValueError(f"Input has {seq_len} positions but max_len is {self.max_len}.")
        position_ids = torch.arange(seq_len, dtype=torch.long, device=x.device)
        position_ids = position_ids.unsqueeze(0).expand(batch_size, seq_len)
        return x + self.position_embeddings(position_ids)
