"""The layer's own pieces, without its forward."""


class Layer(nn.TransformerDecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self._sa_block(x, tgt_mask, None))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, None))
        return self.norm3(x + self._ff_block(x))
