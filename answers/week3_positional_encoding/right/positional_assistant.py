"""positional: the way a chat assistant writes it: type hints, checks, positions looked up by index.

Question: positional
"""


class PositionalEncoding(nn.Module):
    """Sinusoidal positional encoding (Vaswani et al., 2017)."""

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        if max_len < 1:
            raise ValueError("max_len must be positive")
        self.d_model = d_model
        self.max_len = max_len

        # Non-persistent buffer: moves with the module, but is not saved.
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch_size, seq_len, d_model = x.shape
        if seq_len > self.max_len:
            raise ValueError(f"Sequence length {seq_len} exceeds maximum length {self.max_len}.")
        if d_model != self.d_model:
            raise ValueError(f"Expected d_model {self.d_model}, got {d_model}.")
        positions = torch.arange(seq_len, device=x.device)
        return x + self.encoding[positions].unsqueeze(0).expand(batch_size, -1, -1)
