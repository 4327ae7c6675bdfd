"""A table as a plain attribute cast in forward, an Embedding inside, helper functions in a class of static methods."""


def habit(submission):
    submission["positional"] = """
class Tables:
    @staticmethod
    def waves(length, d_model): return sinusoidal_encoding(length, d_model)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        nn.Module.__init__(self)
        self.max_len, self.pe = max_len, Tables.waves(max_len, d_model).unsqueeze(0)
        self.pe.requires_grad = False
    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError("too long: %d positions, %d in the table" % (x.size(1), self.max_len))
        print("x", x.shape, x.dtype)
        return x + self.pe[:, : x.size(1)].to(x)
"""
