"""transformer: drops a tenth of the embeddings whatever the argument says.

Question: transformer
Mistakes: slip
Deserves: 80 %
Fails: transformer_hidden_dropout
Tell: The embeddings have a dropout of their own rate: it should be the argument `dropout`, as in the blocks.
"""


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_layers, d_ff, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.positions = PositionalEncoding(d_model)
        self.dropout = nn.Dropout(0.1)
        self.encoder_blocks = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.decoder_blocks = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.output = nn.Linear(d_model, tgt_vocab)

    def encode(self, src, src_mask=None):
        x = self.src_embedding(src) * math.sqrt(self.d_model)
        x = self.dropout(self.positions(x))
        for block in self.encoder_blocks:
            x, _ = block(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, src_mask=None):
        x = self.tgt_embedding(tgt) * math.sqrt(self.d_model)
        x = self.dropout(self.positions(x))
        every = []
        for block in self.decoder_blocks:
            x, weights = block(x, memory, tgt_mask, src_mask)
            every.append(weights)
        return self.output(x), every

    def forward(self, src, tgt, tgt_mask=None, src_mask=None):
        memory = self.encode(src, src_mask)
        return self.decode(tgt, memory, tgt_mask, src_mask)[0]
