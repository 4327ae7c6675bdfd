"""transformer: takes the whole part of the root of d_model.

Question: transformer
Mistakes: slip
Deserves: 85 %
Fails: transformer_hidden_logits
Tell: A part of the model is right for some sizes only: for example the factor, if the root of d_model is rounded to a
    whole number.
"""


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_layers, d_ff, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.positions = PositionalEncoding(d_model)
        self.dropout = nn.Dropout(dropout)
        self.encoder_blocks = nn.ModuleList()
        self.decoder_blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.encoder_blocks.append(EncoderBlock(d_model, num_heads, d_ff, dropout))
            self.decoder_blocks.append(DecoderBlock(d_model, num_heads, d_ff, dropout))
        self.output = nn.Linear(d_model, tgt_vocab)

    def enter(self, embedding, ids):
        x = embedding(ids) * math.isqrt(self.d_model)
        return self.dropout(self.positions(x))

    def encode(self, src, src_mask=None):
        x = self.enter(self.src_embedding, src)
        for block in self.encoder_blocks:
            x, _ = block(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, src_mask=None):
        x = self.enter(self.tgt_embedding, tgt)
        every = []
        for block in self.decoder_blocks:
            x, weights = block(x, memory, tgt_mask, src_mask)
            every.append(weights)
        return self.output(x), every

    def forward(self, src, tgt, tgt_mask=None, src_mask=None):
        memory = self.encode(src, src_mask)
        logits, _ = self.decode(tgt, memory, tgt_mask, src_mask)
        return logits
