"""A function of its own with the method's code.

Flag: it cannot be refused; a TA gets a flag.
"""

import types

copied = types.FunctionType(
    nn.TransformerDecoderLayer.forward.__code__, nn.TransformerDecoderLayer.forward.__globals__
)
pieces = {
    name: getattr(nn.TransformerDecoderLayer, name) for name in ("_sa_block", "_mha_block", "_ff_block")
}
pieces = {name: types.FunctionType(piece.__code__, piece.__globals__) for name, piece in pieces.items()}


class Layer(nn.TransformerDecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        return copied(self, x, memory, tgt_mask, memory_mask, None, None, False, False)


for name, piece in pieces.items():
    setattr(Layer, name, lambda self, *given, piece=piece: piece(self, *given))
