"""self_attention: one product with the three matrices side by side, cut afterwards.

Question: self_attention
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    projected = X @ torch.cat([W_Q, W_K, W_V], dim=1)
    Q, K, V = projected.split([W_Q.size(1), W_K.size(1), W_V.size(1)], dim=-1)
    return scaled_dot_product_attention(Q, K, V, mask)
