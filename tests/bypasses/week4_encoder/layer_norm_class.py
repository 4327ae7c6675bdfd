"""A class of the same name under a class of torch."""


class LayerNorm(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-5):
        super().__init__(d_model, eps)
        self.gamma, self.beta = self.weight, self.bias
        del self._parameters["weight"], self._parameters["bias"]

    weight = property(lambda self: self.gamma)
    bias = property(lambda self: self.beta)
