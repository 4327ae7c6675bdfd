"""A decoder block by `Layer`, a ready-made decoder layer that gets the block's weights."""


def renamed(block):
    attentions = {"self_attn": block.self_attention, "multihead_attn": block.cross_attention}
    found = {}
    for name, part in attentions.items():
        layers = (part.W_Q, part.W_K, part.W_V)
        found[f"{name}.in_proj_weight"] = torch.cat([layer.weight for layer in layers])
        found[f"{name}.in_proj_bias"] = torch.cat([layer.bias for layer in layers])
        found[f"{name}.out_proj.weight"], found[f"{name}.out_proj.bias"] = part.W_O.weight, part.W_O.bias
    for name in ("linear1", "linear2"):
        layer = getattr(block.feed_forward, name)
        found[f"{name}.weight"], found[f"{name}.bias"] = layer.weight, layer.bias
    for name in ("norm1", "norm2", "norm3"):
        found[f"{name}.weight"], found[f"{name}.bias"] = getattr(block, name).gamma, getattr(block, name).beta
    return found


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.sizes = (d_model, num_heads, d_ff, dropout)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        heads = self.sizes[1]
        size = x.shape[1]
        masks = []
        for mask, keys in ((tgt_mask, size), (src_mask, memory.shape[1])):
            masks.append(None if mask is None else ~mask.expand(len(x), heads, size, keys).flatten(0, 1))
        layer = Layer(*self.sizes, batch_first=True)
        if self.sizes[3] in (0.0, 1.0):
            layer.dropout.p = 0.0
            layer.self_attn.dropout = layer.multihead_attn.dropout = 0.0
        layer.train(self.training)
        weights = []
        layer.multihead_attn.register_forward_pre_hook(lambda _, given: weights.append(given[0]))
        output = torch.func.functional_call(
            layer, renamed(self), (x, memory), {"tgt_mask": masks[0], "memory_mask": masks[1]}
        )
        return output, self.cross_attention(weights[0], memory, memory, src_mask)[1]
