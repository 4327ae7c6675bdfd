"""nn.Sequential, ModuleDict, buffers, functional calls and properties inside the modules."""


def habit(submission):
    submission["feed_forward"] = """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.__dict__["net"] = nn.Sequential(self.linear1, nn.ReLU(inplace=True), self.linear2)
        self.register_buffer("calls", torch.zeros(1), persistent=False)
    @property
    def width(self): return self.linear1.out_features
    def forward(self, x):
        self.calls += 1
        return self.net(x)
"""
    submission["layer_norm"] = """
class LayerNorm(nn.Module):
    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super(LayerNorm, self).__init__()
        self.eps = eps
        self.register_parameter("gamma", nn.Parameter(torch.ones(d_model)))
        self.register_parameter("beta", nn.Parameter(torch.zeros(d_model)))
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return torch.addcmul(self.beta, self.gamma, (x - mean) * torch.rsqrt(variance + self.eps))
"""
