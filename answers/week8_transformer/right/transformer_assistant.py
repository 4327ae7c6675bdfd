"""transformer: typed, with keyword arguments.

Question: transformer
"""


class Transformer(nn.Module):
    """Sequence-to-sequence Transformer (Vaswani et al., 2017)."""

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        d_model: int,
        num_heads: int,
        num_layers: int,
        d_ff: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.scale: float = d_model**0.5
        self.src_embedding = nn.Embedding(num_embeddings=src_vocab, embedding_dim=d_model)
        self.tgt_embedding = nn.Embedding(num_embeddings=tgt_vocab, embedding_dim=d_model)
        self.src_positions = PositionalEncoding(d_model)
        self.tgt_positions = PositionalEncoding(d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.encoder_blocks = nn.ModuleList()
        self.decoder_blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.encoder_blocks.append(EncoderBlock(d_model, num_heads, d_ff, dropout=dropout))
            self.decoder_blocks.append(DecoderBlock(d_model, num_heads, d_ff, dropout=dropout))
        self.output = nn.Linear(in_features=d_model, out_features=tgt_vocab)

    def encode(self, src: torch.Tensor, src_mask: torch.Tensor | None = None) -> torch.Tensor:
        memory = self.dropout(self.src_positions(self.scale * self.src_embedding(src)))
        for block in self.encoder_blocks:
            memory = block(memory, mask=src_mask)[0]
        return memory

    def decode(
        self,
        tgt: torch.Tensor,
        memory: torch.Tensor,
        tgt_mask: torch.Tensor | None = None,
        src_mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        hidden = self.dropout(self.tgt_positions(self.scale * self.tgt_embedding(tgt)))
        all_weights: list[torch.Tensor] = []
        for block in self.decoder_blocks:
            hidden, weights = block(hidden, memory, tgt_mask=tgt_mask, src_mask=src_mask)
            all_weights.append(weights)
        return self.output(hidden), all_weights

    def forward(
        self,
        src: torch.Tensor,
        tgt: torch.Tensor,
        tgt_mask: torch.Tensor | None = None,
        src_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        logits, _ = self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask)
        return logits
