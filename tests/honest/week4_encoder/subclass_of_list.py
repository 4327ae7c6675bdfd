"""Layers made in a loop with copy.deepcopy, kept in a ModuleList of its own class; checkpoints; summaries printed."""


def habit(submission):
    submission["encoder"] = """
import copy
class Stack(nn.ModuleList):
    def forward(self, x, mask=None):
        for layer in self: x, weights = layer(x, mask=mask)
        return x, weights
class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        block = TransformerEncoderBlock(d_model, num_heads, d_ff, dropout)
        self.layers = Stack([copy.deepcopy(block) for _ in range(num_layers)])
    def forward(self, x, mask=None):
        return self.layers(x, mask)
model = TransformerEncoder(2, 8, 2, 16)
print(model, sum(p.numel() for p in model.parameters()))
torch.save(model.state_dict(), "model.pt"); model.load_state_dict(torch.load("model.pt"))
"""
