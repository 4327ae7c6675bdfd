"""transformer: other names, and the embeddings are not scaled.

Question: transformer
Mistakes: slip, slip
Deserves: 50 %
Fails: transformer_embedding, transformer_parts, transformer_hidden_logits
Tell: Multiply the embeddings by the square root of d_model.
"""


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_layers, d_ff, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.encoder_embedding = nn.Embedding(src_vocab, d_model)
        self.decoder_embedding = nn.Embedding(tgt_vocab, d_model)
        self.positions = PositionalEncoding(d_model)
        self.dropout = nn.Dropout(dropout)
        self.encoder_layers = nn.ModuleList(
            [EncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.decoder_layers = nn.ModuleList(
            [DecoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.fc_out = nn.Linear(d_model, tgt_vocab)

    def encode(self, src, src_mask=None):
        x = self.encoder_embedding(src)
        x = self.dropout(self.positions(x))
        for block in self.encoder_layers:
            x, _ = block(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, src_mask=None):
        x = self.decoder_embedding(tgt)
        x = self.dropout(self.positions(x))
        every = []
        for block in self.decoder_layers:
            x, weights = block(x, memory, tgt_mask, src_mask)
            every.append(weights)
        return self.fc_out(x), every

    def forward(self, src, tgt, tgt_mask=None, src_mask=None):
        memory = self.encode(src, src_mask)
        return self.decode(tgt, memory, tgt_mask, src_mask)[0]
