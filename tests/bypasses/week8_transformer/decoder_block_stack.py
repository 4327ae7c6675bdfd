"""A stack of one layer."""


class Layer(nn.Module):
    def __init__(self, *sizes, batch_first):
        super().__init__()
        self.stack = nn.TransformerDecoder(nn.TransformerDecoderLayer(*sizes, batch_first=batch_first), 1)
        for name, part in self.stack.layers[0].named_children():
            self.add_module(name, part)

    def forward(self, *given, **named):
        return self.stack(*given, **named)
