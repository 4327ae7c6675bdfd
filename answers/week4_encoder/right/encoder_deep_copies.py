"""encoder: deep copies of one block: equal at the start, but distinct.

Question: encoder
"""

import copy


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        block = TransformerEncoderBlock(d_model, num_heads, d_ff, dropout)
        self.layers = nn.ModuleList(copy.deepcopy(block) for _ in range(num_layers))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return x, weights
