"""transformer: a module of its own embeds and scales, and the layers are defined in another order.

Question: transformer
"""


class Embedder(nn.Module):
    def __init__(self, d_model, dropout):
        super().__init__()
        self.factor = math.sqrt(d_model)
        self.positions = PositionalEncoding(d_model, max_len=1000)
        self.p = dropout

    def forward(self, table, ids):
        return F.dropout(self.positions(self.factor * table.weight[ids]), self.p, self.training)


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_layers, d_ff, dropout=0.1):
        super().__init__()
        self.embed = Embedder(d_model, dropout)
        self.output = nn.Linear(d_model, tgt_vocab)
        self.decoder_blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.src_embedding = nn.Embedding(src_vocab, d_model)

    def encode(self, src, src_mask=None):
        x = self.embed(self.src_embedding, src)
        for block in self.encoder_blocks:
            (x, _) = block(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, src_mask=None):
        x, seen = self.embed(self.tgt_embedding, tgt), []
        for block in self.decoder_blocks:
            x, w = block(x, memory, tgt_mask, src_mask)
            seen = [*seen, w]
        return F.linear(x, self.output.weight, self.output.bias), seen

    def forward(self, src, tgt, tgt_mask=None, src_mask=None):
        memory = self.encode(src, src_mask)
        logits, _ = self.decode(tgt, memory, tgt_mask, src_mask)
        return logits
