"""transformer: positions in a buffer of its own, and other initial values.

Question: transformer
"""


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_layers, d_ff, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.src_embedding, self.tgt_embedding = (
            nn.Embedding(src_vocab, d_model),
            nn.Embedding(tgt_vocab, d_model),
        )

        def make(kind):
            return nn.ModuleList([kind(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)])

        self.encoder_blocks, self.decoder_blocks = make(EncoderBlock), make(DecoderBlock)
        self.output = nn.Linear(d_model, tgt_vocab)
        self.dropout = nn.Dropout(dropout)
        place = torch.arange(512).unsqueeze(1)
        rate = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(512, d_model)
        pe[:, 0::2] = torch.sin(place * rate)
        pe[:, 1::2] = torch.cos(place * rate)
        self.register_buffer("pe", pe)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def embed(self, table, ids):
        return self.dropout(table(ids) * np.sqrt(self.d_model) + self.pe[: ids.shape[1]])

    def encode(self, src, src_mask=None):
        x = self.embed(self.src_embedding, src)
        for block in self.encoder_blocks:
            x = block(x, src_mask)[0]
        return x

    def decode(self, tgt, memory, tgt_mask=None, src_mask=None):
        x = self.embed(self.tgt_embedding, tgt)
        w = []
        for block in self.decoder_blocks:
            result = block(x, memory, tgt_mask, src_mask)
            x = result[0]
            w.append(result[1])
        return self.output(x), w

    def forward(self, src, tgt, tgt_mask=None, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask)[0]
