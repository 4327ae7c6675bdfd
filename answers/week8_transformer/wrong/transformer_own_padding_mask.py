"""transformer: masks token 0 of the source if it gets no src_mask.

Question: transformer
Mistakes: concept
Deserves: 55 %
Fails: transformer_masks, transformer_hidden_logits, transformer_hidden_weights, transformer_hidden_dropout,
    transformer_hidden_gradient
Tell: Without src_mask, encode makes a mask of its own: None should mean that all tokens may be attended to.
"""


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_layers, d_ff, dropout=0.1):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.positions = PositionalEncoding(d_model)
        self.dropout = nn.Dropout(dropout)
        self.encoder_blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )
        self.decoder_blocks = nn.ModuleList(
            DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )
        self.output = nn.Linear(d_model, tgt_vocab)

    def encode(self, src, src_mask=None):
        if src_mask is None:
            src_mask = padding_mask(src, PAD)
        x = self.dropout(self.positions(self.src_embedding(src) * self.scale))
        for block in self.encoder_blocks:
            x, _ = block(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, src_mask=None):
        x = self.dropout(self.positions(self.tgt_embedding(tgt) * self.scale))
        every = []
        for block in self.decoder_blocks:
            x, weights = block(x, memory, tgt_mask, src_mask)
            every.append(weights)
        return self.output(x), every

    def forward(self, src, tgt, tgt_mask=None, src_mask=None):
        memory = self.encode(src, src_mask)
        logits, _ = self.decode(tgt, memory, tgt_mask, src_mask)
        return logits
